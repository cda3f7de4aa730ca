import type { Answer } from '@bursar/testing/service'
import { serializeTransaction } from 'viem'
import { hot, type TestWallets } from './harness'
import { fundedAccount, order, start, stranger } from './orders'
import type { Peers } from './peers'

/** An order on the simulated Polygon that the blockchain service has. */
export async function handedOver(
  service: TestWallets,
  peers: Peers,
  fields: Parameters<typeof order>[0] = {},
): Promise<string> {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId, ...fields }))
  await service.drive()
  if (!peers.sends.has(id)) throw new Error(`${id} was not handed over`)
  return id
}

/** What the blockchain service has signed for an order of a simulated network, with a nonce. */
export function toSign(peers: Peers, id: string, nonce = 0) {
  const sent = peers.sends.get(id)?.order
  if (!sent) throw new Error(`${id} was not handed over`)
  const { network, from, to, contractAddress, amount } = sent
  const unsigned = JSON.stringify({ network, nonce, from, to, contractAddress, amount, orderId: id })
  return { orderId: id, network, signers: [from], unsigned }
}

/** The hash that a simulated chain has of it. */
export const chainHash = ({ unsigned }: { unsigned: string }): string =>
  `0x${new Bun.CryptoHasher('sha256').update(unsigned).digest('hex')}`

export const sign = (service: TestWallets, body: object): Promise<Answer> =>
  service.post('/internal/sign-transaction', body, service.chain)

/** An order of 1.5 ETH that the hot wallet pays on Ethereum. */
export async function handedOverOnEvm(service: TestWallets, peers: Peers): Promise<string> {
  peers.hold('ethereum', hot.evm, { native: (10n ** 24n).toString() })
  const { id } = await start(service, order({ network: 'ethereum', accountId: peers.account(), assetCode: 'ETH' }))
  await service.drive()
  return id
}

const gwei = 10n ** 9n
export const evmToSign = (orderId: string, nonce: number, gweiPerGas = 30n) => ({
  orderId,
  network: 'ethereum',
  signers: [hot.evm],
  unsigned: serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce,
    gas: 21_000n,
    maxFeePerGas: gweiPerGas * gwei,
    maxPriorityFeePerGas: gwei,
    to: stranger,
    value: 15n * 10n ** 17n,
  }),
})
