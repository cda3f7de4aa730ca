import { exampleIds } from '@bursar/contracts/examples'
import { byId } from '@bursar/contracts/schema'
import { idempotencyKeys, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { Proposed } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { Return, Transaction } from '../movements/transactions.model'
import { approvalFailures, approvalRefusals } from './approval-failures'
import { requireReturnable, returnDeposit } from './return-deposit'
import { deciding } from './review-actions'

/** Not in the specification: returning a deposit in suspense. */
export function returnRoutes(deps: LedgerDeps) {
  const sides = { db: deps.store.read, client: deps.client }
  return new Elysia().post(
    '/:id/return',
    deciding(deps, 201, returnDeposit, (id) => requireReturnable(sides, id)),
    {
      params: byId(exampleIds.depositToReturn),
      body: Return,
      response: { 201: response(Transaction), 202: response(Proposed) },
      detail: operation('returnDeposit', 'Return a rejected or failed deposit to its source', {
        ...idempotencyKeys('forever'),
        description:
          'Answers the withdrawal of the whole amount to the address that the deposit came from. It is ' +
          'screened before it is paid; if the source does not pass, it is frozen and can only be rejected. If it is ' +
          `rejected or fails, the deposit is in suspense again. ${approvalFailures.description}`,
        ...moneyFailures({
          ...approvalRefusals,
          409: `${approvalRefusals[409]}; or: a return that failed here was paid`,
          422: 'The source is unknown, several addresses, or an address of this deployment',
          503: 'The wallet service is unavailable',
        }),
      }),
    },
  )
}
