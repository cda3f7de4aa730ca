// Random work, crashes, lost leases, wakes, clocks that are behind and clocks that jump by a year, compared with what a
// queue promises.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Claimed,
  doubling,
  LeaseLostError,
  type OpenStore,
  params,
  prepared,
  waitingSince,
  workQueue,
} from '../src/index'

import { jobs } from './fixture/jobs.table'
import { failureOf, tempStore } from './harness'

type Job = typeof jobs.$inferSelect

const leaseMs = 30_000
const longestMs = 60_000
const queue = workQueue(jobs, { id: 'id', lane: 'lane', leaseMs, backoff: doubling(1000, longestMs) })
const insertJob = prepared((db) => db.insert(jobs).values(params(jobs)))
const allJobs = prepared((db) => db.select().from(jobs))
const year = 365 * 24 * 60 * 60_000
const ids = ['a', 'b', 'c', 'd']

type Step =
  | { do: 'pass' | 'jump'; ms: number }
  | { do: 'add' | 'wake'; id: string; behindMs: number }
  | { do: 'claim'; limit: number; lane: string | null; behindMs: number }
  | { do: 'finish' | 'reschedule' | 'crash' | 'extend'; claim: number }

const claimNumber = fc.nat({ max: 5 })
/** By how much the clock of another worker may be behind. */
const behindMs = fc.constantFrom(0, 0, 1, 2000, 59_000)
const steady: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 1000, 29_999, 30_000, 61_000) }),
  fc.record({ do: fc.constantFrom('add' as const, 'wake' as const), id: fc.constantFrom(...ids), behindMs }),
  fc.record({
    do: fc.constant('claim' as const),
    limit: fc.integer({ min: 1, max: 4 }),
    lane: fc.constantFrom(null, 'even', 'odd'),
    behindMs,
  }),
  fc.record({ do: fc.constantFrom('finish' as const, 'reschedule' as const, 'crash' as const), claim: claimNumber }),
  fc.record({ do: fc.constantFrom('finish' as const, 'extend' as const), claim: claimNumber }),
)

const jump = fc.record({ do: fc.constant('jump' as const), ms: fc.constantFrom(-year, -61_000, year) })
/** Half of the runs have a clock that never jumps: there no row may have two workers. */
const anySteps = fc.oneof(
  fc.array(steady, { minLength: 5, maxLength: 60 }),
  fc.array(fc.oneof({ weight: 9, arbitrary: steady }, { weight: 1, arbitrary: jump }), { minLength: 5, maxLength: 60 }),
)

/** What is known from outside. */
interface World {
  store: OpenStore
  nowMs: number
  /** Claims whose worker lives, with the moment at which another one may have their rows. */
  claims: { rows: Claimed<Job>[]; untilMs: number }[]
  /** Rows that were woken or added since an attempt at them began: they must come again. */
  wanted: Set<string>
  /** What was finished and not woken since: it must not come again. */
  over: Set<string>
  jumped: boolean
}

const at = (world: World, behindMs = 0) => new Date(world.nowMs - behindMs)

async function take(world: World, { limit, lane, behindMs }: Extract<Step, { limit: number }>) {
  const now = at(world, behindMs)
  const rows = await queue.claim(world.store, { now, limit, ...(lane === null ? {} : { lane }) })
  expect(rows.length).toBeLessThanOrEqual(limit)
  for (const row of rows) {
    if (lane !== null) expect(row.lane).toBe(lane)
    expect(world.over.has(row.id)).toBe(false)
    // A row that a living worker has within its lease is nobody else's. Of a clock that jumped no lease can be certain.
    const holders = world.claims.filter((claim) => claim.rows.some(({ id }) => id === row.id))
    if (!world.jumped) for (const { untilMs } of holders) expect(untilMs).toBeLessThanOrEqual(now.getTime())
    world.wanted.delete(row.id)
  }
  if (rows.length > 0) world.claims.push({ rows, untilMs: now.getTime() + leaseMs })
}

