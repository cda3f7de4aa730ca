import { asc, bytesOf, deleteAll, deleteBy, eq, lt, param, prepared, type Retained, sql, type Tx } from '@bursar/store'
import { logMessages, logSeries } from './log-messages.table'
import { isItsSeries } from './message-filter'
import { type MessageRow, toLogMessage } from './read-messages'
import { uncountInBlocks } from './time-blocks'

/** Log messages leave by their own time, with their part of all counts. */
export const retainedMessages: Retained<MessageRow> = {
  table: 'log_messages',
  oldest: (db, given) => oldest(db).execute(given),
  sizes: (db, given) => oldestSizes(db).execute(given),
  named: ({ log_messages: { timestamp, seq } }) => ({ at: timestamp, key: String(seq) }),
  archived: toLogMessage,
  async remove(tx, rows) {
    const gone = await removeAll(
      tx,
      rows.map((row) => row.log_messages.seq),
    )
    // One that is gone already must not be taken out of the counts again.
    if (gone !== rows.length) throw new Error('A message to delete is gone already')
    await uncountInSeries(tx, rows)
    await uncountInBlocks(
      tx,
      rows.map(({ log_messages: { timestamp, seriesId }, log_series: { service, eventType, status } }) => ({
        timestamp,
        names: { service, eventType, status },
        key: String(seriesId),
      })),
    )
    return gone
  },
}

/** A combination of names of which no message is left is no name of any list. */
async function uncountInSeries(tx: Tx, rows: readonly MessageRow[]): Promise<void> {
  for (const [id, some] of Map.groupBy(rows, (row) => row.log_series.id)) {
    const [left] = await takeFromSeries(tx).execute({ id, messages: some.length })
    if (left?.messages === 0) await removeSeries(tx).execute({ id })
  }
}

const oldest = prepared((db) =>
  db
    .select()
    .from(logMessages)
    .innerJoin(logSeries, isItsSeries)
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
