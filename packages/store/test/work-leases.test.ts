// Who may write what was found of work, and when it comes again.
import { expect, test } from 'bun:test'
import { doubling, LeaseLostError, sideBySide, workQueue } from '../src/index'
import { jobs } from './fixture/jobs.table'
import { tempStore } from './harness'
import { add, queue, read, second, start } from './work-jobs'

test('an attempt that outlives its lease writes nothing, and the other one’s word stands', async () => {
  const store = await tempStore()
  await add(store, ['a'])
  const [first] = await queue.claim(store, { now: start, limit: 1 })
  const later = new Date(start.getTime() + 30 * second)
  const [second_] = await queue.claim(store, { now: later, limit: 1 })
  if (!first || !second_) throw new Error('It was not claimed twice')
  const late = store.commit((tx) => queue.assertHeld(tx, [first]))
  expect(late).rejects.toThrow('Another worker has the work')
  await store.commit((tx) => queue.assertHeld(tx, [second_]))
  expect(store.commit((tx) => queue.finish(tx, [first]))).rejects.toThrow('Another worker has the work')
  await store.commit((tx) => queue.reschedule(tx, second_, { now: later, error: 'it is away', atLeastMs: 10 * second }))
  expect(await read(store, 'a')).toMatchObject({
    attempts: 1,
    lastError: 'it is away',
    dueAt: new Date(later.getTime() + 10 * second),
  })
})

test('rows of several claims, more than a statement takes, are ended and held together, and all or none', async () => {
  const store = await tempStore()
  const names = Array.from({ length: 150 }, (_, i) => `row ${String(i).padStart(3, '0')}`)
  await add(store, names)
  const claims = [
    ...(await queue.claim(store, { now: start, limit: 100 })),
    ...(await queue.claim(store, { now: new Date(start.getTime() + second), limit: 100 })),
  ]
  expect(claims).toHaveLength(150)
  const own = await store.commit((tx) => queue.extend(tx, claims, new Date(start.getTime() + 2 * second)))
  await store.commit((tx) => queue.assertHeld(tx, own))
  for (const place of [0, 149]) {
    const late = own.map((row, i) => (i === place ? { ...row, leasedUntil: start } : row))
    expect(store.commit((tx) => queue.assertHeld(tx, late))).rejects.toThrow(LeaseLostError)
    expect(store.commit((tx) => queue.finish(tx, late))).rejects.toThrow(LeaseLostError)
  }
  await store.commit((tx) => queue.assertHeld(tx, own))
  await store.commit((tx) => queue.finish(tx, own))
  expect(await queue.backlog(store.read)).toEqual({ depth: 0, oldestDueAt: null })
})

test('work that only waits is rescheduled without an error', async () => {
  const store = await tempStore()
  await add(store, ['a'])
  const [row] = await queue.claim(store, { now: start, limit: 1 })
  if (row) await store.commit((tx) => queue.reschedule(tx, row, { now: start, error: null }))
  expect(await read(store, 'a')).toMatchObject({
    attempts: 1,
    lastError: null,
    dueAt: new Date(start.getTime() + second),
  })
})

test('a worker whose clock is behind takes nothing that another one has, woken or not', async () => {
  const behind = new Date(start.getTime() - 2 * second)
  // With pauses longer and shorter than a lease.
  for (const longestMs of [60 * second, second]) {
    const store = await tempStore()
    await add(store, ['a'])
    const own = workQueue(jobs, { id: 'id', lane: 'lane', leaseMs: 30 * second, backoff: doubling(second, longestMs) })
    expect(await own.claim(store, { now: start, limit: 1 })).toHaveLength(1)
    expect(await own.claim(store, { now: behind, limit: 1 })).toEqual([])
    await store.commit((tx) => own.wake(tx, 'a', behind))
    expect(await own.claim(store, { now: behind, limit: 1 })).toEqual([])
  }
})

test('rows that go each on their own are waited for, and a failure of one is told when all have ended', async () => {
  const gate = Promise.withResolvers<void>()
  const ended: string[] = []
  const work = sideBySide(['lost', 'fails', 'slow'], async (each) => {
    if (each === 'lost') throw new LeaseLostError(each)
    if (each === 'fails') throw new Error(each)
    await gate.promise
    ended.push(each)
  }).catch((error: Error) => ended.push(error.message))
  gate.resolve()
  await work
  expect(ended).toEqual(['slow', 'fails'])
  expect(sideBySide(['lost'], () => Promise.reject(new LeaseLostError('lost')))).rejects.toBeInstanceOf(LeaseLostError)
  expect(await sideBySide([1, 2], async () => {})).toBeUndefined()
})
