import { and, asc, type Db, desc, eq, gte, inChunks, lt, nextTurn, param, prepared, sql, variants } from '@bursar/store'
import { nameOf } from './combinations'
import type { LogMessage, SortKey, SortOrder } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { type SeriesFilter, type Span, seriesIsWanted } from './message-filter'
import { messagesAt } from './read-messages'

// An index finds the messages of a request or a transaction, usually some dozens. Their number is unbounded, so they
// are read in parts, and other requests are answered in between.

/** Messages scanned by one statement. */
const partRows = 4000
/** The maximum number of values in a statement. */
const chunkRows = 100

/** The messages of a request, of a transaction, or of both, that match the filter. At least one of the two is given. */
export interface Subject extends SeriesFilter, Span {
  requestId?: string | undefined
  transactionId?: string | undefined
}
type Paging = { sort: SortKey; order: SortOrder; limit: number; offset: number }

/** A page of a subject's messages, and their total. `offset` counts messages; `rows` is for tests. */
export async function readOfSubject(
  db: Db,
  subject: Subject,
  { sort, order, limit, offset }: Paging,
  rows?: number,
): Promise<{ messages: LogMessage[]; total: number }> {
  const compare = byName(order)
  const end = limit === 0 ? 0 : offset + limit
  let first: Place[] = []
  let total = 0
  for await (const places of partsOf(db, subject, { sort, order }, rows)) {
    total += places.length
    first = merged(first, places.sort(compare), compare, end)
  }
  return { messages: await messagesAt(db, first.slice(offset)), total }
}

/** All of a subject's messages, newest first, in chunks. */
export async function* exportOfSubject(db: Db, subject: Subject): AsyncGenerator<LogMessage[]> {
  for await (const places of partsOf(db, subject, { sort: 'timestamp', order: 'desc' })) {
    for (let i = 0; i < places.length; i += chunkRows) yield await messagesAt(db, places.slice(i, i + chunkRows))
  }
}

/** The position of a message, and the name that it is sorted by. */
interface Place {
  seq: number
  name: string
}

/** The messages in the order of time. */
async function* partsOf(
  db: Db,
  { requestId, transactionId, from, to, ...filter }: Subject,
  { sort, order }: Pick<Paging, 'sort' | 'order'>,
  size = partRows,
): AsyncGenerator<Place[]> {
  const series = new Map((await wantedSeries(db).execute({ ...filter })).map((row) => [row.id, row]))
  const isOfRequest = requestId !== undefined
  const byRequest = sort === 'request_id' && !isOfRequest
  const ofBoth = isOfRequest && transactionId !== undefined
  const read = placesOf({ subject: isOfRequest ? 'request' : 'transaction', order, withOther: byRequest || ofBoth })(db)
  const [start, end] = order === 'asc' ? [from, to] : [to, from]
  const parts = inChunks(({ after, limit }) => read.execute({ ...after, id: requestId ?? transactionId, end, limit }), {
    size,
    start: { time: start, seq: 0 },
    keyOf: ({ time, seq }) => ({ time, seq }),
  })
  for await (const rows of parts) {
    const places: Place[] = []
    for (const { seq, seriesId, other } of rows) {
      const names = series.get(seriesId)
      if (!names || (ofBoth && other !== transactionId)) continue
      const isNamed = sort !== 'timestamp' && sort !== 'request_id'
      places.push({ seq, name: isNamed ? names[nameOf[sort]] : byRequest ? (other ?? '') : '' })
    }
    yield places
    await nextTurn()
  }
}

/** By name, in the direction of the order; ties keep their order by time. */
const byName =
  (order: SortOrder) =>
  ({ name: a }: Place, { name: b }: Place): number =>
    a === b ? 0 : a < b === (order === 'asc') ? -1 : 1

/** The first `most` items of two merged sorted lists; on ties those of `before` come first. */
function merged(before: Place[], after: Place[], compare: ReturnType<typeof byName>, most: number): Place[] {
  const first: Place[] = []
  let [i, j] = [0, 0]
  while (first.length < most) {
    const [one, other] = [before[i], after[j]]
    const next = one && (!other || compare(one, other) <= 0) ? one : other
    if (!next) break
    if (next === one) i++
    else j++
    first.push(next)
  }
  return first
}

const wantedSeries = prepared((db) => db.select().from(logSeries).where(seriesIsWanted))

const subjects = {
  request: { is: eq(logMessages.requestId, param('id')), other: logMessages.transactionId },
  transaction: { is: eq(logMessages.transactionId, param('id')), other: logMessages.requestId },
}
const key = sql`(${logMessages.timestamp}, ${logMessages.seq})`
const after = sql`(${param('time')}, ${param('seq')})`

const placesOf = variants(
  ({ subject, order, withOther }: { subject: keyof typeof subjects; order: SortOrder; withOther: boolean }) => {
    const { is, other } = subjects[subject]
    const inDirection = order === 'asc' ? asc : desc
    return (db) =>
      db
        .select({
          seq: logMessages.seq,
          time: logMessages.timestamp,
          seriesId: logMessages.seriesId,
          // Not in the index: the row itself has to be read.
          other: withOther ? sql<string | null>`${other}` : sql<null>`null`,
        })
        .from(logMessages)
        .where(
          order === 'asc'
            ? and(is, sql`${key} > ${after}`, lt(logMessages.timestamp, param('end')))
            : and(is, sql`${key} < ${after}`, gte(logMessages.timestamp, param('end'))),
        )
        .orderBy(inDirection(logMessages.timestamp), inDirection(logMessages.seq))
        .limit(param('limit'))
  },
)
