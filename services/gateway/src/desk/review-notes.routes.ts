import { t } from '@bursar/contracts/schema'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { operators, readers } from '../access/rules'
import type { Actor } from '../audit-trail/act'
import { recordSessionAct } from '../audit-trail/session-act'
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

/** Assignments and comments of reviews. The ledger knows neither. */
export function reviewNoteRoutes(deps: GatewayDeps) {
  const { store, now } = deps

  /** Carries out an operator's action, recorded in the audit trail. */
  const recorded = <T>(
    { request, action, id, body }: { request: Request; action: string; id: string; body: object },
    carryOut: (actor: Actor) => Promise<T>,
  ): Promise<T> =>
    recordSessionAct(deps, request, {
      allowed: operators,
      service: 'gateway',
      action,
      object: id,
      request: { params: { id }, body },
      carryOut,
    })

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
        await recorded({ request, action, id, body }, ({ id: assignedBy }) =>
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
        return await recorded({ request, action, id: transactionId, body }, async ({ id: authorId }) =>
          toComment(await store.commit((tx) => addComment(tx, { transactionId, authorId, text: body.text }, now()))),
        )
      },
      { params: ById, body: NewComment, response: { 201: response(Comment) } },
    )
}
