// Numbers that many commits add to: added up at once, or by and by.
import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { directCounters, foldedCounters } from '../src/followers/counters'
import { type Counters, counters, like, type OpenStore, prepared } from '../src/index'
import { totalChanges, totals } from './fixture/counters.table'
import { afterTest, failureOf, refuse, serverUrl, tempFile, tempStore } from './harness'

const tables = { totals, changes: totalChanges }
const folded = foldedCounters(tables)
const add = (store: OpenStore, of: Counters, name: string, by: number) => store.commit((tx) => of.add(tx, name, by))

describe.each([
  ['added to at once', directCounters(tables)],
  ['folded later', folded],
] as const)('counters that are %s', (_, of) => {
  const sumOfAll = prepared((db) =>
    db.select({ sum: of.sumOf((name) => like(name, 'r:%')) }).from(sql`(select 1) as counted`),
  )

  test('are what was added', async () => {
    const store = await tempStore()
    expect(await of.total(store.read, 'a')).toBe(0)
    await add(store, of, 'a', 3)
    await add(store, of, 'b', 5)
    await add(store, of, 'a', -1)
    expect([await of.total(store.read, 'a'), await of.total(store.read, 'b')]).toEqual([2, 5])
  })

  test('do not keep what was taken back', async () => {
    const store = await tempStore()
    const failing = store.commit(async (tx) => {
      await of.add(tx, 'a', 3)
      refuse()
    })
    expect(await failureOf(failing)).toBeInstanceOf(Error)
    expect(await of.total(store.read, 'a')).toBe(0)
  })

  test('are summed by their names', async () => {
    const store = await tempStore()
    for (const [name, by] of [
      ['r:1', 2],
      ['r:2', 3],
      ['x', 100],
      ['r:1', 4],
    ] as const) {
      await add(store, of, name, by)
    }
    expect(await sumOfAll(store.read).execute()).toEqual([{ sum: 9 }])
  })
})

test('folding changes no number, and leaves no change behind', async () => {
  const store = await tempStore()
  for (let i = 0; i < 5; i++) await add(store, folded, i % 2 ? 'a' : 'b', i)
  const shown = async () => [await folded.total(store.read, 'a'), await folded.total(store.read, 'b')]
  const before = await shown()
  expect(before).toEqual([4, 6])
  expect(await store.read.$count(totals)).toBe(0)
  await folded.fold(store)
  expect([await shown(), await store.read.$count(totalChanges)]).toEqual([before, 0])
  await add(store, folded, 'a', 1)
  await folded.fold(store)
  expect(await shown()).toEqual([5, 6])
})

test('a service adds up on a server alone', async () => {
  const file = tempFile()
  const store = await tempStore({ file })
  const of = counters(tables)
  const workers = of.workers(store)
  afterTest(() => Promise.all(workers.map((worker) => worker.stop())))
  await add(store, of, 'a', 2)
  expect([workers.length, await store.read.$count(totalChanges)]).toEqual(serverUrl === null ? [0, 0] : [1, 1])
  expect(await of.total(store.read, 'a')).toBe(2)
})
