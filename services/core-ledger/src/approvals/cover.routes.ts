import { exampleIds } from '@bursar/contracts/examples'
import { byId } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { getAsset } from '../assets/assets'
import { Proposed } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { Cover, Transaction } from '../movements/transactions.model'
import { toMovement } from '../portfolios/list-movements'
import { movementOf } from '../portfolios/movements'
import { AccountMovement, CoverMovement, OfAccount } from '../portfolios/movements.model'
import { approvalFailures } from './approval-failures'
import { cover, coverMovement } from './cover'
import { approvalFor, proposed } from './four-eyes'
import { deciding } from './review-actions'

/** Not in the specification: the way out for a deposit that its chain does not confirm again, or for a payment of a return that is in no books. */
export const coverRoutes = (deps: LedgerDeps) =>
  new Elysia().post('/:id/cover', deciding(deps, 200, cover), {
    params: byId(exampleIds.deposit),
    body: Cover,
    response: { 200: response(Transaction), 202: response(Proposed) },
    detail: operation(
      'coverDeposit',
      'Cover what a deposit lacks that its chain has taken back, or a payment of its return that is in no books',
      {
        ...idempotencyKeys('forever'),
        ...approvalFailures,
        description:
          'For a deposit that was credited, or returned, and is on its chain no more: the operator has replaced what is ' +
          'missing. Withdrawals of its account no longer wait for it. Nothing is booked, and the balance stays. Also for a ' +
          'return that its chain has paid beside the payment that is booked, or with another amount after it had failed or ' +
          'was rejected here (`unbookedPayment`): its alarm is over, and a deposit that is in suspense stays there. ' +
          approvalFailures.description,
      },
    ),
  })

/** The same for what came to a portfolio without a transaction of the ledger. */
export function movementCoverRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia({ tags: ['Balances'] }).post(
    '/balances/account/:accountId/movements/cover',
    ({ request, set, params, body }) =>
      once({ request, set }, async (reply) => {
        deps.books.requireOpen()
        const of = { accountId: params.accountId.toLowerCase(), movement: body.movement }
        const valued = async () => {
          const movement = await movementOf(store.read, of.accountId, of.movement)
          return { amount: movement.amount, asset: await getAsset(store.read, movement.assetId ?? '') }
        }
        const approval = await approvalFor(deps, request, valued, body.reason)
        return await store.commit(async (tx) => {
          const { movement, isProposed } = await coverMovement(tx, of, approval, deps.now())
          if (isProposed) return await reply(tx, 202, proposed)
          const { code } = await getAsset(tx, movement.assetId ?? '')
          return await reply(tx, 200, await toMovement(tx, { movement, assetCode: code }))
        })
      }),
    {
      params: OfAccount,
      body: CoverMovement,
      response: { 200: response(AccountMovement), 202: response(Proposed) },
      detail: operation('coverMovement', 'Cover a movement to a portfolio that its chain has taken back', {
        ...idempotencyKeys('forever'),
        ...approvalFailures,
        404: 'The account has no such movement',
        description:
          'For a movement that came in, was booked, and is on its chain no more: the operator has replaced what is missing, ' +
          'at the portfolio’s own address, by a deposit that is left in suspense. Withdrawals of its account no longer wait ' +
          'for it. Nothing is booked, and the balance stays. ' +
          approvalFailures.description,
      }),
    },
  )
}
