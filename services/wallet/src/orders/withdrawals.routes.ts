import { batchOf } from '@bursar/contracts/batch'
import { t, uuid } from '@bursar/contracts/schema'
import {
  getWithdrawals,
  refuseWithdrawal as refusing,
  WalletWithdrawal,
  WithdrawalState,
  withdrawalChanges,
} from '@bursar/contracts/wallet'
import { answerEach, ChangesQuery, internalRoutes, response } from '@bursar/http'
import { batched } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { findOrders, getOrder, type OrderRow, toState, withdrawalRecords } from './orders'
import { acceptWithdrawals, type ReadOrder, readWithdrawals, refuseWithdrawal } from './withdrawals'

export const ById = t.Object({ id: uuid() })

/**
 * Only the ledger may order, because it holds the amounts (contracts/wallet.ts). The POSTs have no idempotency key: a
 * withdrawal's id is the key, and a repeat gets the current record.
 */
export function withdrawalOrderRoutes(deps: WalletDeps) {
  const { store, identity, clock, wakes } = deps
  const acceptTogether = batched(
    ({ id }: ReadOrder) => id,
    (tx, orders) => acceptWithdrawals(tx, orders, clock()),
  )
  async function accept(order: ReadOrder): Promise<WithdrawalState> {
    const state = toState(await acceptTogether(store, order))
    if (state.status === 'accepted') wakes.wake()
    return state
  }
  return internalRoutes(identity, '/internal/withdrawals', ['core-ledger'])
    .post(
      '/',
      async ({ body }) => {
        const [order] = await readWithdrawals(deps, [body])
        return await accept(order as ReadOrder)
      },
      { body: WalletWithdrawal, response: { 200: response(WithdrawalState) } },
    )
    .post(
      '/batch',
      // In order: of several with the same id the first one counts.
      async ({ body }) => answerEach(await readWithdrawals(deps, body.items), idOf, accept),
      { body: batchOf(WalletWithdrawal), response: { 200: response(getWithdrawals.answer) } },
    )
    .post(
      '/:id/refuse',
      ({ params, body }) => store.commit(async (tx) => toState(await refuseWithdrawal(tx, params.id, body, clock()))),
      { params: ById, body: refusing.body ?? t.Never(), response: { 200: response(WithdrawalState) } },
    )
}

/** What has become of them. */
export const withdrawalRecordRoutes = ({ identity, store }: WalletDeps) => {
  return internalRoutes(identity, '/internal/withdrawals')
    .post(
      '/records',
      async ({ body }) => {
        const known = await findOrders(store.read, body.items)
        return { items: body.items.map((id) => recordOf(known.get(id))) }
      },
      { body: batchOf(uuid()), response: { 200: response(getWithdrawals.answer) } },
    )
    .get('/changes', ({ query }) => withdrawalRecords.pageAfter(store, query.after, toState), {
      query: ChangesQuery,
      response: { 200: response(withdrawalChanges.answer) },
    })
    .get('/:id', async ({ params }) => toState(await getOrder(store.read, params.id, 'withdrawal')), {
      params: ById,
      response: { 200: response(WithdrawalState) },
    })
}

/** Null where no withdrawal of that id is known. */
const recordOf = (order: OrderRow | undefined) => (order?.kind === 'withdrawal' ? toState(order) : null)

const idOf = ({ id }: { id: string }) => id
