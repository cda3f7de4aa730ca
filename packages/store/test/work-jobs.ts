import { silentLog } from '@bursar/contracts/log'
import { type Claimed, doubling, type OpenStore, params, prepared, waitingSince, workOn, workQueue } from '../src/index'
import { jobs } from './fixture/jobs.table'
import { afterTest } from './harness'

// A queue of jobs, and a worker on it, for the tests of work.

type Job = typeof jobs.$inferSelect

export const second = 1000
export const start = new Date('2026-03-01T12:00:00Z')
export const queue = workQueue(jobs, {
  id: 'id',
  lane: 'lane',
  leaseMs: 30 * second,
  backoff: doubling(second, 60 * second, () => 1),
})
export const insertJob = prepared((db) => db.insert(jobs).values(params(jobs)))
export const allJobs = prepared((db) => db.select().from(jobs))

export const add = (store: OpenStore, ids: readonly string[], lane = 'one', dueAt = start) =>
  store.commit(async (tx) => {
    for (const id of ids) await insertJob(tx).execute({ id, lane, isFarAhead: null, ...waitingSince(dueAt) })
  })
export const read = async (store: OpenStore, id: string): Promise<Job | undefined> =>
  (await allJobs(store.read).execute()).find((row) => row.id === id)

/** A worker whose handler is told what to do; its looks are woken by the test alone. */
export function worker(
  store: OpenStore,
  handle: (rows: readonly Claimed<Job>[], signal: AbortSignal) => Promise<void>,
  options: { byLane?: boolean; places?: number; batch?: number; lanes?: Record<string, number> } = {},
) {
  let nowMs = start.getTime()
  const now = () => new Date(nowMs)
  const loop = workOn(queue, {
    store,
    now,
    log: silentLog,
    name: 'The work',
    handle,
    places: 2,
    lookMs: 1e6,
    ...options,
  })
  afterTest(() => loop.stop())
  return { loop, now, pass: (ms: number) => (nowMs += ms) }
}
export const finishAll = (store: OpenStore) => (rows: readonly Claimed<Job>[]) =>
  store.commit((tx) => queue.finish(tx, rows))
