import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryTime, queryUuid } from '@bursar/http'

const own = {
  id: uuid(),
  at: about('When it was requested', timestamp()),
  door: about(
    'How it arrived: through the console or the API; `command`: on the machine itself; `start`: a finding at a start of the gateway',
    oneOf(['console', 'api', 'command', 'start']),
  ),
  actor: about('The user’s id; the address of an anonymous caller', t.String()),
  roles: about('The roles of the user at that time', t.Array(t.String())),
  session: about('The session', nullable(t.String())),
  address: about('The client address', t.String()),
  service: t.String(),
  action: about('The method and the route: `PUT /accounts/:id`', t.String()),
  object: about('The id of its object, or of the created object', nullable(t.String())),
  newStatus: about(
    'The status that its body asked for, where the object did not have it before; null for none',
    nullable(t.String()),
  ),
  requestId: t.String(),
  status: about(
    'The status of the answer; null without one: the gateway was stopped, or it is under way',
    nullable(t.Integer()),
  ),
  answeredAt: nullable(timestamp()),
}

/** An administrative action. */
export const AuditAct = t.Object(own, { title: 'AuditAct' })
export type AuditAct = Static<typeof AuditAct>

const row = t.Object({ number: t.Integer(), hash: t.String() }, { title: 'AuditRow' })

/** The same with its object and its rows in the chain. Secrets are removed. */
export const AuditActDetail = t.Object(
  {
    ...own,
    request: about('The values of the path and the query, and the body', t.Optional(t.Unknown())),
    before: about('The object before; omitted if it cannot be read', t.Optional(t.Unknown())),
    after: about('The object after', t.Optional(t.Unknown())),
    answer: about('The service’s answer, if it says more than `after`', t.Optional(t.Unknown())),
    problem: about('Why it was refused or failed', t.Optional(t.String())),
    isRepeat: about('True when an idempotency key was repeated: nothing was done again', t.Optional(t.Boolean())),
    rows: about('Its rows in the trail: request, answer', t.Array(row)),
  },
  { title: 'AuditActDetail' },
)
export type AuditActDetail = Static<typeof AuditActDetail>

const filters = {
  actor: t.Optional(text(255)),
  action: t.Optional(text(255)),
  object: t.Optional(text(255)),
  from: t.Optional(queryTime()),
  to: t.Optional(queryTime()),
}

/** GET /audit: newest first; `after` is the id of the last action seen. */
export const AuditQuery = t.Object({
  ...filters,
  after: t.Optional(queryUuid()),
  limit: queryInteger({ minimum: 1, maximum: 100, default: 50 }),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditExportQuery = t.Object(filters)
export type AuditFilters = Static<typeof AuditExportQuery>

export const AuditCheck = t.Object(
  {
    intact: about('True when no row was changed or is missing', t.Boolean()),
    isComplete: about(
      'False while a long trail is still being checked: the rest is about its first `rows`',
      t.Boolean(),
    ),
    rows: about('The number of checked rows', t.Integer()),
    head: about('The last checked row', row),
    problem: about('The problem, in a sentence', nullable(t.String())),
    unanswered: about('Actions without an answer in the trail: the gateway was stopped in between', t.Integer()),
    checkedAt: about('When the check began', timestamp()),
  },
  { title: 'AuditCheck' },
)
export type AuditCheck = Static<typeof AuditCheck>
