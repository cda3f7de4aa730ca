import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { CommitFailedError, openStore } from '../src/index'
import { parts, things } from './fixture/things.table'
import { failureOf, insertPart, insertThing, migrations, newThing, tempFile, tempStore } from './harness'

/** Overwrites a page in the middle of a table, while nothing has the file open. */
function damage(file: string, table: string) {
  const database = new Database(file, { readonly: true })
  const pages = database
    .query<{ pageno: number }, [string]>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .all(table)
  database.close()
  const page = pages[pages.length >> 1]?.pageno ?? 0
  expect(pages.length).toBeGreaterThan(2)
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096)
  closeSync(fd)
}

async function damagedStore() {
  const file = tempFile()
  const before = await openStore({ service: 'store-test', file, migrations })
  const rows = Array.from({ length: 400 }, (_, n) => newThing(`t${n}`, { label: 'x'.repeat(300) }))
  await before.commit(async (tx) => {
    for (const row of rows) await insertThing(tx).execute(row)
  })
  await before.close()
  damage(file, 'things')
  return tempStore({ file })
}

const malformed = { message: 'database disk image is malformed' }

test('a damaged page rejects the reads that meet it, and no other read, commit or the process', async () => {
  const store = await damagedStore()
  const wholeTable = () => store.read.select().from(things)
  for (let round = 0; round < 3; round++) {
    const [first, other, second] = await Promise.all([
      failureOf(wholeTable().then()),
      store.read.select().from(parts),
      failureOf(wholeTable().then()),
    ])
    expect(first).toMatchObject(malformed)
    expect(second).toMatchObject(malformed)
    expect(other).toHaveLength(round)
    // The end of the turn ends the read transaction.
    await new Promise((resolve) => setImmediate(resolve))
    await store.commit((tx) => insertPart(tx).execute({ id: `p${round}`, thingId: 't0' }))
    expect(await store.read.select().from(parts)).toHaveLength(round + 1)
  }
  await store.healthy()
})

test('SQLite commits no transaction that met a damaged page: the batch is rejected whole, and the queue goes on', async () => {
  const store = await damagedStore()
  const part = (id: string) => store.commit((tx) => insertPart(tx).execute({ id, thingId: 't0' }))
  const readAll = () => failureOf(store.commit(async (tx) => tx.select().from(things)))
  const batch = [failureOf(part('a')), readAll(), failureOf(part('b'))]
  for (const failure of await Promise.all(batch)) expect(failure).toBeInstanceOf(CommitFailedError)
  expect(await readAll()).toMatchObject({ message: expect.stringContaining(malformed.message) })
  await part('c')
  expect(await store.read.select().from(parts)).toEqual([{ id: 'c', thingId: 't0' }])
  expect(await failureOf(store.snapshot(async (db) => db.select().from(things)))).toMatchObject(malformed)
  expect(await store.snapshot(async (db) => db.select().from(parts))).toHaveLength(1)
})
