import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryTime, queryUuid } from '@bursar/http'

const own = {
  id: uuid(),
  at: about('When it was asked for', timestamp()),
  door: about(
    'Where it came in: through the console or the API; `start`: found at one of the gateway',
    oneOf(['console', 'api', 'start']),
  ),
  actor: about('The user’s id; the address of one that is not logged in', t.String()),
  roles: about('The roles that the user had', t.Array(t.String())),
  session: about('The session that it was done in', nullable(t.String())),
  address: about('The address that it came from', t.String()),
  service: t.String(),
  action: about('The method and the route: `PUT /accounts/:id`', t.String()),
  object: about('The id of what it was about, or of what it made', nullable(t.String())),
  requestId: t.String(),
  status: about(
    'Of the answer; null where the trail has none: the gateway was stopped, or it is under way',
    nullable(t.Integer()),
  ),
  answeredAt: nullable(timestamp()),
}

/** An act of administration. */
export const AuditAct = t.Object(own, { title: 'AuditAct' })
export type AuditAct = Static<typeof AuditAct>

const row = t.Object({ number: t.Integer(), hash: t.String() }, { title: 'AuditRow' })

/** The same with what it was about, and its places in the chain. Secrets are left out. */
export const AuditActDetail = t.Object(
  {
    ...own,
    request: about('The values of the path and the query, and the body', t.Optional(t.Unknown())),
    before: about('The object before; left out where nothing shows it', t.Optional(t.Unknown())),
    after: about('The object after', t.Optional(t.Unknown())),
    answer: about('What the service answered, where that says more than `after`', t.Optional(t.Unknown())),
    problem: about('Why it was refused or did not come about', t.Optional(t.String())),
    isRepeat: about('True where an idempotency key was repeated: nothing was done again', t.Optional(t.Boolean())),
    rows: about('Its rows in the trail: asked, answered', t.Array(row)),
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

/** GET /audit: newest first; `after` is the id of the last act that was seen. */
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
    intact: about('True when every row is as it was written, and none is missing', t.Boolean()),
    isComplete: about('False while a long trail was not followed to its end yet', t.Boolean()),
    rows: about('How many were looked at', t.Integer()),
    head: about('The last row that was looked at', row),
    problem: about('What is wrong, in a sentence', nullable(t.String())),
    unanswered: about('Acts without an answer in the trail', t.Integer()),
    checkedAt: about('When the check began', timestamp()),
  },
  { title: 'AuditCheck' },
)
