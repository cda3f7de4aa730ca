import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { doubling, stepwise, type Tx, waitingSince } from '../src/index'
import { connect } from '../src/statements/statements'
import { afterTest, tempStore, until } from './harness'
import { add, allJobs, finishAll, insertJob, queue, read, second, start, worker } from './work-jobs'

test('pauses lie between the base and the base doubled with each attempt, up to the longest', () => {
  const pauses = (random: number, ...attempts: number[]) => attempts.map(doubling(1000, 60_000, () => random).pauseMs)
  expect(pauses(1, 1, 2, 3, 6, 7, 100)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000])
  expect(pauses(0, 1, 5, 100)).toEqual([1000, 1000, 1000])
  expect(pauses(0.5, 3)).toEqual([2500])
  const { pauseMs, longestMs } = stepwise([1000, 5000, 3000])
  expect([[1, 2, 3, 4, 100].map(pauseMs), longestMs]).toEqual([[1000, 5000, 3000, 3000, 3000], 5000])
})

test('all that is due is worked on, in batches, those that waited longest first', async () => {
  const store = await tempStore()
  const ids = Array.from({ length: 5 }, (_, i) => `job-${i}`)
  for (const [i, id] of ids.entries()) await add(store, [id], 'one', new Date(start.getTime() - i))
  const batches: string[][] = []
  const { loop } = worker(
    store,
    async (rows) => {
      batches.push(rows.map(({ id }) => id))
      await finishAll(store)(rows)
    },
    { batch: 2, places: 1 },
  )
  await loop.runDue()
  expect(batches).toEqual([['job-4', 'job-3'], ['job-2', 'job-1'], ['job-0']])
  expect(await queue.backlog(store.read)).toEqual({ depth: 0, oldestDueAt: null })
})

test('a handler that throws has what it did not end rescheduled, later with each attempt', async () => {
  const store = await tempStore()
  await add(store, ['ends', 'fails'])
  const { loop, pass, now } = worker(store, async (rows) => {
    const ending = rows.filter(({ id }) => id === 'ends')
    await store.commit((tx) => queue.finish(tx, ending))
    throw new Error('the handler broke')
  })
  await loop.runDue()
  expect(await read(store, 'ends')).toMatchObject({ dueAt: null, leasedUntil: null, attempts: 0, lastError: null })
  const failed = { leasedUntil: null, lastError: 'It failed here; the log says why' }
  expect(await read(store, 'fails')).toMatchObject({
    ...failed,
    attempts: 1,
    dueAt: new Date(now().getTime() + second),
  })
  pass(second)
  await loop.runDue()
  expect(await read(store, 'fails')).toMatchObject({ attempts: 2, dueAt: new Date(now().getTime() + 2 * second) })
})

test('what was woken in the very moment in which its lease ended comes once more as well', async () => {
  const store = await tempStore()
  await add(store, ['a'])
  const rows = await queue.claim(store, { now: start, limit: 1 })
  const end = new Date(start.getTime() + queue.leaseMs)
  await store.commit((tx) => queue.wake(tx, 'a', end))
  await finishAll(store)(rows)
  expect(await queue.isDue(store.read, end)).toBe(true)
})

test('what was woken during its attempt comes once more, after it', async () => {
  const store = await tempStore()
  await add(store, ['a'])
  let attempts = 0
  let running = 0
  const { loop, now } = worker(store, async (rows) => {
    expect(++running).toBe(1)
    if (++attempts === 1) await store.commit((tx) => queue.wake(tx, 'a', now()))
    await finishAll(store)(rows)
    running--
  })
  await loop.runDue()
  expect(attempts).toBe(2)
  expect(await read(store, 'a')).toMatchObject({ dueAt: null })
})

test('work that has ended is begun again by a request, and not by a wake', async () => {
  const store = await tempStore()
  await add(store, ['a'])
  const { loop, now } = worker(store, finishAll(store))
  await loop.runDue()
  await store.commit((tx) => queue.wake(tx, 'a', now()))
  expect(await read(store, 'a')).toMatchObject({ dueAt: null })
  await store.commit((tx) => queue.request(tx, 'a', now()))
  expect(await read(store, 'a')).toMatchObject({ dueAt: now() })
})

