// Work that one instance at a time does: who has it, and that nobody else writes.
import { describe, expect, test } from 'bun:test'
import { type Log, silentLog } from '@bursar/contracts/log'
import { every, LeaseLostError, type OpenStore } from '../src/index'
import { leases } from '../src/schema'
import { sayAlive, sayEnd } from '../src/work/alive'
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

/** For a clock that stands still: by the database's they would be alive for ten seconds, and a busy machine may need those. */
const still = { now: () => start }

async function aliveInstances(): Promise<[OpenStore, OpenStore]> {
  const both = await instances()
  for (const { instance } of both) await both[0].commit((tx) => sayAlive(tx, { instance, now: start.getTime() }))
  return both
}

/** A clock that both see, and what they take with it. */
async function contenders() {
  const clock = { at: start }
  const tuning = { now: () => clock.at, restMs: 0 }
  const [one, other] = await instances()
  /** Time passes; who says that it is alive does so at its end. */
  const pass = async (ms: number, ...saying: OpenStore[]) => {
    clock.at = new Date(clock.at.getTime() + ms)
    for (const { instance } of saying) await one.commit((tx) => sayAlive(tx, { instance, now: clock.at.getTime() }))
  }
  await pass(0, one, other)
  const [ofOne, ofOther] = [leaseOf(one, 'sealing', tuning), leaseOf(other, 'sealing', tuning)]
  return { stores: [one, other] as const, store: one, pass, one: ofOne, other: ofOther }
}

const write = (store: OpenStore, id: string) => store.commit((tx) => insertThing(tx).execute(newThing(id)))

