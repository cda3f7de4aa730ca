// Any page, chunk and count of a list is that of a plain filter over all rows, also where it takes several windows.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  and,
  type Db,
  defineList,
  defineSortedList,
  eq,
  idFloor,
  type Order,
  param,
  params,
  prepared,
  sql,
} from '../src/index'
import { things } from './fixture/things.table'
import { tempStore } from './harness'

const start = Date.UTC(2026, 0, 1)
const labels = ['few', 'many', 'none'] as const

type FilterForm = { byLabel: boolean; byCount: boolean }

interface Filter {
  label?: string | undefined
  count?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const options = {
  id: things.id,
  rows: (db: Db) => db.select({ id: things.id }).from(things),
  to: ({ id }: { id: string }) => id,
  where: ({ byLabel, byCount }: FilterForm) =>
    and(
      byLabel ? eq(things.label, param('label')) : undefined,
      byCount ? sql`+${things.count} = ${param('count')}` : undefined,
    ),
  along: ({ byLabel }: FilterForm) => (byLabel ? eq(things.label, param('label')) : undefined),
  isSparse: ({ byCount }: FilterForm) => byCount,
}
const read = ({ label, count }: Filter) => ({
  form: { byLabel: label !== undefined, byCount: count !== undefined },
  values: { label, count },
})
const timed = { ...options, read: ({ from, to, ...filter }: Filter) => ({ ...read(filter), time: { from, to } }) }

const list = defineList(timed)
const skipping = defineList({ ...timed, skipsAlong: ({ byCount }) => !byCount })
const counting = defineList({ ...timed, countsAll: true })
const sorted = defineSortedList({
  ...options,
  read,
  sort: ({ byLabel }) => (byLabel ? things.count : things.createdAt),
})
const few = defineSortedList({ ...options, read, sort: () => things.count, isSorted: () => true })

/** More than two windows; three rows in a millisecond, so that a time begins and ends among them. */
const rows = Array.from({ length: 25_000 }, (_, i) => {
  const at = new Date(start + Math.floor(i / 3))
  return {
    id: `${idFloor(at).slice(0, -1)}${i % 3}`,
    label: i % 1000 === 7 ? 'few' : 'many',
    count: i % 7,
    at,
  }
})

const anyTime = fc.option(
  fc.integer({ min: -5, max: 8400 }).map((ms) => new Date(start + ms)),
  { nil: undefined },
)
const anyFilter: fc.Arbitrary<Filter> = fc.record({
  label: fc.option(fc.constantFrom(...labels), { nil: undefined }),
  count: fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined, freq: 1 }),
  from: anyTime,
  to: anyTime,
})
interface Place {
  order: Order
  after: number | undefined
  offset: number
  limit: number
}

const anyPlace: fc.Arbitrary<Place> = fc.record({
  order: fc.constantFrom('asc' as const, 'desc' as const),
  after: fc.option(fc.nat({ max: rows.length - 1 }), { nil: undefined }),
  offset: fc.oneof(fc.constant(0), fc.nat({ max: 12_000 })),
  limit: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 9_000, max: 26_000 })),
})

test('pages, chunks and counts', async () => {
  const store = await tempStore()
  const insert = prepared((db) => db.insert(things).values(params(things)))
  await store.commit(async (tx) => {
    for (const { id, label, count, at } of rows) {
      const nothing = { ratio: null, isKnown: null, extra: null, endedAt: null, assetCode: null, fee: null }
      await insert(tx).execute({ ...nothing, id, label, count, isOpen: true, data: {}, createdAt: at, amount: 0n })
    }
  })

  const run = async (filter: Filter, { order, after, offset, limit }: Place) => {
    const { label, count, from, to } = filter
    const passing = rows
      .filter((row) => label === undefined || row.label === label)
      .filter((row) => count === undefined || row.count === count)
      .filter((row) => (from === undefined || row.at >= from) && (to === undefined || row.at <= to))
      .map(({ id }) => id)
    const ordered = order === 'asc' ? passing : passing.toReversed()
    const lastId = after === undefined ? undefined : rows[after]?.id
    const behind = ordered.filter((id) => lastId === undefined || (order === 'asc' ? id > lastId : id < lastId))
    const expected = behind.slice(offset, offset + limit)

    const place = { order, after: lastId, offset, limit }
    for (const each of [list, skipping, counting]) {
      expect(await each.count(store.read, filter)).toBe(passing.length)
      expect(await each.page(store.read, filter, place)).toEqual(expected)
    }
    expect((await Array.fromAsync(list.chunks(store.read, filter, place, 4000))).flat()).toEqual(expected)
  }

  const runSorted = async ({ label, count }: Filter, { order, offset, limit }: Place) => {
    const filter = { label, count }
    const passing = rows
      .filter((row) => label === undefined || row.label === label)
      .filter((row) => count === undefined || row.count === count)
    for (const [each, key] of [
      [sorted, label === undefined ? ('at' as const) : ('count' as const)],
      [few, 'count' as const],
    ] as const) {
      const ordered = passing.toSorted((a, b) => Number(a[key]) - Number(b[key]) || (a.id < b.id ? -1 : 1))
      if (order === 'desc') ordered.reverse()
      const page = ordered.slice(offset, offset + limit).map(({ id }) => id)
      expect(await each.page(store.read, filter, { order, offset, limit })).toEqual(page)
      const numbered = await each.numbered(store.read, filter, { order, offset, limit })
      expect(numbered).toEqual({ rows: page, total: passing.length })
      const end = { order, offset: Math.max(0, passing.length - 1), limit: 2 }
      const last = ordered.slice(-1).map(({ id }) => id)
      expect((await each.numbered(store.read, filter, end)).rows).toEqual(last)
    }
  }
  await fc.assert(fc.asyncProperty(anyFilter, anyPlace, run), { numRuns: 40 })
  await fc.assert(fc.asyncProperty(anyFilter, anyPlace, runSorted), { numRuns: 20 })
})
