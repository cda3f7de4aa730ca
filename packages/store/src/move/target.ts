// The schemas of a server into which files are copied. Until the copy is complete they have names that no service uses,
// so that an unfinished copy is never taken for a complete one.
import { migrateSchema, notReached, unfinished } from '../postgres/migrate'
import { type Connection, openPool } from '../postgres/pool'
import { arrayOf, type Column, type Form, formOf, type Summary, summing, textOf } from './values'

/** Tables that only a server's schemas have. */
const ofServer = ['__drizzle_migrations', '__lock', '__health']

export type Target = Awaited<ReturnType<typeof openTarget>>

type Row = readonly (string | null)[]
type Place = { schema: string; table: string }

const pageRows = 1000

export async function openTarget(url: string) {
  const pool = openPool(url, 1)
  const connection = await pool.take().catch((cause: unknown) => notReached(cause, 'its address'))
  const { run, script } = connection
  let cursors = 0
  const names = async (text: string, values: readonly unknown[]) =>
    (await run(text, values)).rows.map(([name]) => String(name))

  return {
    /** The server's version, as a number: 150008. */
    version: async () => Number((await names("SELECT current_setting('server_version_num')", []))[0]),
    /** Which of these schemas exist. */
    async present(schemas: readonly string[]) {
      const there = new Set(await names('SELECT nspname::text FROM pg_catalog.pg_namespace', []))
      return schemas.filter((name) => there.has(name))
    },
    /** Creates the schema anew, with the empty tables of this release. */
    async make(schema: string, migrations: string) {
      await script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      const own = openPool(url, 1)
      await migrateSchema(own, schema, migrations).finally(own.close)
    },
    drop: (schema: string) => script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`),
    /** The schema's tables; referenced ones come first. */
    tables: (schema: string) => tablesOf(connection, schema),
    /** The columns of each of its tables. */
    async columns(schema: string): Promise<ReadonlyMap<string, Column[]>> {
      const { rows } = await run(
        `SELECT table_name::text, column_name::text, data_type::text, is_identity::text FROM information_schema.columns
         WHERE table_schema = $1 ORDER BY ordinal_position`,
        [schema],
      )
      const found = rows.map(([table, name, type, identity]) => ({
        table: String(table),
        column: { name: String(name), type: String(type), isGiven: identity === 'YES' },
      }))
      const ofTables = Map.groupBy(found, ({ table }) => table)
      return new Map([...ofTables].map(([table, each]) => [table, each.map(({ column }) => column)]))
    },
    async insert({ schema, table, columns }: Place & { columns: readonly Column[] }, rows: readonly Row[]) {
      const listed = columns.map(({ name }) => `"${name}"`).join(', ')
      const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')
      const values = columns.map((column, place) =>
        arrayOf(
          column,
          rows.map((row) => row[place] ?? null),
        ),
      )
      await run(`INSERT INTO "${schema}"."${table}" (${listed}) SELECT * FROM unnest(${arrays})`, values)
    },
    /** The next row of the table gets a higher number than this. */
    async continueAfter({ schema, table, column }: Place & { column: Column }, number: number) {
      await script(`ALTER TABLE "${schema}"."${table}" ALTER COLUMN "${column.name}" RESTART WITH ${number + 1}`)
    },
    /** Reads all rows back; the server computes the sums. */
    summary(schema: string, table: string, columns: readonly Column[]) {
      cursors += 1
      return summaryOf(connection, { from: `"${schema}"."${table}"`, columns, cursor: `every_${cursors}` })
    },
    /** Renames all schemas at once, to the names that services use. */
    async publish(schemas: readonly string[]) {
      const renames = schemas.map((name) => `ALTER SCHEMA "${unfinished(name)}" RENAME TO "${name}"`)
      await script(['BEGIN', ...renames, 'COMMIT'].join('; '))
    },
    async close() {
      connection.release()
      await pool.close()
    },
  }
}

async function tablesOf({ run }: Connection, schema: string): Promise<string[]> {
  const { rows: tables } = await run(
    'SELECT table_name::text FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
    [schema],
  )
  const { rows: references } = await run(
    `SELECT child.relname::text, parent.relname::text FROM pg_catalog.pg_constraint c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
     JOIN pg_catalog.pg_class child ON child.oid = c.conrelid
     JOIN pg_catalog.pg_class parent ON parent.oid = c.confrelid
     WHERE c.contype = 'f' AND n.nspname = $1`,
    [schema],
  )
  return parentsFirst(
    tables.map(([name]) => String(name)).filter((name) => !ofServer.includes(name)),
    references.map(([child, parent]) => ({ child: String(child), parent: String(parent) })),
  )
}

interface Summing {
  from: string
  columns: readonly Column[]
  /** A name of its own: a prepared statement of the same text has the columns of another table. */
  cursor: string
}

async function summaryOf({ run, script }: Connection, { from, columns, cursor }: Summing): Promise<Summary> {
  const forms = columns.map(formOf)
  const formed = (row: readonly unknown[]) =>
    row.map((value, place) => (value === null ? null : (forms[place] as Form)(String(value))))
  const sum = summing(columns)
  await script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout TO 0')
  try {
    await script(`DECLARE ${cursor} CURSOR FOR SELECT ${columns.map(textOf).join(', ')} FROM ${from}`)
    for (let count = pageRows; count === pageRows; ) {
      const { rows } = await run(`FETCH ${pageRows} FROM ${cursor}`)
      count = rows.length
      for (const row of rows) sum.add(formed(row))
    }
    const amounts = columns.filter(({ type }) => type === 'numeric')
    const totals = amounts.map(({ name }) => `coalesce(sum("${name}"), 0)::text`)
    const [found = []] = totals.length === 0 ? [] : (await run(`SELECT ${totals.join(', ')} FROM ${from}`)).rows
    return { ...sum.summary(), sums: Object.fromEntries(amounts.map(({ name }, i) => [name, String(found[i])])) }
  } finally {
    await script('ROLLBACK')
  }
}

function parentsFirst(tables: readonly string[], references: readonly { child: string; parent: string }[]): string[] {
  const sorted: string[] = []
  const add = (table: string) => {
    if (sorted.includes(table)) return
    for (const { child, parent } of references) if (child === table && parent !== table) add(parent)
    sorted.push(table)
  }
  for (const table of tables) add(table)
  return sorted
}
