import type { BodyOf } from '@bursar/contracts/call'
import type { OrderedState, orderWithdrawal, TransactionStatus } from '@bursar/contracts/core-ledger'
import { type LocalServer, localServer } from '@bursar/testing'
import { refusal } from './wallet'

export type Ordered = BodyOf<typeof orderWithdrawal>
type Asset = { code: string; blockchain: string; contractAddress: string | null; decimals: number }

export interface TestLedger {
  server: LocalServer
  /** The withdrawals that it took, by the orders' ids. */
  orders: Map<string, { order: Ordered; state: OrderedState }>
  /** How often each order came. */
  came: Map<string, number>
  assets: Asset[]
  /** How an order of an id that is not known is answered: its status, or null and the reason of its refusal. */
  judge(order: Ordered): { status: TransactionStatus | null; reason: string | null }
  /** Answers this instead, while it is set: to orders, to questions for states, or to both. */
  away: { orders?: Response; states?: Response }
  /** Looks again at what is asked for, before it answers. */
  refresh(id: string): Promise<void>
  /** Moves the withdrawal of an order. */
  move(id: string, status: TransactionStatus, reason?: string): void
}

/** Stands in for the core ledger: its routes for orders and assets, with a transaction of its own for each order. */
export function testLedger(): TestLedger {
  const ledger: TestLedger = {
    orders: new Map(),
    came: new Map(),
    assets: [],
    judge: () => ({ status: 'PENDING', reason: null }),
    away: {},
    refresh: async () => {},
    move(id, status, reason) {
      const kept = ledger.orders.get(id)
      if (!kept) throw new Error(`The ledger has no order ${id}`)
      kept.state = { ...kept.state, status, reason: reason ?? null }
    },
    server: localServer(async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/v1/assets') return Response.json(ledger.assets)
      if (pathname === '/internal/withdrawals') {
        const order = (await request.json()) as Ordered
        ledger.came.set(order.id, (ledger.came.get(order.id) ?? 0) + 1)
        if (ledger.away.orders) return ledger.away.orders.clone() as Response
        return Response.json(take(order))
      }
      if (pathname === '/internal/withdrawals/states') {
        if (ledger.away.states) return ledger.away.states.clone() as Response
        const { items } = (await request.json()) as { items: string[] }
        await Promise.all(items.map((id) => ledger.refresh(id)))
        return Response.json({ items: items.map((id) => ledger.orders.get(id)?.state ?? null) })
      }
      return refusal(404, 'none')
    }),
  }
  function take(order: Ordered): OrderedState {
    const known = ledger.orders.get(order.id)
    if (known) return known.state
    const { status, reason } = ledger.judge(order)
    const transactionId = status === null ? null : Bun.randomUUIDv7()
    const state = { id: order.id, transactionId, status, reason }
    ledger.orders.set(order.id, { order, state })
    return state
  }
  return ledger
}
