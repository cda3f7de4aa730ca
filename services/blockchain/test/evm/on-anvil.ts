import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type TestBlockchain, testBlockchain } from '../harness'
import { testWallet } from '../wallet'
import { type Anvil, startAnvil } from './anvil'
import { signEvm } from './evm-wallet'

export const confirmations = 3

/** An address that nobody has used. */
export const fresh = (): Hex => privateKeyToAddress(generatePrivateKey())

/** The service on a node of its own, where a token with 6 decimals is registered. */
export async function onAnvil(
  env: Record<string, string> = {},
): Promise<{ node: Anvil; service: TestBlockchain; token: Hex }> {
  const node = await startAnvil()
  const service = await testBlockchain({
    wallet: testWallet(signEvm),
    env: {
      ETHEREUM_RPC_URLS: node.url,
      ETHEREUM_CHAIN_ID: '31337',
      ETHEREUM_CONFIRMATIONS: String(confirmations),
      ...env,
    },
  })
  const token = await node.deployToken()
  if (env.ETHEREUM_RPC_URLS === undefined) {
    await service.internal('POST', '/tokens', {
      network: 'ethereum',
      contractAddress: token,
      code: 'TUSD',
      decimals: 6,
    })
  }
  return { node, service, token }
}
