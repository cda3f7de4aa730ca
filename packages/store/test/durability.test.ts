import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readState } from '../src/engine/read-state'
import { logDefaults } from '../src/engine/write-ahead-log'
import { batched } from '../src/index'
import { things } from './fixture/things.table'
import { afterTest, failureOf, insertThing, makeThing, newThing, tempFile, tempStore, thingIds, until } from './harness'
import { names } from './relay-harness'

/** A store whose syncs in the thread wait until they are let go, and a list of what happened in order. */
async function heldStore(patienceMs = 60_000) {
  const file = tempFile()
  const steps: string[] = []
  const held: (() => void)[] = []
  const store = await tempStore({
    file,
    tuning: {
      patienceMs,
      async sync(fd) {
        steps.push('sync')
        await new Promise<void>((resolve) => held.push(resolve))
        await logDefaults.sync(fd)
        steps.push('synced')
      },
      syncNow(fd) {
        logDefaults.syncNow(fd)
        steps.push('synced now')
      },
    },
  })
  const atOpening = steps.splice(0)
  store.onEvents((events) => steps.push(`events ${events.length}`))
  afterTest(letGo)
  function letGo() {
    for (const go of held.splice(0)) go()
  }
  /** What another connection finds: all that is committed, synced or not. */
  const committed = () => {
    const other = new Database(file, { readonly: true })
    const [[count]] = other.query<[number], []>('SELECT count(*) FROM things').values() as [[number]]
    other.close()
    return count
  }
  const make = (ids: string[]) =>
    ids.map((id) => store.commit((tx) => makeThing(tx, id)).then(() => steps.push(`answer ${id}`)))
  return { store, atOpening, steps, held, letGo, committed, make }
}

