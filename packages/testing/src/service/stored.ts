// What a service's database holds, past the service: in its file, or in its schema on a server.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openReadOnly, sql, type Tx } from '@bursar/store'
import { schemaOf } from '@bursar/store/declared'
import { placeOf, withClient } from './databases'

/** Where a database is: the service's file, and the settings of its platform if it has one. */
export interface Kept {
  file: string
  env?: { DATABASE_URL?: string | undefined }
}

/** The rows that a query gives. */
export async function rowsIn<R = Record<string, unknown>>(kept: Kept, query: string): Promise<R[]> {
  const place = placeOn(kept)
  if ('file' in place) {
    const database = openReadOnly(place.file)
    try {
      return database.rows(query) as R[]
    } finally {
      database.close()
    }
  }
  const rows = await withClient(place.url, (client) =>
    client.begin(async (tx) => {
      await tx.unsafe(`SET LOCAL search_path TO "${place.schema}"`)
      // As JSON, in which whole numbers are numbers.
      return await tx.unsafe(`SELECT row_to_json(q)::text AS row FROM (${query}) AS q`)
    }),
  )
  return rows.map(({ row }: { row: string }) => JSON.parse(row))
}

/** Has a database look set back to an older state, while its service is stopped: without its run file, or by what a server is told. */
export async function setBack(kept: Kept, runFile: string): Promise<void> {
  const place = placeOn(kept)
  if ('file' in place) return rmSync(join(dirname(place.file), runFile))
  await withClient(place.url, (client) =>
    client.unsafe(
      `INSERT INTO "${place.schema}".meta VALUES ('restored', now()::text)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ),
  )
}

/** All that a database holds, as text: to look for what must not be readable in it. */
export async function storedText(kept: Kept): Promise<string> {
  const place = placeOn(kept)
  if ('file' in place) {
    const files = [place.file, `${place.file}-wal`].filter((path) => existsSync(path))
    return files.map((path) => readFileSync(path, 'latin1')).join('')
  }
  const tables = await rowsIn<{ name: string }>(
    kept,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${place.schema}'`,
  )
  const texts = tables.map(async ({ name }) => {
    const rows = await rowsIn<{ text: string }>(kept, `SELECT "${name}"::text AS text FROM "${name}"`)
    return [name, ...rows.map(({ text }) => text)].join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}

/** To open it by. */
export function placeOn({ file, env }: Kept): ReturnType<typeof placeOf> {
  if (env?.DATABASE_URL) return { url: env.DATABASE_URL, schema: basename(file, '.sqlite') }
  return placeOf(file)
}

/** Runs SQL in a commit, past what the store offers, to bring about what a test needs. */
export async function runRaw(tx: Tx, text: string): Promise<void> {
  const raw = tx as unknown as Record<'run' | 'execute', (query: unknown) => Promise<unknown>>
  const schema = schemaOf(tx)
  if (schema === null) return void (await raw.run(sql.raw(text)))
  await raw.execute(sql.raw(`SET LOCAL search_path TO "${schema}"`))
  await raw.execute(sql.raw(text))
}

/** Lets rows of tables that are append-only be changed, in this commit and after it. */
export async function allowChanges(tx: Tx, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if (schemaOf(tx) !== null) await runRaw(tx, `ALTER TABLE ${table} DISABLE TRIGGER USER`)
    else for (const name of await triggersOf(tx, table)) await runRaw(tx, `DROP TRIGGER ${name}`)
  }
}

async function triggersOf(tx: Tx, table: string): Promise<string[]> {
  const raw = tx as unknown as { all(query: unknown): Promise<{ name: string }[]> }
  const rows = await raw.all(sql`select name from sqlite_schema where type = 'trigger' and tbl_name = ${table}`)
  return rows.map(({ name }) => name)
}

/** Makes a database refuse each new row of a table, with this reason. */
export async function refuseRows(tx: Tx, table: string, reason: string): Promise<void> {
  if (schemaOf(tx) === null)
    return await runRaw(
      tx,
      `CREATE TRIGGER no_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, '${reason}'); END`,
    )
  const body = `BEGIN RAISE EXCEPTION '${reason}'; END`
  await runRaw(tx, `CREATE FUNCTION no_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`)
  await runRaw(tx, `CREATE TRIGGER no_${table} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION no_${table}()`)
}

/** Why a promise was rejected, in the words of its error and of that one's causes; undefined when it was not. */
export const reasonOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => {
      const words: string[] = []
      for (let each = error; each instanceof Error; each = each.cause) words.push(each.message)
      return words.join(': ')
    },
  )
