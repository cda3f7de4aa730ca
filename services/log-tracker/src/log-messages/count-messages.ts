import { and, count, type Db, eq, param, prepared, sql, variants } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { combinationFor, type Names } from './combinations'
import { logMessages, logSeries, timeBlockCounts, timeBlocks } from './log-messages.table'
import {
  excludedTypes,
  inSpan,
  isAlways,
  isItsSeries,
  isOfWantedSeries,
  type SeriesFilter,
  type Span,
  seriesIsWanted,
  takesAllNames,
} from './message-filter'
import { readTimeBlocks, type TimeBlock } from './time-blocks'

/** A time block, or the part of it that a span covers. */
export interface CutBlock extends TimeBlock {
  /** False when the span covers a part only; `messages` is still the count of the whole block. */
  isWhole: boolean
}

/** A value of one of the three names, with its number of messages. */
interface NameCount {
  value: string
  messages: number
}

export const sumOf = (parts: readonly { messages: number }[]): number =>
  parts.reduce((sum, { messages }) => sum + messages, 0)

/** The blocks, or parts of them, of a span, earliest first. */
export async function readBlocksIn(db: Db, span: Span): Promise<CutBlock[]> {
  const blocks = await readTimeBlocks(db)
  return blocks
    .map((block) => {
      const from = Math.max(+block.from, +span.from)
      const to = Math.min(+block.to, +span.to)
      const isWhole = from === +block.from && to === +block.to
      return { from: new Date(from), to: new Date(to), messages: block.messages, isWhole }
    })
    .filter(({ from, to }) => from < to)
}

/** The number of matching messages in a span: exact, and fast for any number. */
export async function countMessages(db: Db, filter: SeriesFilter, span: Span): Promise<number> {
  if (isAlways(span)) return sumOf(await allCount(db).execute({ ...filter }))
  const counts = await countByBlock(db, filter, await readBlocksIn(db, span))
  return counts.reduce((sum, messages) => sum + messages, 0)
}

/** The number of matching messages of each of these neighbouring blocks, in their order. */
export async function countByBlock(db: Db, filter: SeriesFilter, blocks: readonly CutBlock[]): Promise<number[]> {
  const counts = await countWholeBlocks(db, filter, wholeOnes(blocks))
  return Promise.all(
    blocks.map(async ({ from, to, isWhole }) =>
      isWhole ? (counts.get(+from) ?? 0) : sumOf(await exactCount(db).execute({ ...filter, from, to })),
    ),
  )
}

/** By block start. Blocks are counted by names; excluded types are subtracted. */
async function countWholeBlocks(db: Db, filter: SeriesFilter, blocks: readonly CutBlock[]) {
  const counts = new Map<number, number>()
  const inside = spanOf(blocks)
  if (!inside || selectsNothing(filter)) return counts
  const rowsOf = (names: SeriesFilter) => blockCounts(db).execute({ ...combinationFor(names), ...inside })
  if (takesAllNames(filter)) for (const { from, messages } of blocks) counts.set(+from, messages)
  else for (const { block, messages } of await rowsOf(filter)) counts.set(+block, messages)
  for (const eventType of takenOff(filter)) {
    for (const { block, messages } of await rowsOf({ ...filter, eventType })) {
      counts.set(+block, (counts.get(+block) ?? 0) - messages)
    }
  }
  return counts
}

const selectsNothing = (filter: SeriesFilter) =>
  filter.eventType !== null && excludedTypes(filter).includes(filter.eventType)
/** The excluded types that the counts by the filter's names include. */
const takenOff = (filter: SeriesFilter) => (filter.eventType === null ? excludedTypes(filter) : [])

