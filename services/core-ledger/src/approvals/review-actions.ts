import { idempotent, type RepeatableContext } from '@bursar/http'
import { actOf } from '../decisions/decisions'
import type { LedgerDeps } from '../deps'
import type { TransactionRecord } from '../movements/read-transactions'
import { mayBeReturned, requireUnordered } from '../withdrawals/fail-approved'
import { approvalOf, proposed } from './four-eyes'
import { approveFrozen, noReason, type ReviewedKind, rejectFrozen } from './review'

type Words = string | null | undefined
/** A request about one transaction. */
type Of<Body> = RepeatableContext & { params: { id: string }; body: Body }

/** The handlers of approvals and rejections, for the routes of both forms of the API; `shown` presents the answer. */
export function reviewActions<A, R>(
  deps: LedgerDeps,
  shown: { approved: (record: TransactionRecord) => A; rejected: (record: TransactionRecord) => R },
) {
  const { store } = deps
  const sides = { db: store.read, client: deps.client }
  const once = idempotent(deps, { keep: 'forever' })
  return {
    /** 202 for the first of two approvals. */
    approve:
      (kind: ReviewedKind) =>
      ({ request, set, params: { id }, body }: Of<{ note?: Words }>) =>
        once({ request, set }, async (reply) => {
          const mayBePaid = await mayBeReturned(sides, id)
          const approval = { ...(await approvalOf(deps, request, id, body.note)), mayBePaid }
          return await store.commit(async (tx) => {
            const { transaction, isProposed } = await approveFrozen(tx, id, kind, approval, deps.now())
            return isProposed ? await reply(tx, 202, proposed) : await reply(tx, 200, shown.approved(transaction))
          })
        }),
    reject:
      (kind: ReviewedKind) =>
      ({ request, set, params: { id }, body: { reason } }: Of<{ reason?: Words }>) =>
        once({ request, set }, async (reply) => {
          const act = await actOf(deps, request, reason)
          const requireStill = await requireUnordered(sides, id, reason?.trim() || noReason)
          return await store.commit(async (tx) => {
            const rejected = await rejectFrozen(tx, id, kind, act, deps.now())
            await requireStill(tx)
            return await reply(tx, 200, shown.rejected(rejected))
          })
        }),
  }
}
