import { idempotent, type RepeatableContext } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { actOf } from '../decisions/decisions'
import type { LedgerDeps } from '../deps'
import { type TransactionRecord, toTransaction } from '../movements/read-transactions'
import { mayBeReturned, requireUnordered } from '../withdrawals/fail-approved'
import { type Approval, approvalOf, proposed } from './four-eyes'
import { type Approved, approveFrozen, noReason, type ReviewedKind, rejectFrozen } from './review'

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

/**
 * The handler of an act on a transaction that may take two persons: 202 for the first of them. `prepare` runs before its
 * commit.
 */
export function deciding<S extends 200 | 201>(
  deps: LedgerDeps,
  status: S,
  act: (tx: Tx, id: string, approval: Approval, now: Date) => Promise<Approved>,
  prepare?: (id: string) => Promise<void>,
) {
  const once = idempotent(deps, { keep: 'forever' })
  return ({ request, set, params: { id }, body }: Of<{ reason: string }>) =>
    once({ request, set }, async (reply) => {
      await prepare?.(id)
      const approval = await approvalOf(deps, request, id, body.reason)
      return await deps.store.commit(async (tx) => {
        const { transaction, isProposed } = await act(tx, id, approval, deps.now())
        return isProposed ? await reply(tx, 202, proposed) : await reply(tx, status, toTransaction(transaction))
      })
    })
}
