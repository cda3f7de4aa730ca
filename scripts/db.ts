/** `bun run db <service>`: reads a service's database. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServiceName, services } from '@bursar/contracts/services'
import { openReadOnly, type ReadOnlyDatabase } from '@bursar/store'

const help = `Usage: bun run db <service> [<table> | "<SQL>"] [--limit 20] [--json] [--data-dir <folder>]

Reads a service's database, whether the service runs or not; it cannot write. Without a table it lists the tables and how many
rows they have; with one it shows the newest rows; anything else is an SQL statement: bun run db customer
"select status, count(*) from customers group by status". Times are milliseconds since 1970.

  --limit <n>           how many rows of a table
  --json                one JSON object a line
  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --help                this text
`

type Row = Record<string, unknown>

const isService = (name: string): name is ServiceName => Object.hasOwn(services, name)

const namesOf = (database: ReadOnlyDatabase): string[] =>
  database
    .rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .map(({ name }) => String(name))

/** A list of the tables, the newest rows of one, or the rows of a statement. */
function look(database: ReadOnlyDatabase, wanted: string | undefined, limit: number): Row[] {
  const tables = namesOf(database)
  if (wanted === undefined) {
    return tables.map((table) => ({ table, rows: database.rows(`SELECT count(*) AS n FROM "${table}"`)[0]?.n }))
  }
  if (tables.includes(wanted)) return database.rows(`SELECT * FROM "${wanted}" ORDER BY rowid DESC LIMIT ${limit}`)
  if (/^\w+$/.test(wanted)) throw new Error(`There is no table ${wanted}; there are ${tables.join(', ')}`)
  return database.rows(wanted)
}

function print(rows: Row[], asJson: boolean): void {
  if (asJson) for (const row of rows) console.log(JSON.stringify(row))
  else if (rows.length > 0) console.table(rows)
  else console.log('No rows.')
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      limit: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      'data-dir': { type: 'string', default: process.env.DATA_DIR || 'data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const [name = '', wanted, ...others] = positionals
  if (!isService(name) || others.length > 0) {
    throw new Error(`Name one service: bun run db ${Object.keys(services).join(' | ')}`)
  }
  const limit = Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new Error(`--limit must be a whole number above 0, not ${values.limit}`)
  const database = openReadOnly(join(values['data-dir'], `${services[name].slug}.sqlite`))
  try {
    print(look(database, wanted, limit), values.json)
  } finally {
    database.close()
  }
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