describe('a lease', () => {
  test('is one instance’s for as long as that is alive, however long its work rests', async () => {
    const { stores, one, other, pass } = await contenders()
    expect([await one.take(), await other.take()]).toEqual([true, false])
    for (let i = 0; i < 100; i++) await pass(6 * second, ...stores)
    expect([await other.take(), await one.take()]).toEqual([false, true])
    await write(one.store, 'a')
    await pass(9 * second)
    expect(await other.take()).toBe(false)
    await pass(second)
    expect([await other.take(), await one.take()]).toEqual([true, true])
  })

  test('is free at once when its holder has ended', async () => {
    const { stores, one, other } = await contenders()
    await one.take()
    await stores[1].commit((tx) => sayEnd(tx, stores[0].instance))
    expect(await other.take()).toBe(true)
    expect(await failureOf(write(one.store, 'a'))).toBeInstanceOf(LeaseLostError)
  })

  test('writes nothing after another instance has taken it, however long it was held up', async () => {
    const { stores, store, one, other, pass } = await contenders()
    await one.take()
    await write(one.store, 'a')
    await pass(60 * second, stores[1])
    await other.take()
    await write(other.store, 'b')
    // It goes on, and says so before it finds out.
    await pass(0, stores[0])
    expect(await failureOf(write(one.store, 'c'))).toBeInstanceOf(LeaseLostError)
    expect(await one.take()).toBe(false)
    expect(await thingIds(store)).toEqual(['a', 'b'])
    // Nor when the other one has let go of it.
    await other.release()
    expect(await failureOf(write(one.store, 'd'))).toBeInstanceOf(LeaseLostError)
    expect(await one.take()).toBe(true)
    await write(one.store, 'e')
    expect(await failureOf(write(other.store, 'f'))).toBeInstanceOf(LeaseLostError)
    expect(await thingIds(store)).toEqual(['a', 'b', 'e'])
  })

  test('is held by one that was held up until another one takes it', async () => {
    const { store, one, pass } = await contenders()
    await one.take()
    await pass(60 * second)
    await write(one.store, 'a')
    expect(await thingIds(store)).toEqual(['a'])
  })

  test('that was lost within a run is not taken anew by it', async () => {
    const { stores, one, other, pass } = await contenders()
    await one.take()
    await pass(60 * second, stores[1])
    await other.take()
    await other.release()
    // What it has read meanwhile may be old.
    for (const id of ['a', 'b']) expect(await failureOf(write(one.store, id))).toBeInstanceOf(LeaseLostError)
  })

  test('is handed over at once when its holder stops', async () => {
    const { one, other } = await contenders()
    await one.take()
    await one.release()
    expect([await other.take(), await one.take()]).toEqual([true, false])
  })

  test('of a clock that was ahead holds up nobody, and is kept by who says anew that it is alive', async () => {
    const year = 365 * 24 * 3600 * second
    const { stores, one, other, pass } = await contenders()
    await pass(year, ...stores)
    await one.take()
    await pass(-year)
    await pass(0, ...stores)
    expect(await other.take()).toBe(false)
    await pass(year, ...stores)
    await pass(-year, stores[1])
    expect(await other.take()).toBe(true)
  })

  test('of a clock that leaps ahead is written under by one alone', async () => {
    const { stores, store, one, other, pass } = await contenders()
    await one.take()
    await pass(365 * 24 * 3600 * second, stores[1])
    expect(await other.take()).toBe(true)
    expect(await failureOf(write(one.store, 'a'))).toBeInstanceOf(LeaseLostError)
    await write(other.store, 'b')
    expect(await thingIds(store)).toEqual(['b'])
  })

  test('of a clock that is set back by an instant is still its holder’s', async () => {
    const { one, other, pass } = await contenders()
    await one.take()
    await pass(-second)
    expect(await other.take()).toBe(false)
  })

  test('grows its number whenever it is another one’s', async () => {
    const { store, one, other, pass, stores } = await contenders()
    const fences: (number | undefined)[] = []
    for (const [lease, own] of [
      [one, stores[0]],
      [one, stores[0]],
      [other, stores[1]],
      [one, stores[0]],
    ] as const) {
      if (!(await lease.take())) await pass(60 * second, own)
      expect(await lease.take()).toBe(true)
      fences.push((await store.read.select().from(leases))[0]?.fence)
    }
    expect(fences).toEqual([1, 1, 2, 3])
  })

  test('costs no commit while it is held', async () => {
    const { stores, one, other } = await contenders()
    await one.take()
    const bodies = () => stores[0].counts().bodies + stores[1].counts().bodies
    const before = bodies()
    for (let i = 0; i < 3; i++) expect([await one.take(), await other.take()]).toEqual([true, false])
    expect(bodies()).toBe(before)
  })

  test('of another name is another’s', async () => {
    const [one, other] = await aliveInstances()
    expect(await leaseOf(one, 'sealing', still).take()).toBe(true)
    expect(await leaseOf(other, 'folding', still).take()).toBe(true)
    expect(await leaseOf(other, 'sealing', still).take()).toBe(false)
  })

  test('that was lost begins no other run, asked for or not', async () => {
    const [one, other] = await aliveInstances()
    const lease = leaseOf(one, 'sealing', still)
    await lease.take()
    await other.commit((tx) => sayEnd(tx, one.instance))
    await leaseOf(other, 'sealing', still).take()
    expect(await failureOf(write(lease.store, 'a'))).toBeInstanceOf(LeaseLostError)
    expect(await lease.take()).toBe(false)
  })

  test('asks nobody while it is fresh', async () => {
    const [one, other] = await aliveInstances()
    const fresh = { ...still, restMs: 3600 * second }
    const [held, waited] = [leaseOf(one, 'sealing', fresh), leaseOf(other, 'sealing', fresh)]
    await held.take()
    await waited.take()
    const before = one.counts().statements + other.counts().statements
    expect([await held.take(), await waited.take()]).toEqual([true, false])
    expect(one.counts().statements + other.counts().statements).toBe(before)
  })
})

test('of two that may take it at the same time one has it', async () => {
  const [one, other] = await aliveInstances()
  const took = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      leaseOf(i % 2 ? other : { ...one, instance: one.instance }, `work ${i >> 1}`, still).take(),
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

test.skipIf(serverUrl === null)('work that fails is left to another instance', async () => {
  const [one, other] = await instances()
  let runs = 0
  const loop = sealing(one, async () => {
    runs += 1
    throw new Error('no')
  })
  await loop.runNow()
  expect(await leaseOf(other, 'Sealing').take()).toBe(true)
  // While that one has it, it is not tried here.
  await loop.runNow()
  expect(runs).toBe(1)
})

test.skipIf(serverUrl === null)('work that has lost its lease says so, and goes on when it has it again', async () => {
  const [one, other] = await instances()
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: (_, message) => void lines.push(message) }
  const loop = every(
    3_600_000,
    async (own) => {
      // It was held up for long: the other one does not hear of it.
      await other.commit((tx) => sayEnd(tx, one.instance))
      await leaseOf(other, 'Sealing').take()
      await write(own, 'a')
    },
    { log, name: 'Sealing', alone: one },
  )
  afterTest(() => loop.stop())
  await loop.runNow()
  expect(lines).toEqual(['Sealing is another instance’s now'])
  expect(await thingIds(one)).toEqual([])
})
