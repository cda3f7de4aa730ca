import { until } from '@bursar/testing'
import { testBlockchain } from '../harness'
import { testWallet } from '../wallet'
import { openBank, sol } from './solana-bank'
import { solanaNode } from './solana-node'
import { newKey, signSolana } from './solana-wallet'

/** The service on a node of its own, where a token with 6 decimals is registered, and an address that can send both. */
export async function onLitesvm() {
  const node = solanaNode()
  const service = await testBlockchain({ wallet: testWallet(signSolana), env: { SOLANA_RPC_URLS: node.url } })
  const bank = await openBank(node)
  const hot = await newKey()
  node.fund(hot.address, 10n * sol)
  const mint = await bank.newMint()
  await service.internal('POST', '/tokens', { network: 'solana', contractAddress: mint, code: 'TUSD', decimals: 6 })
  await bank.mintTo(hot.address, 100_000_000n, mint)
  return {
    node,
    service,
    bank,
    hot,
    mint,
    depositOf: (txHash: string) =>
      until(async () => (await service.deposits()).find((deposit) => deposit.txHash === txHash), {
        what: 'the deposit',
      }),
    /** What is to be sent from that address. */
    order: (fields: object = {}) => ({
      network: 'solana',
      from: hot.address,
      amount: '1000000',
      decimals: 9,
      ...fields,
    }),
    /** Finalises until the send is settled. */
    settled: (id: string, status: 'confirmed' | 'failed' = 'confirmed') =>
      until(
        async () => {
          node.finalize()
          const { body } = await service.internal('GET', `/sends/${id}`)
          return body.status === status && body
        },
        { what: `send ${id} to be ${status}` },
      ),
    async stop() {
      await service.stop()
      await node.stop()
    },
  }
}
