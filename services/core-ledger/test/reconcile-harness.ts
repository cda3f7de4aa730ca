// What the tests of the reconciliation share: a ledger, and the wallet and the blockchain service as it asks them.
import { afterEach, beforeEach } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { type LocalServer, localServer } from '@bursar/testing'
import type { reconcileOrders } from '../src/reconciliation/reconcile-orders'
import type { Reconciliation } from '../src/reconciliation/reconciliation'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, make, makeAsset, pay, screen, withdrawalOf } from './steps'

export const txHash = `0x${'ab'.repeat(32)}`

/** What the wallet and the blockchain service say when they are asked. */
interface Says {
  records: WithdrawalState[]
  /** By network and contract, what each of two addresses holds. */
  held: Record<string, [contractAddress: string | null, amount: bigint][]>
  /** The second address, where it is an account's. */
  ownAddress: { accountId: string; network: string; holdings: [string | null, bigint][] } | null
  epoch: number
  kind: 'evm' | 'simulated'
}

/** The wallet and the blockchain service, as far as the reconciliation asks them. */
export let peers: LocalServer
export let says: Says
export let ledger: Ledger
export let sides: Parameters<typeof reconcileOrders>[0]
/** How far the ledger's clock is ahead. */
let aheadMs = 0

export function passMinutes(minutes: number): void {
  aheadMs += minutes * 60_000
}

/** A round, after the usual pause. */
export async function round(of: Reconciliation): Promise<void> {
  passMinutes(of.everyMs / 60_000)
  await of.round(ledger.deps)
}

/** Each test of the file gets these anew. */
export function eachWithPeers(): void {
  beforeEach(async () => {
    says = { records: [], held: {}, ownAddress: null, epoch: 1, kind: 'evm' }
    peers = localServer(answer)
    aheadMs = 0
    const now = () => new Date(Date.now() + aheadMs)
    ledger = await openLedger({ urls: { wallet: peers.url, blockchain: peers.url }, tuning: { now } })
    sides = { ledger: ledger.store, client: ledger.deps.client }
  })
  afterEach(async () => {
    await ledger.close()
    await peers.stop()
  })
}

export function answer(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  const [, , what, id = ''] = pathname.split('/')
  if (what === 'networks') {
    return Response.json([{ name: 'ethereum', kind: says.kind, chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 }])
  }
  if (what === 'holdings') return Response.json(holdingsPage(id, searchParams.get('after')))
  if (id === 'changes') {
    const after = Number(searchParams.get('after'))
    const items = says.records
      .map((record, index) => ({ version: index + 1, record }))
      .filter((it) => it.version > after)
    return Response.json({ epoch: says.epoch, items: items.slice(0, 4), more: items.length > 4 })
  }
  const record = says.records.findLast((one) => one.id === id)
  return record ? Response.json(record) : Response.json({ error: { message: 'unknown' } }, { status: 404 })
}

/** Two addresses, a page each; the second holds nothing. */
function holdingsPage(network: string, after: string | null) {
  const holdings = (after ? [] : (says.held[network] ?? [])).map(([contractAddress, amount]) => ({
    contractAddress,
    amount: `${amount}`,
    decimals: 6,
  }))
  const own = after ? says.ownAddress : null
  if (own?.network === network) {
    for (const [contractAddress, amount] of own.holdings)
      holdings.push({ contractAddress, amount: `${amount}`, decimals: 6 })
  }
  const address = { address: after ? 'b' : 'a', accountId: own?.accountId ?? null, holdings }
  return { items: [address], next: after ? null : 'a' }
}

export const record = (
  id: string,
  status: WithdrawalState['status'],
  hash: string | null = txHash,
): WithdrawalState => ({
  id,
  status,
  txHash: status === 'broadcast' || status === 'confirmed' ? hash : null,
  reason: status === 'failed' ? 'no' : null,
})

/** A withdrawal that has come so far. */
export async function withdrawal(
  bench: Bench,
  until: 'PENDING' | 'APPROVED' | 'COMPLETED',
  amount = '1',
): Promise<string> {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, amount))
  if (until !== 'PENDING') await screen(ledger, id, true)
  if (until === 'COMPLETED') await complete(ledger, id, txHash)
  return id
}

/** An account with so much of the network's own coin. */
export async function nativeBench(amount: string, account: Parameters<Ledger['account']>[0] = {}): Promise<Bench> {
  const { id: accountId, customerId } = await ledger.account(account)
  const bench = { assetId: await makeAsset(ledger, { address: 'native' }), accountId, customerId }
  await pay(ledger, bench, amount)
  return bench
}