test('a lane that hangs holds up its own work alone, and a free place is used at once', async () => {
  const store = await tempStore()
  await add(store, ['slow-1', 'slow-2'], 'slow')
  await add(store, ['quick-1'], 'quick')
  const gate = Promise.withResolvers<void>()
  const ended: string[] = []
  const { loop } = worker(
    store,
    async (rows) => {
      if (rows[0]?.lane === 'slow') await gate.promise
      await finishAll(store)(rows)
      ended.push(...rows.map(({ id }) => id))
    },
    { byLane: true, batch: 1 },
  )
  await loop.wake()
  await until('the quick lane', () => ended.includes('quick-1'))
  await add(store, ['quick-2'], 'quick')
  await loop.wake()
  await until('the quick lane again', () => ended.includes('quick-2'))
  expect(ended).toEqual(['quick-1', 'quick-2'])
  expect(loop.idle?.()).toBe(false)
  gate.resolve()
  await loop.runDue()
  expect(ended).toEqual(['quick-1', 'quick-2', 'slow-1', 'slow-2'])
})

test('a lane has one handler at a time, and all together no more than there are places', async () => {
  const store = await tempStore()
  for (const lane of ['one', 'two', 'three', 'four']) await add(store, [`${lane}-1`, `${lane}-2`], lane)
  const running: (string | undefined)[] = []
  const most = { all: 0, ofLane: 0 }
  const { loop } = worker(
    store,
    async (rows) => {
      const lane = rows[0]?.lane
      running.push(lane)
      most.all = Math.max(most.all, running.length)
      most.ofLane = Math.max(most.ofLane, running.filter((each) => each === lane).length)
      // The others are looked for while this one is under way.
      await loop.wake()
      await finishAll(store)(rows)
      running.splice(running.indexOf(lane), 1)
    },
    { byLane: true, batch: 1, places: 3 },
  )
  await loop.runDue()
  expect(most).toEqual({ all: 3, ofLane: 1 })
  expect(await queue.backlog(store.read)).toEqual({ depth: 0, oldestDueAt: null })
})

test('lanes with places of their own leave the others theirs, and all free places are claimed for in one commit', async () => {
  const store = await tempStore()
  await add(store, ['s1', 's2', 's3'], 'slow')
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  let commits = 0
  const counted: typeof store = { ...store, commit: (body) => store.commit(body).finally(() => (commits += 1)) }
  const { loop } = worker(
    counted,
    async (rows) => {
      begun.push(...rows.map(({ id }) => id))
      await gate.promise
      await finishAll(store)(rows)
    },
    { batch: 1, places: 4, lanes: { quick: 4, slow: 2 } },
  )
  await loop.wake()
  expect(begun).toEqual(['s1', 's2'])
  await add(store, ['q1', 'q2', 'q3'], 'quick')
  await loop.wake()
  expect(begun).toEqual(['s1', 's2', 'q1', 'q2'])
  expect(commits).toBe(2)
  gate.resolve()
  await loop.runDue()
  expect(begun.toSorted()).toEqual(['q1', 'q2', 'q3', 's1', 's2', 's3'])
  expect(await queue.backlog(store.read)).toEqual({ depth: 0, oldestDueAt: null })
})

test('a claim of fewer rows than there was room for is the last one of its look', async () => {
  const store = await tempStore()
  let gate = Promise.withResolvers<void>()
  const { loop } = worker(store, async (rows) => {
    await gate.promise
    await finishAll(store)(rows)
  })
  const statementsOf = async (ids: string[]) => {
    await add(store, ids)
    gate = Promise.withResolvers()
    const before = store.counts().statements
    await loop.wake()
    const { statements } = store.counts()
    gate.resolve()
    await loop.runDue()
    return statements - before
  }
  // Preparing a statement counts as well.
  await statementsOf(['first', 'second'])
  // Is anything due; what is due; its lease.
  expect(await statementsOf(['one', 'two'])).toBe(3)
})

