import {
  type ConfirmedMovement,
  getPaidOrders,
  getToldMovements,
  MovementConfirmed,
  type OrderToProve,
  type SendState,
  sendChanges,
  type ToldMovements,
} from '@bursar/contracts/blockchain'
import { getKnownOrders, type KnownOrder, type WithdrawalState, withdrawalChanges } from '@bursar/contracts/wallet'
import { localServer } from '@bursar/testing'
import { auditAll } from '../src/audit/audit'
import { journal } from '../src/ledger/journal.table'
import { movements } from '../src/portfolios/movements.table'
import { sealJournal } from '../src/seals/seal-journal'
import { type Ledger, openLedger } from './harness'
import { type Owners, testOwners } from './owners'
import { type Bench, balanceOf, makeAsset, outside, pay, shortfallOf } from './steps'

export const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** A ledger with a blockchain service, and a portfolio with 100 of an asset. */
export interface MovementBench {
  ledger: Ledger
  owners: Owners
  bench: Bench
  /** What the blockchain service lists, and in which run. */
  chain: {
    listed: ConfirmedMovement[]
    epoch: number
    /** Of its lists, and the wallet service's. */
    pageSize: number
    /** Of each hash; null while it cannot say. */
    told: Map<string, ToldMovements | null>
    sends: Map<string, SendState>
    /** What orders have paid, by their ids; asked about with what. */
    paid: Map<string, ConfirmedMovement>
    asked: OrderToProve[]
  }
  /** The wallet service: its records as they changed, and its orders by their ids. */
  wallet: { records: WithdrawalState[]; orders: Map<string, KnownOrder>; isAway: boolean }
  clock: { now: Date }
  moved(kind: ConfirmedMovement['kind'], amount: string, fields?: Partial<ConfirmedMovement>): ConfirmedMovement
  /** As its event comes. */
  deliver(data: ConfirmedMovement, event?: typeof MovementConfirmed): Promise<void>
  balance(): Promise<string[]>
  /** Why the portfolio's withdrawals wait. */
  shortfall(): Promise<string | null>
  /** Those of movements, in their order. */
  entries(): Promise<(typeof journal.$inferSelect)[]>
  /** Why each movement waits that does. */
  waiting(): Promise<string[]>
  /** With an audit of all that there is. */
  close(): Promise<void>
}

export async function openMovementBench(env: Record<string, string> = {}): Promise<MovementBench> {
  const chain: MovementBench['chain'] = {
    listed: [],
    epoch: 7,
    pageSize: 2,
    told: new Map(),
    sends: new Map(),
    paid: new Map(),
    asked: [],
  }
  const wallet: MovementBench['wallet'] = { records: [], orders: new Map(), isAway: false }
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const owners = testOwners()
  const server = localServer((request) => answer(chain, wallet, request))
  const urls = { blockchain: server.url, wallet: server.url }
  const ledger = await openLedger({ owners, urls, env, tuning: { now: () => clock.now } })
  const assetId = await makeAsset(ledger, { address: contract })
  const { id: accountId, customerId } = await ledger.account({ type: 'PORTFOLIO' })
  const bench = { assetId, accountId, customerId }
  await pay(ledger, bench, '100')
  const { read } = ledger.store
  return {
    ledger,
    owners,
    bench,
    chain,
    wallet,
    clock,
    moved: (kind, amount, fields = {}) => ({
      id: Bun.randomUUIDv7(),
      kind,
      network: 'ethereum',
      txHash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
      place: kind === 'fee' ? 'fee' : `${kind}:1`,
      accountId,
      address: outside,
      counterparty: kind === 'fee' ? null : outside,
      contractAddress: contract,
      amount,
      decimals: 6,
      orderId: null,
      confirmedAt: '2026-03-01T11:59:00.000Z',
      ...fields,
    }),
    deliver: (data, event = MovementConfirmed) =>
      ledger.consume({
        id: Bun.randomUUIDv7(),
        name: event.name,
        type: event.type,
        timestamp: data.confirmedAt,
        requestId: null,
        service: 'blockchain',
        data,
      }),
    balance: () => balanceOf(ledger, bench),
    shortfall: async () => (await shortfallOf(ledger, accountId, assetId))?.reason ?? null,
    entries: async () =>
      (await read.select().from(journal)).filter(({ kind }) => kind === 'execution' || kind === 'fee'),
    waiting: async () => (await read.select().from(movements)).flatMap(({ waitsFor }) => waitsFor ?? []),
    async close() {
      await sealJournal(ledger.deps)
      await auditAll(ledger.store)
      await ledger.close()
      await Promise.all([server.stop(), owners.stop()])
    },
  }
}

/** Both other services, as their contracts say. */
async function answer(
  chain: MovementBench['chain'],
  wallet: MovementBench['wallet'],
  request: Request,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === getToldMovements.path) {
    const { items } = (await request.json()) as { items: { txHash: string }[] }
    return Response.json({ items: items.map(({ txHash }) => chain.told.get(txHash) ?? null) })
  }
  const page = (all: unknown[]) => {
    const after = Number(searchParams.get('after'))
    const items = all.map((record, i) => ({ version: i + 1, record })).filter(({ version }) => version > after)
    return Response.json({
      epoch: chain.epoch,
      items: items.slice(0, chain.pageSize),
      more: items.length > chain.pageSize,
    })
  }
  if (pathname === getPaidOrders.path) {
    const { items } = (await request.json()) as { items: OrderToProve[] }
    chain.asked.push(...items)
    return Response.json({ items: items.map(({ id }) => chain.paid.get(id) ?? null) })
  }
  if (wallet.isAway && (pathname === withdrawalChanges.path || pathname === getKnownOrders.path)) {
    return Response.json({ error: { code: 'SERVICE_UNAVAILABLE', message: 'away' } }, { status: 503 })
  }
  if (pathname === getKnownOrders.path) {
    const { items } = (await request.json()) as { items: string[] }
    return Response.json({ items: items.map((id) => wallet.orders.get(id) ?? null) })
  }
  if (pathname === withdrawalChanges.path) return page(wallet.records)
  const record = wallet.records.findLast(({ id }) => pathname === `/internal/withdrawals/${id}`)
  if (record) return Response.json(record)
  if (pathname === sendChanges.path) return page([...chain.sends.values()])
  if (pathname.startsWith('/internal/sends/')) {
    const send = chain.sends.get(pathname.slice('/internal/sends/'.length))
    return send ? Response.json(send) : Response.json({ error: { code: 'NOT_FOUND', message: '' } }, { status: 404 })
  }
  return page(chain.listed)
}
