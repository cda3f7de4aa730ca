import {
  asc,
  bytesOf,
  deleteAll,
  deleteBy,
  eq,
  lt,
  param,
  prepared,
  type Retained,
  sql,
  type Tx,
  unindexed,
} from '@bursar/store'
import { logMessages, logSeries } from './log-messages.table'
import { toLogMessage } from './read-messages'
import { uncountInBlocks } from './time-blocks'

interface Row {
  message: typeof logMessages.$inferSelect
  series: typeof logSeries.$inferSelect
}

/** Log messages leave by their own time, with their part of all counts. */
export const retainedMessages: Retained<Row> = {
  table: 'log_messages',
  oldest: (db, given) => oldest(db).execute(given),
  sizes: (db, given) => oldestSizes(db).execute(given),
  named: ({ message }) => ({ at: message.timestamp, key: String(message.seq) }),
  archived: ({ message, series }) => toLogMessage(message, series),
  async remove(tx, rows) {
    const gone = await removeAll(
      tx,
      rows.map(({ message }) => message.seq),
    )
    // One that is gone already must not be taken out of the counts again.
    if (gone !== rows.length) throw new Error('A message to delete is gone already')
    await uncountInSeries(tx, rows)
    await uncountInBlocks(
      tx,
      rows.map(({ message, series: { service, eventType, status } }) => ({
        timestamp: message.timestamp,
        names: { service, eventType, status },
        key: String(message.seriesId),
      })),
    )
    return gone
  },
}

/** A combination of names of which no message is left is no name of any list. */
async function uncountInSeries(tx: Tx, rows: readonly Row[]): Promise<void> {
  for (const [id, some] of Map.groupBy(rows, ({ series }) => series.id)) {
    const [left] = await takeFromSeries(tx).execute({ id, messages: some.length })
    if (left?.messages === 0) await removeSeries(tx).execute({ id })
  }
}

const oldest = prepared((db) =>
  db
    .select({ message: logMessages, series: logSeries })
    .from(logMessages)
    .innerJoin(logSeries, eq(logSeries.id, unindexed(logMessages.seriesId)))
    .where(lt(logMessages.timestamp, param('before')))
    .orderBy(asc(logMessages.timestamp), asc(logMessages.seq))
    .limit(param('limit')),
)
const oldestSizes = prepared((db) =>
  db
    .select({ bytes: bytesOf(logMessages.metadata) })
    .from(logMessages)
    .where(lt(logMessages.timestamp, param('before')))
    .orderBy(asc(logMessages.timestamp), asc(logMessages.seq))
    .limit(param('limit')),
)
const removeAll = deleteAll(logMessages, 'seq')
const takeFromSeries = prepared((db) =>
  db
    .update(logSeries)
    .set({ messages: sql`${logSeries.messages} - ${param('messages')}` })
    .where(eq(logSeries.id, param('id')))
    .returning({ messages: logSeries.messages }),
)
const removeSeries = deleteBy(logSeries, 'id')
