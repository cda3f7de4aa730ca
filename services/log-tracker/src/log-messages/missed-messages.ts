import { and, asc, type Db, desc, gt, lte, param, prepared, sql, unindexed } from '@bursar/store'
import { toFilter } from './log-messages'
import type { LogMessage, MessageFilter } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { isItsSeries, seriesIsWanted } from './message-filter'
import { toLogMessage } from './read-messages'

/** The messages that a reader missed since its last one. */
export interface Missed {
  /** The newest of them, in the order of arrival. */
  messages: LogMessage[]
  /** Why some are missing: `unknown`: the last message does not exist; `too many`; null when complete. */
  gap: 'unknown' | 'too many' | null
}

/**
 * How many messages are searched, matching or not; how many are returned at most; and their maximum JSON of metadata.
 */
const missedLimits = { scanned: 10_000, messages: 1000, bytes: 512 * 1024 }

/**
 * The messages that arrived after `lastId` and pass the filter: bounded, so that a long absence does not block others.
 */
export async function missedSince(
  db: Db,
  lastId: string,
  filter: MessageFilter,
  limits = missedLimits,
): Promise<Missed> {
  const [newest] = await rowUpTo(db).execute({ seq: Number.MAX_SAFE_INTEGER })
  const last = newest && (await seqOf(db, lastId.toLowerCase(), newest.seq))
  if (!newest || last === undefined) return { messages: [], gap: 'unknown' }
  const wanted = { ...toFilter(filter), requestId: filter.requestId, transactionId: filter.transactionId }
  const floor = Math.max(last, newest.seq - limits.scanned)
  const sizes = await sizesAfter(db).execute({ ...wanted, after: floor, upTo: newest.seq, limit: limits.messages + 1 })
  const { after, isWhole } = newestWithin(sizes, floor, limits)
  const rows = await rowsAfter(db).execute({ ...wanted, after, upTo: newest.seq })
  return {
    messages: rows.map(toLogMessage),
    gap: isWhole && floor === last ? null : 'too many',
  }
}

/** The `seq` after which the newest messages fit the limit; `sizes` are newest first. */
function newestWithin(
  sizes: readonly { seq: number; bytes: number }[],
  floor: number,
  limits: Pick<typeof missedLimits, 'messages' | 'bytes'>,
) {
  let bytes = 0
  for (const [i, row] of sizes.entries()) {
    bytes += row.bytes
    if (i >= limits.messages || bytes > limits.bytes) return { after: row.seq, isWhole: false }
  }
  return { after: floor, isWhole: true }
}

/**
 * The position of a message, found by bisection in about twenty steps: ids are UUID v7 in order of arrival, so
 * no index is needed. A clock that was set back hides a message, and the reader is told of a gap.
 */
async function seqOf(db: Db, id: string, newest: number): Promise<number | undefined> {
  let [low, high] = [0, newest]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [row] = await rowUpTo(db).execute({ seq: middle })
    if (row && row.id > id) high = row.seq - 1
    else low = middle
  }
  const [row] = await rowUpTo(db).execute({ seq: low })
  return row?.id === id ? row.seq : undefined
}

const rowUpTo = prepared((db) =>
  db
    .select({ seq: logMessages.seq, id: logMessages.id })
    .from(logMessages)
    .where(lte(logMessages.seq, param('seq')))
    .orderBy(desc(logMessages.seq))
    .limit(1),
)

const isWanted = and(
  gt(logMessages.seq, param('after')),
  lte(logMessages.seq, param('upTo')),
  seriesIsWanted,
  sql`(cast(${param('requestId')} as text) is null or ${unindexed(logMessages.requestId)} = ${param('requestId')})`,
  sql`(cast(${param('transactionId')} as text) is null or ${unindexed(logMessages.transactionId)} = ${param('transactionId')})`,
)

const sizesAfter = prepared((db) =>
  db
    .select({ seq: logMessages.seq, bytes: sql<number>`length(${logMessages.metadata})`.mapWith(Number) })
    .from(logMessages)
    .innerJoin(logSeries, isItsSeries)
    .where(isWanted)
    .orderBy(desc(logMessages.seq))
    .limit(param('limit')),
)
const rowsAfter = prepared((db) =>
  db.select().from(logMessages).innerJoin(logSeries, isItsSeries).where(isWanted).orderBy(asc(logMessages.seq)),
)
