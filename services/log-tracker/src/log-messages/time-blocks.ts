import { and, asc, count, type Db, eq, gt, insertInto, param, prepared, sql, type Tx, unindexed } from '@bursar/store'
import { combinationsOf, type Names } from './combinations'
import { logMessages, logSeries, timeBlockCounts, timeBlocks } from './log-messages.table'
import { always, inSpan, type Span } from './message-filter'

// Why this is no `defineSortedList`: totals are exact and `offset` counts pages, so any page may be asked for. In an index of
// 1,000,000 rows (measured on the main API's payments) a count by a filter takes 56 ms and passing by 900,000 takes 67 ms,
// where a page may take 20. So messages are counted as they come, in blocks of time that hold about equally many, whether a
// block spans a second or a year: what a span holds is then the sum over the whole blocks in it and what an index counts in
// the two that it cuts.

/** A block that reaches this many messages is split in two. */
const mostMessages = 16_384
/** A block whose messages are all of one millisecond cannot be split; it is not retried at each message. */
const tryAgainEvery = 1024

export interface TimeBlock extends Span {
  messages: number
}

/** All blocks, the earliest first. Together they cover all time; there is none before the first message. */
export async function readTimeBlocks(db: Db): Promise<TimeBlock[]> {
  const rows = await allBlocks(db).execute()
  return rows.map(({ start, messages }, i) => ({ from: start, to: rows[i + 1]?.start ?? always.to, messages }))
}

/** Counts an inserted message. A block splits at `splitAt` messages; tests pass fewer. */
export async function countInBlock(
  tx: Tx,
  { timestamp, ...names }: Names & { timestamp: Date },
  splitAt = mostMessages,
): Promise<void> {
  let [block] = await addToBlock(tx).execute({ timestamp })
  if (!block) {
    block = { start: always.from, messages: 1 }
    await insertBlock(tx).execute(block)
  }
  await addToCounts(tx).execute({ ...names, block: block.start })
  const excess = block.messages - splitAt
  if (excess >= 0 && excess % tryAgainEvery === 0) await splitBlock(tx, block)
}

/** Moves the later half of a block's messages into a new block. */
async function splitBlock(tx: Tx, block: { start: Date; messages: number }): Promise<void> {
  const [next] = await nextStart(tx).execute({ start: block.start })
  const span = { from: block.start, to: next?.start ?? always.to }
  const start = await laterHalf(tx, span, block.messages)
  if (!start) return
  let moved = 0
  const counts = new Map<string, Names & { messages: number }>()
  for (const { messages, ...names } of await countsIn(tx).execute({ from: start, to: span.to })) {
    moved += messages
    for (const combination of combinationsOf(names)) {
      const key = JSON.stringify(combination)
      counts.set(key, { ...combination, messages: messages + (counts.get(key)?.messages ?? 0) })
    }
  }
  for (const part of counts.values()) {
    await takeFromCount(tx).execute({ ...part, block: block.start })
    await insertCount(tx).execute({ ...part, block: start })
  }
  await takeFromBlock(tx).execute({ start: block.start, messages: moved })
  await insertBlock(tx).execute({ start, messages: moved })
}

/** The time of the median message of the block; undefined when all messages are at its start. */
async function laterHalf(tx: Tx, span: Span, messages: number): Promise<Date | undefined> {
  const [middle] = await nthTimestamp(tx).execute({ ...span, offset: Math.floor(messages / 2) })
  if (middle && middle.timestamp > span.from) return middle.timestamp
  const [later] = await nthTimestamp(tx).execute({ from: new Date(+span.from + 1), to: span.to, offset: 0 })
  return later?.timestamp
}

const allBlocks = prepared((db) => db.select().from(timeBlocks).orderBy(asc(timeBlocks.start)))
const nextStart = prepared((db) =>
  db
    .select({ start: timeBlocks.start })
    .from(timeBlocks)
    .where(gt(timeBlocks.start, param('start')))
    .orderBy(asc(timeBlocks.start))
    .limit(1),
)
const moment = sql.param(param('timestamp'), timeBlocks.start)
const startBefore = sql`(select max(${timeBlocks.start}) from ${timeBlocks} where ${timeBlocks.start} <= ${moment})`
const addToBlock = prepared((db) =>
  db
    .update(timeBlocks)
    .set({ messages: sql`${timeBlocks.messages} + 1` })
    .where(eq(timeBlocks.start, startBefore))
    .returning(),
)
const takeFromBlock = prepared((db) =>
  db
    .update(timeBlocks)
    .set({ messages: sql`${timeBlocks.messages} - ${param('messages')}` })
    .where(eq(timeBlocks.start, param('start'))),
)
const insertBlock = insertInto(timeBlocks)

const names = { service: param('service'), eventType: param('eventType'), status: param('status') }
const addToCounts = prepared((db) =>
  db
    .insert(timeBlockCounts)
    .values(
      combinationsOf<ReturnType<typeof param>>(names).map((combination) => ({
        ...combination,
        block: param('block'),
        messages: 1,
      })),
    )
    .onConflictDoUpdate({
      target: [timeBlockCounts.block, timeBlockCounts.service, timeBlockCounts.eventType, timeBlockCounts.status],
      set: { messages: sql`${timeBlockCounts.messages} + 1` },
    }),
)
const takeFromCount = prepared((db) =>
  db
    .update(timeBlockCounts)
    .set({ messages: sql`${timeBlockCounts.messages} - ${param('messages')}` })
    .where(
      and(
        eq(timeBlockCounts.block, param('block')),
        eq(timeBlockCounts.service, param('service')),
        eq(timeBlockCounts.eventType, param('eventType')),
        eq(timeBlockCounts.status, param('status')),
      ),
    ),
)
const insertCount = insertInto(timeBlockCounts)

const nthTimestamp = prepared((db) =>
  db
    .select({ timestamp: logMessages.timestamp })
    .from(logMessages)
    .where(inSpan(logMessages.timestamp))
    .orderBy(asc(logMessages.timestamp))
    .limit(1)
    .offset(param('offset')),
)
const countsIn = prepared((db) =>
  db
    .select({
      service: logSeries.service,
      eventType: logSeries.eventType,
      status: logSeries.status,
      messages: count(),
    })
    .from(logMessages)
    .innerJoin(logSeries, eq(logSeries.id, unindexed(logMessages.seriesId)))
    .where(inSpan(logMessages.timestamp))
    .groupBy(logSeries.id),
)
