import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  asc,
  type Db,
  deleteAll,
  lt,
  param,
  prepared,
  type Retained,
  retire,
  retireOld,
  startRetiring,
} from '../src/index'
import { bytesOf } from '../src/lists/row-bytes'
import { folderArchive } from '../src/retention/archive'
import { things } from './fixture/things.table'
import { failureOf, insertThing, newThing, tempFile, tempStore, thingIds } from './harness'

const oldest = prepared((db) =>
  db
    .select()
    .from(things)
    .where(lt(things.createdAt, param('before')))
    .orderBy(asc(things.createdAt), asc(things.id))
    .limit(param('limit')),
)
const removeAll = deleteAll(things, 'id')
type Thing = typeof things.$inferSelect
const old: Retained<Thing> = {
  table: 'things',
  oldest: (db: Db, given) => oldest(db).execute(given),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  archived: ({ id, amount }) => ({ id, amount: String(amount) }),
  remove: (tx, rows) =>
    removeAll(
      tx,
      rows.map(({ id }) => id),
    ),
}
/** The first one has become what must stay. */
const stays: Retained<Thing> = {
  ...old,
  remove: (tx, rows) =>
    old.remove(
      tx,
      rows.filter(({ id }) => id !== idAt(0)),
    ),
}
const few = { together: 4, deleted: 3 }
const noon = new Date('2026-01-31T12:00:00.000Z')
const idAt = (n: number) => `thing-${String(n).padStart(2, '0')}`

/** Ten things, a minute between each two, the last one at noon. */
async function tenThings() {
  const store = await tempStore()
  for (let n = 0; n < 10; n++) {
    const createdAt = new Date(noon.getTime() - (9 - n) * 60_000)
    await store.commit((tx) => insertThing(tx).execute(newThing(idAt(n), { createdAt, amount: BigInt(n) })))
  }
  return store
}

const newFolder = () => join(tempFile(), '../archive')
const filesIn = (folder: string) => [...new Bun.Glob('**/*').scanSync({ cwd: folder })].sort()

async function idsIn(folder: string): Promise<string[]> {
  const ids: string[] = []
  for (const file of filesIn(folder)) {
    const text = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes())).toString()
    for (const line of text.trimEnd().split('\n')) ids.push((JSON.parse(line) as { id: string }).id)
  }
  return ids
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => idAt(from + i))

test('rows from before the moment are in the archive, in their order, and out of the table', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  expect(await retire(store, old, { before: noon, archive: folderArchive(folder) }, few)).toBe(9)
  expect([await idsIn(folder), await thingIds(store)]).toEqual([ids(0, 9), [idAt(9)]])
  expect(filesIn(folder)).toEqual([
    expect.stringMatching(/^things\/2026-01\/2026-01-31T115100\.000Z-thing-00-[0-9a-f]{12}\.jsonl\.gz$/),
    expect.stringMatching(/^things\/2026-01\/2026-01-31T115500\.000Z-thing-04-/),
    expect.stringMatching(/^things\/2026-01\/2026-01-31T115900\.000Z-thing-08-/),
  ])
  expect(statSync(join(folder, 'things/2026-01')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, filesIn(folder)[0] ?? '')).mode & 0o777).toBe(0o600)
  expect(await retire(store, old, { before: noon, archive: folderArchive(folder) }, few)).toBe(0)
})

test('what is archived and not deleted yet is archived again: no row is missed', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  let commits = 0
  const broken: Retained<Thing> = {
    ...old,
    async remove(tx, rows) {
      commits += 1
      if (commits === 2) throw new Error('the process ends here')
      return await old.remove(tx, rows)
    },
  }
  const given = { before: noon, archive: folderArchive(folder) }
  expect(String(await failureOf(retire(store, broken, given, few)))).toContain('the process ends here')
  expect(await thingIds(store)).toEqual(ids(3, 10))
  await retire(store, old, given, few)
  expect([[...new Set(await idsIn(folder))], await thingIds(store)]).toEqual([ids(0, 9), [idAt(9)]])
})

