// What is written one after another: at once, or by one instance of what waits in line.
import { describe, expect, test } from 'bun:test'
import { line } from '../src/followers/in-turn'
import { inTurn, type OpenStore, type Tx } from '../src/index'
import { waitingThings } from './fixture/line.table'
import {
  afterTest,
  failureOf,
  insertThing,
  newThing,
  refuse,
  serverUrl,
  tempFile,
  tempStore,
  thingIds,
  until,
} from './harness'

/** Writes things, and refuses one named `bad`. */
async function write(tx: Tx, ids: readonly string[]): Promise<string[]> {
  for (const id of ids) {
    if (id === 'bad') refuse()
    await insertThing(tx).execute(newThing(id))
  }
  return ids.map((id) => `${id}!`)
}

const waits = (store: OpenStore) => store.read.$count(waitingThings)

describe('a line', () => {
  const { put, writeAll } = line(waitingThings, write)

  test('is written in its order, once', async () => {
    const store = await tempStore()
    for (const ids of [['a', 'b'], ['c']]) await store.commit((tx) => put(tx, ids))
    expect([await waits(store), await thingIds(store)]).toEqual([3, []])
    const written: string[] = []
    for (let i = 0; i < 2; i++) await writeAll(store, (results) => written.push(...results))
    expect(written).toEqual(['a!', 'b!', 'c!'])
    expect([await waits(store), await thingIds(store)]).toEqual([0, ['a', 'b', 'c']])
  })

  test('is written whole when it is longer than a commit', async () => {
    const store = await tempStore()
    const ids = Array.from({ length: 600 }, (_, i) => String(i).padStart(4, '0'))
    await store.commit((tx) => put(tx, ids))
    const sizes: number[] = []
    await writeAll(store, (results) => sizes.push(results.length))
    expect(sizes).toEqual([256, 256, 88])
    expect(await thingIds(store)).toEqual(ids)
  })

  test('has nothing of a commit that failed', async () => {
    const store = await tempStore()
    const failing = store.commit(async (tx) => {
      await put(tx, ['a'])
      refuse()
    })
    expect(await failureOf(failing)).toBeInstanceOf(Error)
    expect(await waits(store)).toBe(0)
  })

  test('is not held up by what cannot be written, which stays', async () => {
    const store = await tempStore()
    await store.commit((tx) => put(tx, ['a', 'bad', 'b', 'bad', 'c']))
    const written: string[] = []
    const failure = await failureOf(writeAll(store, (results) => written.push(...results)))
    expect(failure).toMatchObject({ message: 'the body changed its mind' })
    expect(written.toSorted()).toEqual(['a!', 'b!', 'c!'])
    expect([await waits(store), await thingIds(store)]).toEqual([2, ['a', 'b', 'c']])
  })
})

const nobody = { tell() {}, on() {} }

test('what is written in turn waits on a server alone', async () => {
  const store = await tempStore()
  const things = inTurn(waitingThings, 'Writing things', write)
  const written: string[] = []
  const workers = things.workers(store, { siblings: nobody, written: (results) => written.push(...results) })
  afterTest(() => Promise.all(workers.map((worker) => worker.stop())))
  const added = await store.commit((tx) => things.add(tx, ['a', 'b']))
  await things.wake(store)
  expect(await thingIds(store)).toEqual(['a', 'b'])
  expect([workers.length, added, written]).toEqual(serverUrl === null ? [0, ['a!', 'b!'], []] : [1, null, ['a!', 'b!']])
})

test.skipIf(serverUrl === null)('an instance that does not write wakes the one that does', async () => {
  const file = tempFile()
  const [one, other] = [await tempStore({ file }), await tempStore({ file })]
  const things = inTurn(waitingThings, 'Writing things', write)
  const told: string[] = []
  const heard = new Map<string, () => void>()
  const siblings = { tell: (topic: string) => void told.push(topic), on: nobody.on }
  const workers = things.workers(one, {
    siblings: { ...siblings, on: (topic, wake) => void heard.set(topic, wake) },
  })
  afterTest(() => Promise.all(workers.map((worker) => worker.stop())))
  await one.commit((tx) => things.add(tx, ['a']))
  await things.wake(one)
  expect([await thingIds(one), told]).toEqual([['a'], []])
  // The one that was first has the work.
  workers.push(...things.workers(other, { siblings }))
  await other.commit((tx) => things.add(tx, ['b']))
  await things.wake(other)
  expect(told).toEqual(['Writing things'])
  heard.get('Writing things')?.()
  expect(workers[0]?.idle?.()).toBe(false)
  await until('it is written', async () => (await thingIds(one)).includes('b'))
})