test('more lanes than a look visits are all served, none twice at once', async () => {
  const store = await tempStore()
  const lanes = Array.from({ length: 450 }, (_, i) => `lane-${String(i).padStart(3, '0')}`)
  for (const lane of lanes) await add(store, [lane], lane)
  const seen: string[] = []
  let after = ''
  for (let looks = 0; looks < 4; looks++) {
    const found = await queue.lanesDue(store.read, { now: start, after })
    seen.push(...found.due)
    after = found.after
  }
  expect([...new Set(seen)].sort()).toEqual(lanes)
  const all = await queue.lanesDue(store.read, { now: start, after: 'lane-448' })
  expect(all.due.slice(0, 3)).toEqual(['lane-449', 'lane-000', 'lane-001'])
  expect(new Set(all.due).size).toBe(all.due.length)
})

test('a stop tells the handlers, waits for them, and takes nothing more', async () => {
  const store = await tempStore()
  await add(store, ['a', 'b'])
  const begun: string[] = []
  const { loop } = worker(
    store,
    async (rows, signal) => {
      begun.push(...rows.map(({ id }) => id))
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await finishAll(store)(rows)
    },
    { batch: 1, places: 1 },
  )
  await loop.wake()
  await loop.stop()
  expect(begun).toHaveLength(1)
  expect((await allJobs(store.read).execute()).filter(({ dueAt }) => dueAt === null)).toHaveLength(1)
})

test('no statement of a queue reads work that has ended', async () => {
  const database = new Database(':memory:')
  afterTest(() => database.close())
  const folder = join(import.meta.dir, 'migrations')
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    database.run(readFileSync(join(folder, file), 'utf8'))
  }
  // As ANALYZE leaves it in a table of a million rows of which a thousand wait.
  database.run('ANALYZE')
  database.run(
    "insert into sqlite_stat1 values ('jobs', 'jobs_due', '1000 2'), ('jobs', 'jobs_lane_due', '1000 100 2')",
  )
  database.run("insert into sqlite_stat1 values ('jobs', 'sqlite_autoindex_jobs_1', '1000000 1')")
  const texts = new Set<string>()
  const recording = {
    prepare(text: string) {
      texts.add(text)
      return database.prepare(text)
    },
  }
  const db = connect(recording as unknown as Database) as Tx
  await insertJob(db).execute({ id: 'a', lane: 'one', isFarAhead: null, ...waitingSince(start) })
  const inserts = texts.size
  const commit = <T>(body: (tx: Tx) => Promise<T>) => body(db)
  const store = { read: db, snapshot: commit, commit }
  const claim = () => queue.claim(store, { now: start, limit: 10 })
  await queue.lanesDue(db, { now: start, after: '' })
  await queue.extend(db, await claim(), start)
  await queue.wake(db, 'a', start)
  await queue.backlog(db)
  const [row] = await queue.claim(store, { now: new Date(start.getTime() + 1e6), limit: 10, lane: 'one' })
  if (!row) throw new Error('It was not claimed again')
  await queue.assertHeld(db, [row])
  await queue.reschedule(db, row, { now: start, error: 'not now' })
  expect(texts.size).toBeGreaterThan(inserts + 8)
  // The rows that a statement is given.
  const isOfGiven = /^(MATERIALIZE given|SCAN given|SCAN CONSTANT ROW)$/
  for (const text of [...texts].slice(inserts)) {
    const values = Array.from({ length: text.split('?').length - 1 }, () => 1)
    const plan = database.prepare<{ detail: string }, number[]>(`explain query plan ${text}`).all(...values)
    for (const { detail } of plan) {
      if (isOfGiven.test(detail)) continue
      expect(`${text}: ${detail}`).toMatch(/: (SEARCH|SCAN jobs USING (COVERING )?INDEX jobs_(lane_)?due)/)
      expect(detail).not.toContain('TEMP B-TREE')
    }
  }
})
