import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { getOrderedStates, OrderedState, OrderedWithdrawal, orderWithdrawal } from '@bursar/contracts/core-ledger'
import { uuid } from '@bursar/contracts/schema'
import { internalRoutes, response } from '@bursar/http'
import { requireAccount } from '../accounts/require-account'
import type { LedgerDeps } from '../deps'
import { orderedStates, placeOrder, takeOrder } from './orders'

/** For the blockchain service only: payments that participants order there are withdrawals of the ledger. */
export function orderRoutes(deps: LedgerDeps) {
  const { store, identity, books, now, hotAddresses } = deps
  return internalRoutes(identity, '', ['blockchain'])
    .post(
      getOrderedStates.path,
      async ({ body }) => {
        const ids = body.items.map((id) => id.toLowerCase())
        const states = await orderedStates(store.read, ids)
        return { items: ids.map((id) => states.get(id) ?? null) }
      },
      { body: batchOf(uuid()), response: { 200: response(batchAnswer(OrderedState)) } },
    )
    .post(
      orderWithdrawal.path,
      async ({ body }) => {
        books.requireOpen()
        const prepare = async () => {
          hotAddresses.requireOther(body.destinationAddress)
          await requireAccount(deps, body.accountId)
        }
        return await takeOrder(store, body, (tx) => placeOrder(tx, body, now()), prepare, now())
      },
      { body: OrderedWithdrawal, response: { 200: response(OrderedState) } },
    )
}