test('a row that stayed, and is the first of the next run again, replaces no rows of the run before', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  const given = { before: noon, archive: folderArchive(folder) }
  await retire(store, stays, given)
  expect(await thingIds(store)).toEqual([idAt(0), idAt(9)])
  await retire(store, old, given)
  expect([[...new Set(await idsIn(folder))].sort(), await thingIds(store)]).toEqual([ids(0, 9), [idAt(9)]])
})

test('a service that stops ends a long run between two commits', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  let asked = 0
  const isStopping = () => ++asked > 1
  expect(await retire(store, old, { before: noon, archive: folderArchive(folder), isStopping }, few)).toBe(3)
  expect(await thingIds(store)).toEqual(ids(3, 10))
})

test('what cannot be archived is not deleted', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  mkdirSync(folder, { recursive: true })
  // A file where the folder of the table should be: also root cannot write there.
  writeFileSync(join(folder, 'things'), '')
  expect(await failureOf(retire(store, old, { before: noon, archive: folderArchive(folder) }, few))).toBeInstanceOf(
    Error,
  )
  expect(await thingIds(store)).toEqual(ids(0, 10))
})

test('a row that must stay is left, and those after it leave all the same', async () => {
  const store = await tenThings()
  expect(await retire(store, stays, { before: noon, archive: null }, few)).toBe(8)
  expect(await thingIds(store)).toEqual([idAt(0), idAt(9)])
})

test('rows that must all stay do not hold a run for ever', async () => {
  const store = await tenThings()
  const none: Retained<Thing> = { ...old, remove: async () => 0 }
  expect(await retire(store, none, { before: noon, archive: null }, few)).toBe(0)
  expect(await thingIds(store)).toHaveLength(10)
})

describe('rows that may be large', () => {
  const sizesOf = prepared((db) =>
    db
      .select({ bytes: bytesOf(things.data) })
      .from(things)
      .where(lt(things.createdAt, param('before')))
      .orderBy(asc(things.createdAt), asc(things.id))
      .limit(param('limit')),
  )
  const large: Retained<Thing> = { ...old, sizes: (db, given) => sizesOf(db).execute(given) }

  /** Things with texts of so many bytes in their data, and one from noon. */
  async function thingsOf(sizes: readonly number[]) {
    const store = await tempStore()
    const around = Buffer.byteLength(JSON.stringify({ text: '' }))
    for (const [n, size] of [...sizes, 0].entries()) {
      const createdAt = new Date(noon.getTime() - (sizes.length - n) * 60_000)
      const bytes = Math.max(0, size - around)
      // Characters of two bytes each, and one of one.
      const data = { text: 'é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2) }
      await store.commit((tx) => insertThing(tx).execute(newThing(idAt(n), { createdAt, data })))
    }
    return store
  }
  test.each<[readonly number[], number[]]>([
    [
      [100, 100, 100, 100, 100],
      [4, 1],
    ],
    // Just as many as fit, and one byte more.
    [
      [1000, 2000, 1000, 1000],
      [2, 2],
    ],
    [
      [1000, 2001, 1000, 1000],
      [1, 1, 2],
    ],
    // Larger than what fits, it goes alone.
    [
      [9000, 1000, 9000, 9000, 1000],
      [1, 1, 1, 1, 1],
    ],
  ])('of %j bytes %j are read and archived together, where 3000 are the most, and all leave', async (sizes, files) => {
    const [store, folder] = [await thingsOf(sizes), newFolder()]
    const read: number[] = []
    const oldest = async (db: Db, given: { before: Date; limit: number }) => {
      const rows = await large.oldest(db, given)
      if (rows.length > 0) read.push(rows.length)
      return rows
    }
    const given = { before: noon, archive: folderArchive(folder) }
    expect(await retire(store, { ...large, oldest }, given, { ...few, bytes: 3000 })).toBe(sizes.length)
    expect([read, filesIn(folder).length]).toEqual([files, files.length])
    expect([await idsIn(folder), await thingIds(store)]).toEqual([ids(0, sizes.length), [idAt(sizes.length)]])
  })

  test('a service takes 4 MiB at once', async () => {
    const [store, folder] = [await thingsOf(Array(9).fill(1_000_000)), newFolder()]
    await retireOld([{ retained: large, days: 1 }], { store, folder, now: () => new Date(noon.getTime() + dayMs) })
    expect([filesIn(folder).length, await thingIds(store)]).toEqual([3, [idAt(9)]])
  })
})

const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number) => () => new Date(noon.getTime() + days * dayMs)

