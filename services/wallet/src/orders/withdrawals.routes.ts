import type { Static } from '@bursar/contracts/schema'
import { answerEach, requireService, response } from '@bursar/http'
import { batched } from '@bursar/store'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { getOrder, toState, withdrawalRecords } from './orders'
import { acceptWithdrawals, type ReadOrder, readWithdrawals, refuseWithdrawal } from './withdrawals'
import {
  ById,
  ChangesQuery,
  Refusal,
  WalletWithdrawal,
  WithdrawalChanges,
  WithdrawalIds,
  WithdrawalState,
  WithdrawalStates,
  Withdrawals,
} from './withdrawals.model'

/**
 * For other services only (contracts/wallet.ts). The POSTs have no idempotency key: a withdrawal's id is the key, and a
 * repeat gets the current record.
 */
export function withdrawalRoutes(deps: WalletDeps) {
  const { store, identity, clock, wakes } = deps
  const acceptTogether = batched(
    ({ id }: ReadOrder) => id,
    (tx, orders) => acceptWithdrawals(tx, orders, clock()),
  )
  async function accept(order: ReadOrder): Promise<Static<typeof WithdrawalState>> {
    const state = toState(await acceptTogether(store, order))
    if (state.status === 'accepted') wakes.wake()
    return state
  }
  const record = async (id: string) => toState(await getOrder(store.read, id, 'withdrawal'))
  return new Elysia({ prefix: '/internal/withdrawals' })
    .post(
      '/',
      async ({ request, body }) => {
        await requireService(identity, request, ledger)
        const [order] = await readWithdrawals(deps, [body])
        return await accept(order as ReadOrder)
      },
      { body: WalletWithdrawal, response: { 200: response(WithdrawalState) }, detail: { hide: true } },
    )
    .post(
      '/batch',
      async ({ request, body }) => {
        await requireService(identity, request, ledger)
        // In order: of several with the same id the first one counts.
        return await answerEach(await readWithdrawals(deps, body.items), idOf, accept)
      },
      { body: Withdrawals, response: { 200: response(WithdrawalStates) }, detail: { hide: true } },
    )
    .post(
      '/records',
      async ({ request, body }) => {
        await requireService(identity, request)
        return await answerEach(body.items, String, record)
      },
      { body: WithdrawalIds, response: { 200: response(WithdrawalStates) }, detail: { hide: true } },
    )
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await withdrawalRecords.pageAfter(store, query.after, toState)
      },
      { query: ChangesQuery, response: { 200: response(WithdrawalChanges) }, detail: { hide: true } },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await record(params.id)
      },
      { params: ById, response: { 200: response(WithdrawalState) }, detail: { hide: true } },
    )
    .post(
      '/:id/refuse',
      async ({ request, params, body }) => {
        await requireService(identity, request, ledger)
        return await store.commit(async (tx) => toState(await refuseWithdrawal(tx, params.id, body, clock())))
      },
      { params: ById, body: Refusal, response: { 200: response(WithdrawalState) }, detail: { hide: true } },
    )
}

const idOf = ({ id }: { id: string }) => id

/** Only the ledger may order, because it holds the amounts. */
const ledger = ['core-ledger'] as const
