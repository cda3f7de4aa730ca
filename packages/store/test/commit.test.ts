import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { CommitFailedError, OutsideCommitError, openStore, StoreClosedError, type Tx } from '../src/index'
import { things } from './fixture/things.table'
import {
  failureOf,
  insertPart,
  insertThing,
  makeThing,
  migrations,
  newThing,
  readRaw,
  refuse,
  runRaw,
  tempFile,
  tempStore,
  thingIds,
  thingsOf,
} from './harness'

describe('commit', () => {
  test('bodies run one after another although they await', async () => {
    const store = await tempStore()
    const steps: string[] = []
    const body = (name: string) => async (tx: Tx) => {
      for (let step = 0; step < 3; step++) {
        await insertThing(tx).execute(newThing(`${name}${step}`))
        steps.push(name)
      }
    }
    await Promise.all(['a', 'b', 'c'].map((name) => store.commit(body(name), `key of ${name}`)))
    expect(steps.join('')).toBe('aaabbbccc')
  })

  test('readers see nothing of a batch until it is committed, and all of it when it is answered', async () => {
    const store = await tempStore()
    const seen: number[] = []
    const body = (id: string) => async (tx: Tx) => {
      await insertThing(tx).execute(newThing(id))
      seen.push((await thingIds(store)).length, (await tx.select().from(things)).length)
    }
    const commits = ['a', 'b', 'c'].map((id) => store.commit(body(id)).then(() => thingIds(store)))
    for (const ids of await Promise.all(commits)) expect(ids).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual([0, 1, 0, 2, 0, 3])
  })

  test('a body that throws takes back its own writes and events, and no one else’s', async () => {
    const store = await tempStore()
    const heard: string[] = []
    store.onEvents((events) => heard.push(...thingsOf(events.map(({ envelope }) => envelope))))
    const failing = async (tx: Tx) => {
      await makeThing(tx, 'bad1')
      await makeThing(tx, 'bad2')
      refuse()
    }
    const results = await Promise.allSettled([
      store.commit((tx) => makeThing(tx, 'a')),
      store.commit(failing),
      store.commit((tx) => makeThing(tx, 'b')),
      store.commit(refuse),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(failureOf(store.commit(failing))).resolves.toEqual(new Error('the body changed its mind'))
    expect(await thingIds(store)).toEqual(['a', 'b'])
    expect(heard).toEqual(['a', 'b'])
  })

  test('any mix of bodies leaves the rows and events of those that did not throw', async () => {
    const plan = fc.array(
      fc.record({ throws: fc.boolean(), writes: fc.integer({ min: 0, max: 3 }), turn: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(plan, async (bodies) => {
        const store = await openStore({ service: 'store-test', file: tempFile(), migrations })
        const heard: string[] = []
        store.onEvents((events) => heard.push(...thingsOf(events.map(({ envelope }) => envelope))))
        const expected: string[] = []
        const commits: Promise<unknown>[] = []
        for (const [place, { throws, writes, turn }] of bodies.entries()) {
          const ids = Array.from({ length: writes }, (_, n) => `${String(place).padStart(3, '0')}-${n}`)
          if (!throws) expected.push(...ids)
          const commit = store.commit(async (tx) => {
            for (const id of ids) await makeThing(tx, id)
            if (throws) refuse()
          })
          commits.push(failureOf(commit))
          if (turn) await new Promise((resolve) => setImmediate(resolve))
        }
        await Promise.all(commits)
        expect(await thingIds(store)).toEqual(expected)
        expect(heard).toEqual(expected)
        await store.close()
      }),
      { numRuns: 25 },
    )
  })

  test('more bodies than a batch holds are all answered', async () => {
    const store = await tempStore()
    const ids = Array.from({ length: 1200 }, (_, n) => String(n).padStart(4, '0'))
    await Promise.all(ids.map((id) => store.commit((tx) => insertThing(tx).execute(newThing(id)))))
    expect(await thingIds(store)).toEqual(ids)
  })

  test('a COMMIT that fails rejects its batch, publishes nothing, and the queue goes on', async () => {
    const store = await tempStore()
    const heard: unknown[] = []
    store.onEvents((events) => heard.push(...events))
    const orphan = async (tx: Tx) => {
      runRaw(tx, 'PRAGMA defer_foreign_keys = ON')
      await insertPart(tx).execute({ id: 'p', thingId: 'nowhere' })
    }
    const batch = [store.commit((tx) => makeThing(tx, 'a')), store.commit(orphan), store.commit(refuse)]
    for (const failure of await Promise.all(batch.map(failureOf))) expect(failure).toBeInstanceOf(CommitFailedError)
    expect(heard).toEqual([])
    expect(store.commitFailures()).toBe(1)
    await store.commit((tx) => makeThing(tx, 'b'))
    expect(await thingIds(store)).toEqual(['b'])
  })

  test('a BEGIN that fails rejects its batch, and the queue goes on', async () => {
    const file = tempFile()
    const store = await tempStore({ file })
    await store.commit(async (tx) => runRaw(tx, 'PRAGMA busy_timeout = 0'))
    const other = new Database(file)
    other.run('BEGIN IMMEDIATE')
    expect(await failureOf(store.commit((tx) => makeThing(tx, 'a')))).toBeInstanceOf(CommitFailedError)
    other.close()
    await store.commit((tx) => makeThing(tx, 'b'))
    expect(await thingIds(store)).toEqual(['b'])
  })

  test('when SQLite ends the transaction, the whole batch is rejected', async () => {
    const store = await tempStore()
    const ended = async (tx: Tx) => {
      runRaw(tx, 'ROLLBACK')
      refuse()
    }
    const batch = [
      store.commit((tx) => makeThing(tx, 'a')),
      store.commit(ended),
      store.commit((tx) => makeThing(tx, 'b')),
    ]
    for (const failure of await Promise.all(batch.map(failureOf))) expect(failure).toBeInstanceOf(CommitFailedError)
    expect(await thingIds(store)).toEqual([])
  })

  test('a full disk loses its batch and nothing else, though a body swallows the error', async () => {
    const store = await tempStore()
    const big = newThing('big', { label: 'x'.repeat(1_000_000) })
    await store.commit(async (tx) => runRaw(tx, 'PRAGMA max_page_count = 60'))
    const swallowed: unknown[] = []
    const stubborn = async (tx: Tx) => {
      swallowed.push(await failureOf(insertThing(tx).execute(big)))
      for (const later of [makeThing(tx, 'small'), tx.delete(things).then()]) swallowed.push(await failureOf(later))
    }
    const batch = [store.commit((tx) => makeThing(tx, 'a')), store.commit(stubborn)]
    for (const failure of await Promise.all(batch.map(failureOf))) expect(failure).toBeInstanceOf(CommitFailedError)
    expect(swallowed).toHaveLength(3)
    expect(swallowed[0]).toMatchObject({ message: 'database or disk is full' })
    for (const refused of swallowed.slice(1)) expect(refused).toBeInstanceOf(OutsideCommitError)
    await store.commit((tx) => makeThing(tx, 'b'))
    expect(await thingIds(store)).toEqual(['b'])
  })
})

describe('opening and closing', () => {
  test('the log is ahead of the file, and foreign keys are enforced', async () => {
    const store = await tempStore()
    const pragma = (name: string) => store.commit(async (tx) => readRaw(tx, `PRAGMA ${name}`))
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('foreign_keys')).toEqual([1])
  })

  test('the file and its folder are the owner’s alone', async () => {
    const file = tempFile()
    const store = await openStore({ service: 'store-test', file, migrations })
    await store.commit((tx) => makeThing(tx, 'a'))
    const mode = (path: string) => statSync(path).mode & 0o777
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual([0o600, 0o600, 0o600])
    expect(mode(dirname(file))).toBe(0o700)
    await store.close()
  })

  test('close answers what was taken, folds the log in, and refuses the rest', async () => {
    const file = tempFile()
    const store = await openStore({ service: 'store-test', file, migrations })
    await store.healthy()
    const taken = Promise.all(['a', 'b', 'c'].map((id) => store.commit((tx) => makeThing(tx, id))))
    const closed = store.close()
    expect(await failureOf(store.commit(async () => {}))).toBeInstanceOf(StoreClosedError)
    await taken
    await closed
    await store.close()
    expect(await failureOf(store.healthy())).toBeInstanceOf(StoreClosedError)
    expect(await failureOf(thingIds(store))).toBeInstanceOf(Error)
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    const again = await tempStore({ file })
    expect(await thingIds(again)).toEqual(['a', 'b', 'c'])
  })
})