async function end(world: World, { do: how, claim: number }: Extract<Step, { claim: number }>) {
  const claim = world.claims[number % Math.max(1, world.claims.length)]
  if (!claim) return
  if (how === 'extend') {
    const extended = world.store.commit((tx) => queue.extend(tx, claim.rows, at(world)))
    const error = await failureOf(extended)
    if (error) expect(error).toBeInstanceOf(LeaseLostError)
    else Object.assign(claim, { rows: await extended, untilMs: world.nowMs + leaseMs })
    return
  }
  world.claims.splice(world.claims.indexOf(claim), 1)
  if (how === 'crash') return
  const before = await allJobs(world.store.read).execute()
  const isHeld = claim.rows.every(({ id, leasedUntil }) =>
    before.some((row) => row.id === id && row.leasedUntil?.getTime() === leasedUntil.getTime()),
  )
  const write = world.store.commit(async (tx) => {
    if (how === 'finish') return await queue.finish(tx, claim.rows)
    for (const row of claim.rows) await queue.reschedule(tx, row, { now: at(world), error: 'not now' })
  })
  const error = await failureOf(write)
  if (!isHeld) {
    expect(error).toBeInstanceOf(LeaseLostError)
    expect(await allJobs(world.store.read).execute()).toEqual(before)
    return
  }
  expect(error).toBeUndefined()
  if (how === 'finish') for (const { id } of claim.rows) if (!world.wanted.has(id)) world.over.add(id)
}

async function act(world: World, step: Step): Promise<void> {
  if ('ms' in step) {
    world.nowMs += step.ms
    world.jumped ||= step.do === 'jump'
  } else if ('id' in step && step.do === 'add') {
    const known = await allJobs(world.store.read).execute()
    if (known.some(({ id }) => id === step.id)) return
    const lane = ids.indexOf(step.id) % 2 ? 'odd' : 'even'
    await world.store.commit((tx) =>
      insertJob(tx).execute({ id: step.id, lane, isFarAhead: null, ...waitingSince(at(world)) }),
    )
    world.wanted.add(step.id)
  } else if ('id' in step) {
    const known = await allJobs(world.store.read).execute()
    await world.store.commit((tx) => queue.wake(tx, step.id, at(world, step.behindMs)))
    if (known.some(({ id, dueAt }) => id === step.id && dueAt !== null)) world.wanted.add(step.id)
  } else if ('limit' in step) await take(world, step)
  else await end(world, step)
}

/** Whatever was before: with all workers gone and the clock going on, everything that is not over is claimed. */
async function drain(world: World): Promise<void> {
  const left = (await allJobs(world.store.read).execute()).filter(({ id }) => !world.over.has(id)).map(({ id }) => id)
  world.claims = []
  const found = new Set<string>()
  for (let looks = 0; looks < 4; looks++) {
    const rows = await queue.claim(world.store, { now: at(world), limit: 10 })
    for (const { id } of rows) found.add(id)
    expect(rows.filter(({ id }) => world.over.has(id))).toEqual([])
    if (rows.length > 0) await world.store.commit((tx) => queue.finish(tx, rows))
    world.nowMs += Math.max(leaseMs, longestMs)
  }
  expect([...found].sort()).toEqual(left.sort())
  expect(await queue.backlog(world.store.read)).toEqual({ depth: 0, oldestDueAt: null })
}

test('work has one worker at a time, is never forgotten, and does not come again when it is over', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const store = await tempStore()
      const world: World = {
        store,
        nowMs: Date.parse('2026-03-01T12:00:00Z'),
        claims: [],
        wanted: new Set(),
        over: new Set(),
        jumped: false,
      }
      for (const each of steps) await act(world, each)
      await drain(world)
      await store.close()
    }),
    { numRuns: 150 },
  )
})
