import type { SendState } from '@bursar/contracts/blockchain'
import { SendChanged } from '@bursar/contracts/blockchain'
import type { ChangeMark } from '@bursar/contracts/replica'
import type { WalletWithdrawal, WithdrawalState } from '@bursar/contracts/wallet'
import { delivered, expectStatus, type TestWallets } from './harness'
import type { Peers } from './peers'

export const stranger = '0x742d35cc6634c0532925a3b844bc454e4438f44e'
export const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const txHash = (n = 1) => `0x${n.toString(16).padStart(64, '0')}`

/** An order of one coin on the simulated Polygon, unless the fields say otherwise. */
export const order = (fields: Partial<WalletWithdrawal> = {}): WalletWithdrawal => ({
  id: Bun.randomUUIDv7(),
  accountId: Bun.randomUUIDv7(),
  network: 'polygon',
  assetCode: 'POL',
  contractAddress: null,
  amount: '1.5',
  decimals: 18,
  destinationAddress: stranger,
  ...fields,
})

export const oneAndAHalf = 15n * 10n ** 17n

/** Orders a withdrawal, as the core ledger does. */
export const start = async (service: TestWallets, body: WalletWithdrawal): Promise<WithdrawalState> =>
  expectStatus(
    await service.post('/internal/withdrawals', body, { ...service.ledger, 'idempotency-key': body.id }),
    200,
  )

export const state = async (service: TestWallets, id: string): Promise<WithdrawalState> =>
  expectStatus(await service.get(`/internal/withdrawals/${id}`, service.ledger), 200)

let versions = 0

/** The blockchain service's event; of a newer state than those before, unless it says which. */
export const sendChanged = ({ epoch = 1, version = ++versions, ...state }: SendState & Partial<ChangeMark>) =>
  delivered(SendChanged.name, { ...state, epoch, version })

/** The blockchain service moves an order on and says so, if it is to be noticed. */
export async function moveSend(
  service: TestWallets,
  peers: Peers,
  change: Partial<SendState> & { id: string },
  { event = true } = {},
): Promise<void> {
  const send = peers.sends.get(change.id)
  if (!send) throw new Error(`${change.id} was not handed over`)
  send.state = { ...send.state, ...change }
  if (!event || send.state.status === 'accepted') return
  await service.consume(sendChanged(send.state))
  // A failure is asked about.
  if (send.state.status === 'failed') await service.drive()
}

/** An account on Polygon whose own wallet holds enough for the usual order. */
export async function fundedAccount(service: TestWallets, peers: Peers, native = 10n * oneAndAHalf) {
  const accountId = peers.account()
  const { address } = await service.wallet(accountId, 'polygon')
  peers.hold('polygon', address, { native: String(native) })
  return { accountId, address }
}

/** An account that is a portfolio, with a wallet on Ethereum. */
export async function portfolioAccount({ peers, service }: { peers: Peers; service: TestWallets }) {
  const accountId = peers.account('PORTFOLIO')
  const { address } = await service.wallet(accountId, 'ethereum')
  return { accountId, address: address as `0x${string}` }
}
