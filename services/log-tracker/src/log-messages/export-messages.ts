import { and, type Db, desc, eq, inChunks, param, sql, variants } from '@bursar/store'
import { countByBlock, readBlocksIn } from './count-messages'
import { toFilter, toSpan } from './log-messages'
import type { ExportQuery, LogMessage } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { inSpan, isOfWantedSeries, type Span } from './message-filter'
import { toLogMessage } from './read-messages'
import { isOfSubject, type Subject } from './read-of-subject'

const chunk = 1000

/** All messages that a query selects, the newest first, a chunk at a time. Fails (400) as the list does. */
export function exportMessages(db: Db, query: ExportQuery): AsyncGenerator<LogMessage[]> {
  const { requestId, transactionId } = query
  const span = toSpan(query)
  const wanted = { ...toFilter(query), requestId, transactionId }
  if (transactionId !== undefined) return messagesIn(db, 'transaction', wanted, span)
  return requestId === undefined ? alongBlocks(db, wanted, span) : messagesIn(db, 'request', wanted, span)
}

type Wanted = ReturnType<typeof toFilter> & Pick<ExportQuery, 'requestId' | 'transactionId'>

/** Passes over the blocks of time that have nothing wanted: no chunk is looked for in more than one of them. */
async function* alongBlocks(db: Db, wanted: Wanted, span: Span): AsyncGenerator<LogMessage[]> {
  const blocks = await readBlocksIn(db, span)
  const counts = await countByBlock(db, wanted, blocks)
  for (const [i, block] of [...blocks.entries()].reverse()) if (counts[i]) yield* messagesIn(db, 'any', wanted, block)
}

async function* messagesIn(
  db: Db,
  subject: Subject | 'any',
  wanted: Wanted,
  { from, to }: Span,
): AsyncGenerator<LogMessage[]> {
  const chunks = inChunks(
    ({ after, limit }) => newestBefore({ subject })(db).execute({ ...wanted, ...after, from, to, limit }),
    {
      size: chunk,
      start: { beforeTime: to, beforeSeq: 0 },
      keyOf: ({ log_messages: { timestamp, seq } }) => ({ beforeTime: timestamp, beforeSeq: seq }),
    },
  )
  for await (const rows of chunks) yield rows.map((row) => toLogMessage(row.log_messages, row.log_series))
}

const before = sql`(${logMessages.timestamp}, ${logMessages.seq}) < (${sql.param(param('beforeTime'), logMessages.timestamp)}, ${param('beforeSeq')})`

const newestBefore = variants(
  ({ subject }: { subject: Subject | 'any' }) =>
    (db) =>
      db
        .select()
        .from(logMessages)
        .innerJoin(logSeries, eq(logSeries.id, sql`+${logMessages.seriesId}`))
        .where(
          and(
            subject === 'any' ? undefined : isOfSubject[subject],
            inSpan(logMessages.timestamp),
            before,
            isOfWantedSeries(db),
          ),
        )
        .orderBy(desc(logMessages.timestamp), desc(logMessages.seq))
        .limit(param('limit')),
)
