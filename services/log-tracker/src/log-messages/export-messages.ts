import { and, type Db, desc, inChunks, param, prepared, sql } from '@bursar/store'
import { countByBlock, readBlocksIn } from './count-messages'
import { toFilter, toSpan } from './log-messages'
import type { ExportQuery, LogMessage } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { inSpan, isItsSeries, isOfWantedSeries, type SeriesFilter, type Span } from './message-filter'
import { toLogMessage } from './read-messages'
import { exportOfSubject } from './read-of-subject'

const chunk = 1000

/** All messages that a query selects, newest first, in chunks. Fails (400) as the list does. */
export function exportMessages(db: Db, query: ExportQuery): AsyncGenerator<LogMessage[]> {
  const { requestId, transactionId } = query
  const span = toSpan(query)
  const filter = toFilter(query)
  if (requestId === undefined && transactionId === undefined) return alongBlocks(db, filter, span)
  return exportOfSubject(db, { requestId, transactionId, ...filter, ...span })
}

/** Skips time blocks without a match: each chunk is read from one block. */
async function* alongBlocks(db: Db, filter: SeriesFilter, span: Span): AsyncGenerator<LogMessage[]> {
  const blocks = await readBlocksIn(db, span)
  const counts = await countByBlock(db, filter, blocks)
  for (const [i, block] of [...blocks.entries()].reverse()) if (counts[i]) yield* messagesIn(db, filter, block)
}

async function* messagesIn(db: Db, filter: SeriesFilter, { from, to }: Span): AsyncGenerator<LogMessage[]> {
  const chunks = inChunks(({ after, limit }) => newestBefore(db).execute({ ...filter, ...after, from, to, limit }), {
    size: chunk,
    start: { beforeTime: to, beforeSeq: 0 },
    keyOf: ({ log_messages: { timestamp, seq } }) => ({ beforeTime: timestamp, beforeSeq: seq }),
  })
  for await (const rows of chunks) yield rows.map(toLogMessage)
}

const before = sql`(${logMessages.timestamp}, ${logMessages.seq}) < (${param('beforeTime')}, ${param('beforeSeq')})`

const newestBefore = prepared((db) =>
  db
    .select()
    .from(logMessages)
    .innerJoin(logSeries, isItsSeries)
    .where(and(inSpan(logMessages.timestamp), before, isOfWantedSeries(db)))
    .orderBy(desc(logMessages.timestamp), desc(logMessages.seq))
    .limit(param('limit')),
)