describe('what is answered is on the disk', () => {
  test('a large batch is synced in a thread, and nobody sees it before', async () => {
    const { store, steps, held, letGo, committed, make } = await heldStore()
    const answers = make(names(5))
    await until('the batch is committed', () => held.length === 1)
    expect(steps).toEqual(['sync'])
    expect(committed()).toBe(5)
    for (let turn = 0; turn < 5; turn++) {
      expect(await thingIds(store)).toEqual([])
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(store.versionOf(['things', 'outbox'])).toBe(0)
    expect(steps).toEqual(['sync'])
    letGo()
    await Promise.all(answers)
    expect(steps).toEqual(['sync', 'synced', 'events 5', ...names(5).map((id) => `answer ${id}`)])
    expect(await thingIds(store)).toEqual(names(5))
    expect(store.versionOf(['things'])).toBe(5)
  })

  test('a body that many callers share is synced in a thread, and the next runs meanwhile', async () => {
    const { store, steps, held, letGo, committed } = await heldStore()
    const keep = batched(null, async (tx, ids: readonly string[]) => {
      steps.push(`body of ${ids.length}`)
      for (const id of ids) await insertThing(tx).execute(newThing(id))
      return ids
    })
    const first = Promise.all(names(5).map((id) => keep(store, id)))
    await until('the batch is committed', () => held.length === 1)
    const second = keep(store, 'next')
    await until('the next body has run', () => steps.includes('body of 1'))
    expect([steps, committed(), await thingIds(store)]).toEqual([['body of 5', 'sync', 'body of 1'], 5, []])
    letGo()
    expect([await first, await second]).toEqual([names(5), 'next'])
    expect(committed()).toBe(6)
    // One by itself is synced on the spot, when those before it were few as well.
    await keep(store, 'a')
    await keep(store, 'b')
    expect(steps.at(-1)).toBe('synced now')
  })

  test('what is made up for is not synced for its own sake, but with the next commit', async () => {
    const { store, steps, committed } = await heldStore()
    const lease = (id: string) => store.commit((tx) => makeThing(tx, id), undefined, { isMadeUpFor: true })
    const quiet = (id: string) =>
      store.commit((tx) => insertThing(tx).execute(newThing(id)), undefined, { isMadeUpFor: true })
    await quiet('a')
    expect([committed(), await thingIds(store), steps]).toEqual([1, ['a'], []])
    await store.commit((tx) => insertThing(tx).execute(newThing('b')))
    expect(steps).toEqual(['synced now'])
    // Its event is told to others.
    await lease('c')
    expect(steps).toEqual(['synced now', 'synced now', 'events 1'])
    // One of a batch is promised.
    await Promise.all([quiet('d'), store.commit((tx) => insertThing(tx).execute(newThing('e')))])
    expect(steps).toEqual(['synced now', 'synced now', 'events 1', 'synced now'])
    expect(store.versionOf(['things'])).toBe(5)
  })

  test('the next batch runs meanwhile, and commits when the sync is over', async () => {
    const { store, steps, held, letGo, committed, make } = await heldStore()
    const answers = make(names(5))
    await until('the batch is committed', () => held.length === 1)
    const seen = Promise.withResolvers<number>()
    const next = store.commit(async (tx) => {
      await insertThing(tx).execute(newThing('next'))
      seen.resolve((await tx.select().from(things)).length)
    })
    expect(await seen.promise).toBe(6)
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(committed()).toBe(5)
    expect(steps).toEqual(['sync'])
    letGo()
    await Promise.all([...answers, next])
    expect(committed()).toBe(6)
    expect(steps.at(-1)).toBe('synced now')
    expect(steps.indexOf('synced now')).toBeGreaterThan(steps.indexOf('events 5'))
  })

  test('failures and bodies that only read wait for the sync of what they may have read', async () => {
    const { store, steps, held, letGo, make } = await heldStore()
    const answers = make(names(5))
    await until('the batch is committed', () => held.length === 1)
    const failed = store.commit(() => Promise.reject(new Error('no')))
    const failure = failureOf(failed).then(() => steps.push('failed'))
    const read = store.commit(async (tx) => tx.$count(things))
    const counted = read.then((count) => steps.push(`read ${count}`))
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(steps).toEqual(['sync'])
    letGo()
    await Promise.all([...answers, failure, counted])
    const order = steps.filter((step) => !step.startsWith('answer'))
    expect(order.slice(0, 3)).toEqual(['sync', 'synced', 'events 5'])
    expect(order.slice(3).sort()).toEqual(['failed', 'read 5'])
  })

  test('what a killed process left in the log is synced before anything is read', async () => {
    const { atOpening } = await heldStore()
    expect(atOpening).toEqual(['synced now'])
  })

  test('a small batch is synced on the spot; one that changed nothing is not synced', async () => {
    const { store, steps, make } = await heldStore()
    await Promise.all(make(names(4)))
    expect(steps).toEqual(['synced now', 'events 4', ...names(4).map((id) => `answer ${id}`)])
    steps.length = 0
    await Promise.all(names(9).map(() => store.commit(async (tx) => tx.select().from(things))))
    expect(steps).toEqual([])
  })

  test('a sync that waits too long for its thread is done at once', async () => {
    const { store, steps, letGo, make } = await heldStore(5)
    await Promise.all(make(names(5)))
    expect(steps.slice(0, 3)).toEqual(['sync', 'synced now', 'events 5'])
    const closed = store.close().then(() => steps.push('closed'))
    letGo()
    await closed
    expect(steps.slice(-2)).toEqual(['synced', 'closed'])
  })

  test('close waits for the sync', async () => {
    const { store, steps, held, letGo, make } = await heldStore()
    const answers = make(names(5))
    await until('the batch is committed', () => held.length === 1)
    const closed = store.close().then(() => steps.push('closed'))
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(steps).toEqual(['sync'])
    letGo()
    await Promise.all([...answers, closed])
    expect(steps.at(-1)).toBe('closed')
  })

  test.each(['sync', 'syncNow'])('a failed %s ends the process, with nothing answered', async (failing) => {
    const program = join(import.meta.dir, 'failing-sync.ts')
    const child = Bun.spawn([process.execPath, program, tempFile(), failing], { stdout: 'pipe', stderr: 'inherit' })
    afterTest(() => child.kill('SIGKILL'))
    const lines = (await child.stdout.text()).trim().split('\n')
    expect(await child.exited).toBe(1)
    expect(lines).toEqual(['answered first', 'FATAL: the log of the database could not be synced; the process ends'])
  })
})

describe('snapshots', () => {
  test('all reads of one see the same state, whatever is committed meanwhile', async () => {
    const { store, letGo, held, make } = await heldStore()
    await Promise.all(make(['a']))
    const seen = await store.snapshot(async (db) => {
      const before = await db.$count(things)
      await Promise.all(make(['b']))
      expect(await thingIds(store)).toEqual(['a', 'b'])
      const large = make(names(5))
      await until('the batch is committed', () => held.length === 1)
      letGo()
      await Promise.all(large)
      return [before, await db.$count(things)]
    })
    expect(seen).toEqual([1, 1])
    expect(await store.snapshot((db) => db.$count(things).then())).toBe(7)
  })

  test('one that begins during a sync waits for it, and for the answers of what was synced', async () => {
    const { store, steps, letGo, held, make } = await heldStore()
    const answers = make(names(5))
    await until('the batch is committed', () => held.length === 1)
    const read = () =>
      store.snapshot(async (db) => {
        steps.push('body')
        steps.push(`read ${await db.$count(things)}`)
      })
    const counts = [read(), read(), read()]
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(steps).toEqual(['sync'])
    letGo()
    await Promise.all([...counts, ...answers])
    expect(steps.filter((step) => step.startsWith('read'))).toEqual(['read 5', 'read 5', 'read 5'])
    expect(steps.findLastIndex((step) => step.startsWith('answer'))).toBeLessThan(steps.indexOf('body'))
  })

  test('its db is of no use afterwards, it rejects with what its body throws, and close waits for it', async () => {
    const { store, steps } = await heldStore()
    const kept = await store.snapshot(async (db) => db)
    expect(await failureOf(kept.select().from(things).then())).toMatchObject({ name: 'SnapshotEndedError' })
    expect(await failureOf(store.snapshot(() => Promise.reject(new Error('no'))))).toEqual(new Error('no'))
    const slow = store.snapshot(async (db) => {
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`read ${await db.$count(things)}`)
    })
    await store.close()
    expect(steps).toEqual(['read 0'])
    await slow
    expect(await failureOf(store.snapshot(async () => {}))).toMatchObject({ name: 'StoreClosedError' })
  })
})

