import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MigrationError, openStore } from '../src/index'
import { failureOf, insertPart, makeThing, migrations, tempFile, tempStore, thingIds } from './harness'

const breakpoint = '\n--> statement-breakpoint\n'
const start =
  'CREATE TABLE a (id integer PRIMARY KEY); CREATE TABLE b (id integer PRIMARY KEY, a_id integer NOT NULL REFERENCES a(id) ON DELETE CASCADE)'
const rows = 'INSERT INTO a VALUES (1), (2); INSERT INTO b VALUES (10, 1), (20, 2)'
const rebuild = [
  'PRAGMA foreign_keys=OFF;',
  'CREATE TABLE __new_a (id integer PRIMARY KEY, label text);',
  'INSERT INTO __new_a (id) SELECT id FROM a;',
  'DROP TABLE a;',
  'ALTER TABLE __new_a RENAME TO a;',
  'PRAGMA foreign_keys=ON;',
].join(breakpoint)

/** Migrations by these texts, in a folder beside the file. */
function folderOf(file: string, ...texts: string[]): string {
  const folder = join(dirname(file), '..', 'migrations')
  mkdirSync(join(folder, 'meta'), { recursive: true })
  const entries = texts.map((text, idx) => {
    writeFileSync(join(folder, `${idx}.sql`), text)
    return { idx, when: 1000 + idx, tag: String(idx), breakpoints: true }
  })
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'sqlite', entries }))
  return folder
}

const open = async (file: string, ...texts: string[]) => {
  const store = await openStore({ service: 'store-test', file, migrations: folderOf(file, ...texts) })
  await store.close()
}

const query = (file: string, text: string) => {
  const database = new Database(file, { readonly: true })
  const values = database.query(text).values().flat()
  database.close()
  return values
}

describe('migrations', () => {
  test('a rebuilt table keeps its cascading children', async () => {
    const file = tempFile()
    await open(file, start, rows)
    await open(file, start, rows, rebuild)
    expect(query(file, 'SELECT id FROM b')).toEqual([10, 20])
    expect(query(file, 'SELECT count(*) FROM __drizzle_migrations')).toEqual([3])
  })

  test('one that orphans a row is refused, and leaves the file as it was', async () => {
    const file = tempFile()
    await open(file, start, rows)
    const orphaning = ['ALTER TABLE a ADD COLUMN label text;', 'DELETE FROM a WHERE id = 2;'].join(breakpoint)
    const failure = await failureOf(open(file, start, rows, orphaning))
    expect(failure).toBeInstanceOf(MigrationError)
    expect((failure as Error).message).toStartWith('The migrations leave 1 row(s) without a parent, the first in b')
    expect(query(file, 'SELECT id FROM a')).toEqual([1, 2])
    await open(file, start, rows)
  })

  test('one that fails half-way is refused, and leaves the file as it was', async () => {
    const file = tempFile()
    await open(file, start)
    const failing = [rows, 'INSERT INTO nowhere VALUES (1);'].join(breakpoint)
    expect(await failureOf(open(file, start, failing))).toBeInstanceOf(MigrationError)
    expect(query(file, 'SELECT id FROM a')).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['newer release', [start], 'The database is of a newer release. Start that release, or restore a backup'],
    ['checkout', [`${start};`, rows], 'The database was made by other migrations than those of this release.'],
  ])('a database of a %s is refused, and left as it was', async (_, texts, message) => {
    const file = tempFile()
    await open(file, start, rows)
    const failure = await failureOf(open(file, ...texts))
    expect(failure).toBeInstanceOf(MigrationError)
    expect((failure as Error).message).toStartWith(message)
    expect(query(file, 'SELECT count(*) FROM __drizzle_migrations')).toEqual([2])
    await open(file, start, rows)
  })

  test('a folder without migrations is refused', async () => {
    const opened = openStore({ service: 'store-test', file: tempFile(), migrations: '/nowhere' })
    expect(await failureOf(opened)).toBeInstanceOf(Error)
  })

  test('foreign keys hold once the store is open', async () => {
    const store = await tempStore()
    const failure = await failureOf(store.commit((tx) => insertPart(tx).execute({ id: 'p', thingId: 'nowhere' })))
    expect((failure as Error).message).toContain('FOREIGN KEY')
  })

  test('opening again applies nothing twice', async () => {
    const file = tempFile()
    const store = await openStore({ service: 'store-test', file, migrations })
    await store.commit((tx) => makeThing(tx, 'a'))
    await store.close()
    expect(await thingIds(await tempStore({ file }))).toEqual(['a'])
  })
})