test('0 days keep rows for ever, and none is no archive', async () => {
  const store = await tenThings()
  const options = { store, folder: null, now: inDays(2) }
  await retireOld([{ retained: old, days: 0 }], options)
  expect(await thingIds(store)).toHaveLength(10)
  await retireOld([{ retained: old, days: 2 }], options)
  expect(await thingIds(store)).toEqual([idAt(9)])
})

describe('a database that may hold so much', () => {
  /** Things of 4 KB each, an hour between each two, the last one at noon. */
  async function manyThings(count: number) {
    const store = await tempStore()
    const text = 'x'.repeat(4000)
    for (let n = 0; n < count; n++) {
      const createdAt = new Date(noon.getTime() - (count - 1 - n) * 3_600_000)
      await store.commit((tx) => insertThing(tx).execute(newThing(idAt(n), { createdAt, data: { text } })))
    }
    return store
  }
  const bound = { retained: old, days: 0, megabytes: 0.1 }

  test('lets the oldest rows go until it holds no more', async () => {
    const [store, folder] = [await manyThings(60), newFolder()]
    const full = (await store.usedBytes()) ?? 0
    expect(full).toBeGreaterThan(60 * 4000)
    const options = { store, folder, now: inDays(0) }
    const retireAbove = (bytes: number) => retireOld([{ ...bound, megabytes: bytes / 1e6 }], options, few)
    await retireAbove(full)
    expect(await thingIds(store)).toHaveLength(60)
    await retireAbove(full - 10_000)
    // Four leave together.
    expect([await thingIds(store), await idsIn(folder)]).toEqual([ids(4, 60), ids(0, 4)])
    expect(await store.usedBytes()).toBeLessThanOrEqual(full - 10_000)
    await retireAbove(1)
    // What is younger than a day stays, whatever it takes.
    expect([await thingIds(store), await idsIn(folder)]).toEqual([ids(35, 60), ids(0, 35)])
  })

  test('keeps what is younger than its table needs', async () => {
    const store = await manyThings(60)
    await retireOld([{ ...bound, leastDays: 2 }], { store, folder: null, now: inDays(0) })
    expect(await thingIds(store)).toHaveLength(49)
  })

  test('lets those of the first table go first', async () => {
    const store = await manyThings(60)
    const second: Retained<Thing> = { ...old, table: 'second', remove: () => Promise.reject(new Error('not its turn')) }
    const options = { store, folder: null, now: inDays(0) }
    const [first, other] = [
      { ...bound, megabytes: 0.2 },
      { ...bound, megabytes: 0.2, retained: second },
    ]
    expect(await retireOld([other, first], options)).toEqual(new Set(['second']))
    expect(await retireOld([first, other], options)).toEqual(new Set())
  })
})

test('a table whose archive fails is told of until it leaves, and stops no other', async () => {
  const [store, folder] = [await tenThings(), newFolder()]
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'things'), '')
  const other: Retained<Thing> = { ...old, table: 'other', remove: async () => 0 }
  const retentions = [
    { retained: old, days: 2 },
    { retained: other, days: 2 },
  ]
  const loop = startRetiring(retentions, { store, folder, now: inDays(2) })
  expect([loop.outcomes(), loop.problem()]).toEqual([{ things: 1, other: 1 }, null])
  await loop.runNow()
  expect(loop.outcomes()).toEqual({ things: 0, other: 1 })
  expect(loop.problem()).toStartWith('old rows of things cannot leave the database')
  expect([await thingIds(store), filesIn(join(folder, 'other'))]).toHaveLength(2)
  rmSync(join(folder, 'things'))
  await loop.runNow()
  expect([loop.outcomes(), loop.problem()]).toEqual([{ things: 1, other: 1 }, null])
  expect(await thingIds(store)).toEqual([idAt(9)])
  await loop.stop()
})
