import {
  and,
  type Db,
  defineList,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  type ListPlace,
  lt,
  param,
  queryAmong,
  sql,
  unindexed,
} from '@bursar/store'
import type { AuditAct, AuditActDetail, AuditFilters } from './audit.model'
import { auditTrail } from './audit-trail.table'
import type { AuditRow } from './chain'
import { rowsOf } from './trail'

const chunkRows = 100

/** Actions in chunks, newest first, from after the action `after`. */
export async function* listActs(
  db: Db,
  filters: AuditFilters,
  place: Omit<ListPlace, 'order'> = {},
): AsyncGenerator<AuditAct[]> {
  for await (const asked of askedList.chunks(db, filters, { ...place, order: 'desc' }, chunkRows)) {
    yield await withAnswers(db, asked)
  }
}

const isOfObject = eq(auditTrail.object, param('object'))

/** The actions on an object, within the part of the list that a statement reads. */
const actsOfObject = (db: Db) =>
  db
    .select({ actId: auditTrail.actId })
    .from(auditTrail)
    .where(and(isOfObject, lt(auditTrail.actId, param('after')), gte(auditTrail.actId, param('until'))))
    .orderBy(desc(auditTrail.actId))

/**
 * An action has at most two rows: these many rows of an object contain a chunk of actions, if there is no other filter.
 */
const newestOfObject = (db: Db) => actsOfObject(db).limit(2 * chunkRows)

/** The first rows of actions, newest first. An object may have a million. */
const askedList = defineList({
  id: auditTrail.actId,
  rows: (db) => db.select({ ...getTableColumns(auditTrail), id: auditTrail.actId }).from(auditTrail),
  to: (row): AuditRow => row,
  read: ({ actor, action, object, from, to }: AuditFilters) => ({
    form: { hasActor: actor !== undefined, hasAction: action !== undefined, hasObject: object !== undefined },
    values: { actor, action, object },
    time: { from, to: to && new Date(to.getTime() - 1) },
  }),
  where: ({ hasActor, hasAction, hasObject }, db) => {
    const ofObject = hasActor || hasAction ? actsOfObject(db) : newestOfObject(db)
    // Uses the object's index, if the object is given.
    const own = (column: typeof auditTrail.actor | typeof auditTrail.action) =>
      hasObject ? unindexed(column) : sql`${column}`
    return and(
      eq(auditTrail.step, 'asked'),
      hasActor ? eq(own(auditTrail.actor), param('actor')) : undefined,
      hasAction ? eq(own(auditTrail.action), param('action')) : undefined,
      hasObject ? inArray(auditTrail.actId, ofObject) : undefined,
    )
  },
  isSparse: ({ hasObject }) => hasObject,
  along: ({ hasObject }) => (hasObject ? isOfObject : undefined),
})

const answersOf = queryAmong(
  (ids) => (db) =>
    db
      .select()
      .from(auditTrail)
      .where(and(inArray(auditTrail.actId, ids), eq(auditTrail.step, 'answered'))),
)

async function withAnswers(db: Db, asked: readonly AuditRow[]): Promise<AuditAct[]> {
  if (asked.length === 0) return []
  const ids = asked.map(({ actId }) => actId)
  const answers = await answersOf(db, ids)
  const byAct = new Map(answers.map((answer) => [answer.actId, answer]))
  return asked.map((row) => toAct(row, byAct.get(row.actId)))
}

const longestStatus = 64

interface Detail {
  request?: { body?: { status?: unknown } | null }
  before?: { status?: unknown } | null
}

/** The `status` in a request's body: the new status of a record. Null if it is unchanged. */
function newStatusIn(detail: string): string | null {
  const { request, before } = JSON.parse(detail) as Detail
  const status = request?.body?.status
  return typeof status === 'string' && status.length <= longestStatus && status !== before?.status ? status : null
}

const toAct = (asked: AuditRow, answered: AuditRow | undefined): AuditAct => ({
  id: asked.actId,
  at: asked.at.toISOString(),
  door: asked.door,
  actor: asked.actor,
  roles: asked.roles === '' ? [] : asked.roles.split(','),
  session: asked.session,
  address: asked.address,
  service: asked.service,
  action: asked.action,
  object: answered?.object ?? asked.object,
  newStatus: newStatusIn(asked.detail),
  requestId: asked.requestId,
  status: answered?.status ?? null,
  answeredAt: answered?.at.toISOString() ?? null,
})

/** An action with all its rows; null for an unknown id. */
export async function findAct(db: Db, id: string): Promise<AuditActDetail | null> {
  const rows = await rowsOf(db, id)
  const [asked, answered] = rows
  if (!asked) return null
  return {
    ...toAct(asked, answered),
    ...(JSON.parse(asked.detail) as object),
    ...(JSON.parse(answered?.detail ?? '{}') as object),
    rows: rows.map(({ number, hash }) => ({ number, hash })),
  }
}
