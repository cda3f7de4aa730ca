import {
  and,
  type Db,
  desc,
  eq,
  gte,
  inArray,
  inChunks,
  lastWithin,
  listParams,
  listSize,
  listValues,
  lt,
  param,
  prepared,
  readWindows,
  sql,
  variants,
} from '@bursar/store'
import type { AuditAct, AuditActDetail, AuditFilters } from './audit.model'
import { auditTrail } from './audit-trail.table'
import type { AuditRow } from './chain'
import { rowsOf } from './trail'

const chunkRows = 100

/** Actions, newest first, in chunks; those after the act `after` in that order. */
export const listActs = (
  db: Db,
  { actor, action, object, from, to }: AuditFilters,
  place: { after?: string | undefined; limit?: number | undefined } = {},
): AsyncGenerator<AuditAct[]> => {
  const form = { hasActor: actor !== undefined, hasAction: action !== undefined, hasObject: object !== undefined }
  const values = { actor, action, object, since: from ? idAt(from) : '' }
  const before = to ? idAt(to) : end
  const start = place.after !== undefined && place.after < before ? place.after : before
  const read = async ({ after, limit }: { after: string; limit: number }) => {
    const asked = await readAsked(db, form, { ...values, after, limit })
    return await withAnswers(db, asked)
  }
  return inChunks(read, { size: chunkRows, start, keyOf: ({ id }) => id, limit: place.limit })
}

/** After all ids. */
const end = 'g'

/** The lowest UUID v7 of a time. */
const idAt = (at: Date): string => {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-`
}

type Form = { hasActor: boolean; hasAction: boolean; hasObject: boolean }
type Place = { after: string; limit: number; since: string }

/** The request rows of actions. Those of an object are scanned in parts: there may be a million. */
function readAsked(db: Db, form: Form, values: Place & Record<string, unknown>): Promise<AuditRow[]> {
  if (!form.hasObject) return askedRows(form)(db).execute({ ...values, until: values.since })
  const { after, limit, since } = values
  const inParts = {
    order: 'desc' as const,
    end: async (place: { after: string; skip: number }) =>
      (await endOfPart(db).execute({ ...values, ...place }))[0]?.actId,
    page: (place: { after: string; until: string; limit: number }) =>
      askedRows(form)(db).execute({
        ...values,
        ...place,
        until: lastWithin('desc', place.until, { from: since }),
        objectRows: 2 * place.limit,
      }),
  }
  return readWindows(inParts, { after, limit, offset: 0 })
}

const actsOfObject = (db: Db) =>
  db
    .select({ actId: auditTrail.actId })
    .from(auditTrail)
    .where(
      and(
        eq(auditTrail.object, param('object')),
        lt(auditTrail.actId, param('after')),
        gte(auditTrail.actId, param('until')),
      ),
    )
    .orderBy(desc(auditTrail.actId))

/** An action has at most two rows: this many rows of an object contain a page of actions, without other filters. */
const newestOfObject = (db: Db) => actsOfObject(db).limit(param('objectRows'))

/** The action `skip` rows after the next one of an object. */
const endOfPart = prepared((db) =>
  db
    .select({ actId: auditTrail.actId })
    .from(auditTrail)
    .where(
      and(
        eq(auditTrail.object, param('object')),
        lt(auditTrail.actId, param('after')),
        gte(auditTrail.actId, param('since')),
      ),
    )
    .orderBy(desc(auditTrail.actId))
    .limit(1)
    .offset(param('skip')),
)

const askedRows = variants(({ hasActor, hasAction, hasObject }: Form) => (db) => {
  const ofObject = hasActor || hasAction ? actsOfObject(db) : newestOfObject(db)
  // The `+` keeps the database from using any index but the object's.
  const [actor, action] = hasObject
    ? [sql`+${auditTrail.actor}`, sql`+${auditTrail.action}`]
    : [sql`${auditTrail.actor}`, sql`${auditTrail.action}`]
  return db
    .select()
    .from(auditTrail)
    .where(
      and(
        eq(auditTrail.step, 'asked'),
        lt(auditTrail.actId, param('after')),
        gte(auditTrail.actId, param('until')),
        hasActor ? sql`${actor} = ${param('actor')}` : undefined,
        hasAction ? sql`${action} = ${param('action')}` : undefined,
        hasObject ? inArray(auditTrail.actId, ofObject) : undefined,
      ),
    )
    .orderBy(desc(auditTrail.actId))
    .limit(param('limit'))
})

const answersOf = variants(
  ({ size }: { size: number }) =>
    (db) =>
      db
        .select()
        .from(auditTrail)
        .where(and(inArray(auditTrail.actId, listParams('id', size)), eq(auditTrail.step, 'answered'))),
)

async function withAnswers(db: Db, asked: readonly AuditRow[]): Promise<AuditAct[]> {
  if (asked.length === 0) return []
  const ids = asked.map(({ actId }) => actId)
  const answers = await answersOf({ size: listSize(ids) })(db).execute(listValues('id', ids))
  const byAct = new Map(answers.map((answer) => [answer.actId, answer]))
  return asked.map((row) => toAct(row, byAct.get(row.actId)))
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
