// Work that one instance at a time does: who has it, and that nobody else writes.
import { describe, expect, test } from 'bun:test'
import { type Log, silentLog } from '@bursar/contracts/log'
import { every, LeaseLostError, type OpenStore } from '../src/index'
import { leases } from '../src/schema'
import { leaseOf } from '../src/work/lease'
import { afterTest, failureOf, insertThing, newThing, serverUrl, tempFile, tempStore, thingIds } from './harness'

const start = new Date('2026-11-24T12:00:00Z')
const second = 1000

/** Instances that share a database; two stores on one schema where there is a server. */
async function instances(): Promise<[OpenStore, OpenStore]> {
  const file = tempFile()
  const one = await tempStore({ file })
  if (serverUrl !== null) return [one, await tempStore({ file })]
  return [
    { ...one, instance: 'a' },
    { ...one, instance: 'b' },
  ]
}

/** A clock that both see, and what they take with it. */
async function contenders() {
  const clock = { at: start }
  const tuning = { now: () => clock.at, restMs: 0 }
  const [one, other] = await instances()
  const pass = (ms: number) => {
    clock.at = new Date(clock.at.getTime() + ms)
  }
  return { store: one, pass, one: leaseOf(one, 'sealing', tuning), other: leaseOf(other, 'sealing', tuning) }
}

const write = (store: OpenStore, id: string) => store.commit((tx) => insertThing(tx).execute(newThing(id)))

describe('a lease', () => {
  test('is one instance’s, for as long as it says so', async () => {
    const { one, other, pass } = await contenders()
    expect([await one.take(), await other.take()]).toEqual([true, false])
    pass(29 * second)
    expect([await one.take(), await other.take()]).toEqual([true, false])
    pass(29 * second)
    expect(await other.take()).toBe(false)
    pass(second)
    expect([await other.take(), await one.take()]).toEqual([true, false])
  })

  test('writes nothing after another instance has taken it, however long it was held up', async () => {
    const { store, one, other, pass } = await contenders()
    await one.take()
    await write(one.store, 'a')
    pass(60 * second)
    await other.take()
    await write(other.store, 'b')
    expect(await failureOf(write(one.store, 'c'))).toBeInstanceOf(LeaseLostError)
    expect(await thingIds(store)).toEqual(['a', 'b'])
    // Nor when the other one has let go of it.
    await other.release()
    expect(await failureOf(write(one.store, 'd'))).toBeInstanceOf(LeaseLostError)
    expect(await one.take()).toBe(true)
    await write(one.store, 'e')
    expect(await failureOf(write(other.store, 'f'))).toBeInstanceOf(LeaseLostError)
    expect(await thingIds(store)).toEqual(['a', 'b', 'e'])
  })

  test('that has run out is held until another one takes it', async () => {
    const { store, one, pass } = await contenders()
    await one.take()
    pass(60 * second)
    await write(one.store, 'a')
    await one.keep()
    expect(await thingIds(store)).toEqual(['a'])
  })

  test('is kept by work that takes long, and not taken anew for it', async () => {
    const { one, other, pass } = await contenders()
    await one.take()
    for (let i = 0; i < 4; i++) {
      pass(20 * second)
      await one.keep()
      expect(await other.take()).toBe(false)
    }
    pass(60 * second)
    await other.take()
    await other.release()
    // What it has read meanwhile may be old.
    await one.keep()
    expect(await failureOf(write(one.store, 'a'))).toBeInstanceOf(LeaseLostError)
  })

  test('is handed over at once when its holder stops', async () => {
    const { one, other } = await contenders()
    await one.take()
    await one.release()
    expect([await other.take(), await one.take()]).toEqual([true, false])
  })

  test('of a clock that was wrong holds up nobody', async () => {
    const { one, other, pass } = await contenders()
    pass(365 * 24 * 3600 * second)
    await one.take()
    pass(-365 * 24 * 3600 * second)
    expect(await other.take()).toBe(true)
  })

  test('grows its number whenever it is another one’s', async () => {
    const { store, one, other, pass } = await contenders()
    const fences: (number | undefined)[] = []
    for (const lease of [one, one, other, one]) {
      if (!(await lease.take())) pass(60 * second)
      await lease.take()
      fences.push((await store.read.select().from(leases))[0]?.fence)
    }
    expect(fences).toEqual([1, 1, 2, 3])
  })

  test('of another name is another’s', async () => {
    const [one, other] = await instances()
    expect(await leaseOf(one, 'sealing').take()).toBe(true)
    expect(await leaseOf(other, 'folding').take()).toBe(true)
    expect(await leaseOf(other, 'sealing').take()).toBe(false)
  })

  test('asks nobody while it is fresh', async () => {
    const [one, other] = await instances()
    const [held, waited] = [leaseOf(one, 'sealing'), leaseOf(other, 'sealing')]
    await held.take()
    await waited.take()
    const before = one.counts().statements + other.counts().statements
    expect([await held.take(), await waited.take()]).toEqual([true, false])
    expect(one.counts().statements + other.counts().statements).toBe(before)
  })
})

test('of two that may take it at the same time one has it', async () => {
  const [one, other] = await instances()
  const took = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      leaseOf(i % 2 ? other : { ...one, instance: one.instance }, `work ${i >> 1}`).take(),
    ),
  )
  for (let i = 0; i < 6; i += 2) expect(took.slice(i, i + 2).toSorted()).toEqual([false, true])
})

const sealing = (store: OpenStore, work: (own: OpenStore) => Promise<unknown>) => {
  const loop = every(3_600_000, work, { log: silentLog, name: 'Sealing', alone: store })
  afterTest(() => loop.stop())
  return loop
}

test('work that is alone runs on one instance; a file has one process, where nobody is asked', async () => {
  const [one, other] = await instances()
  const runs: string[] = []
  for (const store of [one, other]) await sealing(store, async () => void runs.push(store.instance)).runNow()
  expect(runs).toEqual(serverUrl === null ? [one.instance, other.instance] : [one.instance])
})

test.each(['the worker stops', 'the store is closed'])('work that is alone is handed over when %s', async (how) => {
  const [one, other] = await instances()
  const loop = sealing(one, async () => {})
  await loop.runNow()
  if (how === 'the worker stops') await loop.stop()
  else if (serverUrl !== null) await one.close()
  expect(await leaseOf(other, 'Sealing').take()).toBe(true)
})

test.skipIf(serverUrl === null)('work that has lost its lease says so, and goes on when it has it again', async () => {
  const [one, other] = await instances()
  let clockMs = Date.now()
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: (_, message) => void lines.push(message) }
  const loop = every(
    3_600_000,
    async (own) => {
      clockMs += 60_000
      await leaseOf(other, 'Sealing', { now: () => new Date(clockMs) }).take()
      await write(own, 'a')
    },
    { log, name: 'Sealing', alone: one },
  )
  afterTest(() => loop.stop())
  await loop.runNow()
  expect(lines).toEqual(['Sealing is another instance’s now'])
  expect(await thingIds(one)).toEqual([])
})
