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
    .post(
      '/:id/release',
      async ({ params }) => {
        const { id, status } = await deps.store.commit((tx) => release(tx, params.id, deps.clock()))
        return { id, status }
      },
      { params: ById, response: { 200: response(releaseHeldOrder.answer) } },
    )
    .post(
      '/:id/fail',
      async ({ params }) => {
        const { id, status } = await giveUp(deps, params.id)
        return { id, status }
      },
      { params: ById, response: { 200: response(failHeldOrder.answer) } },
    )
    .post(
      '/:id/paid',
      async ({ params, body }) => {
        const { id, status } = await settle(deps, params.id, body.txHash)
        return { id, status }
      },
      { params: ById, body: HeldPayment, response: { 200: response(settleHeldOrder.answer) } },
    )

/** The command calls as the service itself, whose data folder it reads; no other service may settle an order. */
const operator = ['wallet'] as const
