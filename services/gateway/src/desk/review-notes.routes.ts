import { t } from '@bursar/contracts/schema'
import { currentRequestId, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { operators, readers } from '../access/rules'
import { failureOf } from '../audit-trail/audit'
import { requireRole, sessionActor } from '../audit-trail/session-actor'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { idsIn } from '../id-list'
import { colleaguesOf } from './colleagues'
import { Assignment, AssignmentsQuery, ById, Colleague, Comment, NewAssignee, NewComment } from './desk.model'
import { type AssignmentRow, addComment, assign, assignmentsOf, type CommentRow, commentsOf } from './review-notes'

const toAssignment = ({ assignedAt, ...row }: AssignmentRow) => ({ ...row, assignedAt: assignedAt.toISOString() })
const toComment = ({ id, authorId, text, createdAt }: CommentRow) => ({
  id,
  authorId,
  text,
  createdAt: createdAt.toISOString(),
})

/** Who reviews a transaction, and what colleagues say about it. The ledger knows neither. */
export function reviewNoteRoutes(deps: GatewayDeps) {
  const { store, now } = deps

  /** Carries out an operator's act, recorded in the audit trail. */
  async function recorded<T>(
    { request, action, id, body }: { request: Request; action: string; id: string; body: object },
    carryOut: (userId: string) => Promise<T>,
  ): Promise<T> {
    const actor = await sessionActor(deps, request)
    const act = {
      actor,
      service: 'gateway',
      action,
      object: id,
      requestId: currentRequestId() ?? '',
      request: { params: { id }, body },
    }
    try {
      requireRole(actor, operators)
    } catch (error) {
      await deps.audit.note(act, failureOf(error))
      throw error
    }
    return await deps.audit.record(
      act,
      undefined,
      () => carryOut(actor.id),
      async () => ({ status: 200 }),
    )
  }

  return new Elysia({ prefix: '/console/api/review', detail: { hide: true } })
    .get(
      '/assignments',
      async ({ request, query }) => {
        await requireCounted(deps, request, readers)
        return (await assignmentsOf(store.read, idsIn(query.ids))).map(toAssignment)
      },
      { query: AssignmentsQuery, response: { 200: response(t.Array(Assignment)) } },
    )
    .get(
      '/colleagues',
      async ({ request }) => {
        await requireCounted(deps, request, readers)
        return await colleaguesOf(store.read, now())
      },
      { response: { 200: response(t.Array(Colleague)) } },
    )
    .put(
      '/:id/assignee',
      async ({ request, params, body }) => {
        const id = params.id.toLowerCase()
        const action = 'PUT /console/api/review/:id/assignee'
        await recorded({ request, action, id, body }, (assignedBy) =>
          store.commit((tx) =>
            assign(tx, {
              transactionId: id,
              userId: body.userId?.toLowerCase() ?? null,
              assignedBy,
              assignedAt: now(),
            }),
          ),
        )
        return body
      },
      { params: ById, body: NewAssignee, response: { 200: response(NewAssignee) } },
    )
    .get(
      '/:id/comments',
      async ({ request, params }) => {
        await requireCounted(deps, request, readers)
        return (await commentsOf(store.read, params.id.toLowerCase())).map(toComment)
      },
      { params: ById, response: { 200: response(t.Array(Comment)) } },
    )
    .post(
      '/:id/comments',
      async ({ request, params, body, set }) => {
        const transactionId = params.id.toLowerCase()
        const action = 'POST /console/api/review/:id/comments'
        set.status = 201
        return await recorded({ request, action, id: transactionId, body }, async (authorId) =>
          toComment(await store.commit((tx) => addComment(tx, { transactionId, authorId, text: body.text }, now()))),
        )
      },
      { params: ById, body: NewComment, response: { 201: response(Comment) } },
    )
}