describe('the state that readers see', () => {
  function readers() {
    const file = tempFile()
    const store = tempStore({ file })
    return store.then(() => {
      const reader = new Database(file, { readonly: true })
      afterTest(() => reader.close())
      return { reader, state: readState(reader), writer: new Database(file) }
    })
  }

  test('a read transaction ends with its turn, and holds up no checkpoint after it', async () => {
    const { reader, state } = await readers()
    state.enter()
    expect(reader.inTransaction).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(reader.inTransaction).toBe(false)
  })

  test('a held state outlasts its turn until it is released, and those that wait begin then', async () => {
    const { reader, state, writer } = await readers()
    state.enter()
    expect(state.pin()).toBe(true)
    const steps: string[] = []
    state.whenReleased(() => steps.push('released'))
    await new Promise((resolve) => setImmediate(resolve))
    writer.run("INSERT INTO outbox (event_id, name, envelope, created_at) VALUES ('a', 'b', '{}', 0)")
    state.enter()
    const count = () => reader.query<{ n: number }, []>('SELECT count(*) AS n FROM outbox').get()?.n
    expect(count()).toBe(0)
    expect(steps).toEqual([])
    state.release()
    expect(steps).toEqual(['released'])
    state.enter()
    expect(count()).toBe(1)
    state.release()
    writer.close()
  })

  test('when an error ends a held transaction, reads reject until it is released', async () => {
    const { reader, state, writer } = await readers()
    expect(state.pin()).toBe(true)
    reader.run('ROLLBACK')
    expect(() => state.enter()).toThrow('ended by an error')
    state.release()
    state.enter()
    expect(reader.inTransaction).toBe(true)
    state.release()
    writer.close()
  })
})
