import {
  endHold,
  failHeldOrder,
  HeldPayment,
  heldOrders,
  releaseHeldOrder,
  settleHeldOrder,
} from '@bursar/contracts/held-orders'
import { internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import type { OrderRow } from '../orders/orders'
import { findHold } from '../orders/restore-hold'
import { ById } from '../orders/withdrawals.routes'
import { giveUp, listHeld, release, settle, toHeldOrder } from './held-orders'

/** For operators only, by `bun run wallet:held` (contracts/wallet.ts): orders that wait after a restore. */
export const heldOrderRoutes = (deps: WalletDeps) =>
  internalRoutes(deps.identity, '/internal/held-orders', operator)
    .get(
      '/',
      async () => {
        const hold = await findHold(deps.store.read)
        const items = await listHeld(deps.store.read)
        return { before: hold?.before?.toISOString() ?? null, items: items.map(toHeldOrder) }
      },
      { response: { 200: response(heldOrders.answer) } },
    )
    .post(
      '/end',
      async () => {
        await deps.restoreGuard.release()
        return { ended: true }
      },
      { response: { 200: response(endHold.answer) } },
    )
    .post('/:id/release', ({ params }) => outcomeOf(deps.store.commit((tx) => release(tx, params.id, deps.clock()))), {
      params: ById,
      response: { 200: response(releaseHeldOrder.answer) },
    })
    .post('/:id/fail', ({ params }) => outcomeOf(giveUp(deps, params.id)), {
      params: ById,
      response: { 200: response(failHeldOrder.answer) },
    })
    .post('/:id/paid', ({ params, body }) => outcomeOf(settle(deps, params.id, body.txHash)), {
      params: ById,
      body: HeldPayment,
      response: { 200: response(settleHeldOrder.answer) },
    })

async function outcomeOf(order: Promise<OrderRow>) {
  const { id, status } = await order
  return { id, status }
}

/** The command calls as the service itself, whose data folder it reads; no other service may settle an order. */
const operator = ['wallet'] as const