/** The matching messages of a span, by value of a name. */
export async function countByName(db: Db, name: keyof Names, filter: SeriesFilter, span: Span): Promise<NameCount[]> {
  const { [name]: only } = filter
  if (only !== null) return [{ value: only, messages: await countMessages(db, filter, span) }]
  if (isAlways(span)) return await countOfAll({ name })(db).execute({ ...filter })
  const blocks = await readBlocksIn(db, span)
  const inside = spanOf(wholeOnes(blocks))
  const parts = inside ? await countNameInWhole(db, name, filter, inside) : []
  for (const { from, to, isWhole } of blocks) {
    if (!isWhole) parts.push(await countExactly({ name })(db).execute({ ...filter, from, to }))
  }
  const counts = new Map<string, number>()
  for (const { value, messages } of parts.flat()) counts.set(value, (counts.get(value) ?? 0) + messages)
  return [...counts].map(([value, messages]) => ({ value, messages }))
}

/** The same for a span of whole blocks, in parts to be summed. */
async function countNameInWhole(db: Db, name: keyof Names, filter: SeriesFilter, inside: Span): Promise<NameCount[][]> {
  if (selectsNothing(filter)) return []
  const countsFor = (names: SeriesFilter) => countOfWhole({ name })(db).execute({ ...combinationFor(names), ...inside })
  const counts = await countsFor(filter)
  const excluded = takenOff(filter)
  if (name === 'eventType') return [counts.filter(({ value }) => !excluded.includes(value))]
  const parts = [counts]
  for (const eventType of excluded) {
    const off = await countsFor({ ...filter, eventType })
    parts.push(off.map(({ value, messages }) => ({ value, messages: -messages })))
  }
  return parts
}

const wholeOnes = (blocks: readonly CutBlock[]) => blocks.filter(({ isWhole }) => isWhole)

/** From the beginning of the first to the end of the last; undefined for none. */
export function spanOf(blocks: readonly Span[]): Span | undefined {
  const [first, last] = [blocks[0], blocks.at(-1)]
  return first && last && { from: first.from, to: last.to }
}

const names = ['service', 'eventType', 'status'] as const

const total = (column: AnyColumn) => ({ messages: sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number) })

const allCount = prepared((db) => db.select(total(logSeries.messages)).from(logSeries).where(seriesIsWanted))

const exactCount = prepared((db) =>
  db
    .select({ messages: count() })
    .from(logMessages)
    .where(and(inSpan(logMessages.timestamp), isOfWantedSeries(db))),
)

/** One row per block. A cross join is executed in the written order: the blocks first. */
const blockCounts = prepared((db) =>
  db
    .select({ block: timeBlocks.start, messages: timeBlockCounts.messages })
    .from(timeBlocks)
    .crossJoin(timeBlockCounts)
    .where(
      and(
        inSpan(timeBlocks.start),
        eq(timeBlockCounts.block, timeBlocks.start),
        ...names.map((name) => eq(timeBlockCounts[name], param(name))),
      ),
    ),
)

// The counts of a name's values: of all time, of whole blocks, and of messages in a span.
type OfName = { name: keyof Names }

const countOfAll = variants(
  ({ name }: OfName) =>
    (db) =>
      db
        .select({ value: logSeries[name], ...total(logSeries.messages) })
        .from(logSeries)
        .where(seriesIsWanted)
        .groupBy(logSeries[name]),
)
const countOfWhole = variants(({ name }: OfName) => (db) => {
  const values = db.selectDistinct({ value: logSeries[name] }).from(logSeries).as('name_values')
  return db
    .select({ value: values.value, ...total(timeBlockCounts.messages) })
    .from(values)
    .crossJoin(timeBlocks)
    .crossJoin(timeBlockCounts)
    .where(
      and(
        inSpan(timeBlocks.start),
        eq(timeBlockCounts.block, timeBlocks.start),
        ...names.map((one) => eq(timeBlockCounts[one], one === name ? values.value : param(one))),
      ),
    )
    .groupBy(values.value)
})
const countExactly = variants(
  ({ name }: OfName) =>
    (db) =>
      db
        .select({ value: logSeries[name], messages: count() })
        .from(logMessages)
        .innerJoin(logSeries, isItsSeries)
        .where(and(inSpan(logMessages.timestamp), isOfWantedSeries(db)))
        .groupBy(logSeries[name]),
)
