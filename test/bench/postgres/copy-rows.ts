import { Database } from 'bun:sqlite'

/** Rows of one statement. */
const chunk = 2000

/**
 * Copies the rows of a service's SQLite file into its schema on a server, in place of those there: both have the same tables. The
 * service is stopped, and the user may leave triggers and references out.
 */
export async function copyRows(file: string, url: string, schema: string): Promise<void> {
  const source = new Database(file, { readonly: true, safeIntegers: true })
  const server = new Bun.SQL(url, { max: 1 })
  const run = (text: string, values: unknown[] = []) => server.unsafe(text, values)
  try {
    await run('SET session_replication_role TO replica')
    for (const table of namesIn(source)) {
      const target = `"${schema}"."${table}"`
      await run(`TRUNCATE ${target} CASCADE`)
      let rows: unknown[] = []
      const write = async () => {
        // A text of JSON has each value as text too, which its column's type reads.
        const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        await run(`INSERT INTO ${target} SELECT * FROM json_populate_recordset(NULL::${target}, $1::text::json)`, [
          text,
        ])
        rows = []
      }
      for (const row of source.query(`SELECT * FROM "${table}"`).iterate()) {
        rows.push(row)
        if (rows.length === chunk) await write()
      }
      if (rows.length > 0) await write()
    }
    for (const { name, key } of await keysGiven(run, schema)) {
      const target = `"${schema}"."${name}"`
      await run(
        `SELECT setval(pg_get_serial_sequence('${target}', '${key}'), (SELECT coalesce(max("${key}"), 0) + 1 FROM ${target}), false)`,
      )
    }
    await run('VACUUM ANALYZE')
  } finally {
    await server.close()
    source.close()
  }
}

/** The tables of the service: not those of SQLite, nor of its migrations. */
const namesIn = (database: Database): string[] =>
  database
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name NOT LIKE '@_@_%' ESCAPE '@'`,
    )
    .all()
    .map(({ name }) => name)

/** Columns whose values the server gives. */
const keysGiven = (run: (text: string) => Promise<unknown>, schema: string) =>
  run(
    `SELECT table_name AS name, column_name AS key FROM information_schema.columns
     WHERE table_schema = '${schema}' AND is_identity = 'YES'`,
  ) as Promise<{ name: string; key: string }[]>
