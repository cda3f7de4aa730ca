import {
  and,
  asc,
  count,
  type Db,
  deleteBy,
  eq,
  gt,
  gte,
  insertInto,
  lte,
  param,
  prepared,
  sql,
  type Tx,
} from '@bursar/store'
import { combinationsOf, type Names } from './combinations'
import { logMessages, logSeries, timeBlockCounts, timeBlocks } from './log-messages.table'
import { always, inSpan, isItsSeries, type Span } from './message-filter'

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

interface Counted {
  timestamp: Date
  names: Names
  /** Of the names. */
  key: string
}

/** Counts inserted messages. A block splits at `splitAt` messages; tests pass fewer. */
export async function countInBlocks(tx: Tx, messages: readonly Counted[], splitAt = mostMessages): Promise<void> {
  for (const { start, together, alike } of await inTheirBlocks(tx, messages)) {
    for (const some of alike) {
      await addToCounts(tx).execute({ ...(some[0] as Counted).names, block: start, messages: some.length })
    }
    const [counted] = await addToBlock(tx).execute({ start, messages: together })
    if (!counted) throw new Error('There is no block to count messages in')
    const before = counted.messages - together
    if (triesAt(counted.messages, splitAt) > triesAt(before, splitAt)) await splitBlock(tx, counted)
  }
}

/**
 * Takes deleted messages out of the counts. They are the oldest ones: a first block that none is left of becomes one with the
 * next.
 */
export async function uncountInBlocks(tx: Tx, messages: readonly Counted[]): Promise<void> {
  for (const { start, together, alike } of await inTheirBlocks(tx, messages)) {
    for (const some of alike) {
      for (const combination of combinationsOf((some[0] as Counted).names)) {
        await takeFromCount(tx).execute({ ...combination, block: start, messages: some.length })
      }
    }
    await addToBlock(tx).execute({ start, messages: -together })
    await removeEmptyCounts(tx).execute({ block: start })
  }
  while (await joinFirstBlocks(tx)) {}
}

/** Each block that messages are in, with their number, and those of the same names together. */
async function inTheirBlocks(tx: Tx, messages: readonly Counted[]) {
  const starts = await startsFor(
    tx,
    messages.map(({ timestamp }) => timestamp),
  )
  const blocks = Map.groupBy(messages, ({ timestamp }) => starts.findLast((at) => at <= +timestamp) as number)
  return [...blocks].map(([start, inside]) => ({
    start: new Date(start),
    together: inside.length,
    alike: [...Map.groupBy(inside, ({ key }) => key).values()],
  }))
}

/** False when the first block has messages, or is the only one. */
async function joinFirstBlocks(tx: Tx): Promise<boolean> {
  const [first, next] = await firstBlocks(tx).execute()
  if (!first || first.messages > 0 || !next) return false
  await moveCounts(tx).execute({ from: next.start, to: first.start })
  await removeBlock(tx).execute({ start: next.start })
  await addToBlock(tx).execute({ start: first.start, messages: next.messages })
  return true
}

/** How often a block of so many messages has come to be split. */
const triesAt = (messages: number, splitAt: number): number =>
  Math.max(0, Math.floor((messages - splitAt) / tryAgainEvery) + 1)

/** The starts of the blocks that these times are in, and of those between them, in order. */
async function startsFor(tx: Tx, times: readonly Date[]): Promise<number[]> {
  const all = times.map(Number)
  const [from, to] = [new Date(Math.min(...all)), new Date(Math.max(...all))]
  const known = await startsBetween(tx).execute({ from, to })
  if (known.length > 0) return known.map(({ start }) => +start)
  await insertBlock(tx).execute({ start: always.from, messages: 0 })
  return [+always.from]
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
  await addToBlock(tx).execute({ start: block.start, messages: -moved })
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
const startBefore = sql`(select max(${timeBlocks.start}) from ${timeBlocks} where ${lte(timeBlocks.start, param('from'))})`
const startsBetween = prepared((db) =>
  db
    .select({ start: timeBlocks.start })
    .from(timeBlocks)
    .where(and(gte(timeBlocks.start, startBefore), lte(timeBlocks.start, param('to'))))
    .orderBy(asc(timeBlocks.start)),
)
const addToBlock = prepared((db) =>
  db
    .update(timeBlocks)
    .set({ messages: sql`${timeBlocks.messages} + ${param('messages')}` })
    .where(eq(timeBlocks.start, param('start')))
    .returning(),
)
const insertBlock = insertInto(timeBlocks)
const removeBlock = deleteBy(timeBlocks, 'start')
const firstBlocks = prepared((db) => db.select().from(timeBlocks).orderBy(asc(timeBlocks.start)).limit(2))
const removeEmptyCounts = deleteBy(timeBlockCounts, 'block', eq(timeBlockCounts.messages, 0))
const moveCounts = prepared((db) =>
  db
    .update(timeBlockCounts)
    .set({ block: param('to') })
    .where(eq(timeBlockCounts.block, param('from'))),
)

const names = { service: param('service'), eventType: param('eventType'), status: param('status') }
const addToCounts = prepared((db) =>
  db
    .insert(timeBlockCounts)
    .values(
      combinationsOf<ReturnType<typeof param>>(names).map((combination) => ({
        ...combination,
        block: param('block'),
        messages: param('messages'),
      })),
    )
    .onConflictDoUpdate({
      target: [timeBlockCounts.block, timeBlockCounts.service, timeBlockCounts.eventType, timeBlockCounts.status],
      set: { messages: sql`${timeBlockCounts.messages} + excluded.messages` },
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
    .innerJoin(logSeries, isItsSeries)
    .where(inSpan(logMessages.timestamp))
    .groupBy(logSeries.id),
)
