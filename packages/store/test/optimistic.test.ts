import { describe, expect, test } from 'bun:test'
import type { OpenStore, Tx } from '../src/index'
import { failureOf, insertThing, makeThing, newThing, tempStore, thingIds, thingsOf } from './harness'

/** Commits these bodies in one batch and returns how often each ran. One whose name starts with `bad` throws. */
async function runsOf(store: OpenStore, names: string[]): Promise<number[]> {
  const runs = new Map(names.map((name) => [name, 0]))
  const body = (name: string) => async (tx: Tx) => {
    runs.set(name, (runs.get(name) ?? 0) + 1)
    await makeThing(tx, name)
    if (name.startsWith('bad')) throw new Error(name)
  }
  const failures = await Promise.all(names.map((name) => failureOf(store.commit(body(name)))))
  expect(failures).toEqual(names.map((name) => (name.startsWith('bad') ? new Error(name) : undefined)))
  return [...runs.values()]
}

describe('batches without savepoints', () => {
  test('no body runs twice while none throws, nor the only one of a batch that does', async () => {
    const store = await tempStore()
    expect(await runsOf(store, ['a', 'b', 'c'])).toEqual([1, 1, 1])
    expect(await runsOf(store, ['bad'])).toEqual([1])
    expect(await runsOf(store, ['d', 'e'])).toEqual([1, 1])
    expect(await thingIds(store)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('when one throws, those before it run again, and what the first run did counts nowhere', async () => {
    const store = await tempStore()
    const published: string[] = []
    store.onEvents((events) => published.push(...thingsOf(events.map(({ envelope }) => envelope))))
    expect(await runsOf(store, ['a', 'bad1', 'b', 'bad2', 'c'])).toEqual([2, 2, 1, 1, 1])
    expect(await thingIds(store)).toEqual(['a', 'b', 'c'])
    expect(published).toEqual(['a', 'b', 'c'])
  })

  test('the tables of the run that counts are the ones that changed', async () => {
    const store = await tempStore()
    let runs = 0
    const before = store.versionOf(['things'])
    const changesItsMind = store.commit(async (tx) => {
      runs += 1
      if (runs === 1) await insertThing(tx).execute(newThing('a'))
    })
    const failing = store.commit(async () => {
      throw new Error('no')
    })
    expect(await failureOf(failing)).toEqual(new Error('no'))
    await changesItsMind
    expect(runs).toBe(2)
    expect(store.versionOf(['things'])).toBe(before)
    expect(await thingIds(store)).toEqual([])
  })

  test('the seven batches after it have savepoints from the start', async () => {
    const store = await tempStore()
    expect(await runsOf(store, ['0a', 'bad'])).toEqual([2, 2])
    for (let batch = 1; batch < 8; batch++) expect(await runsOf(store, [`${batch}a`, 'bad'])).toEqual([1, 1])
    expect(await runsOf(store, ['8a', 'bad'])).toEqual([2, 2])
  })
})
