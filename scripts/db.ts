/** `bun run db <service>`: reads a service's database. */
import { isServiceName, serviceNames } from '@bursar/contracts/services'
import { dialect, openForReading, type Reading } from '@bursar/store'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf, placeOf } from './stack/place'

const help = `Usage: bun run db <service> [<table> | "<SQL>"] [--limit 20] [--json] [--data-dir <folder>]

Reads a service's database, whether the service runs or not; it cannot write. Without a table it lists the tables and how many
rows they have; with one it shows the newest rows; anything else is an SQL statement: bun run db customer
"select status, count(*) from customers group by status". Times are milliseconds since 1970.

  --limit <n>           how many rows of a table
  --json                one JSON object a line
  --data-dir <folder>   where the databases are (DATA_DIR, or data); with DATABASE_URL they are on its server
  --help                this text
`

type Row = Record<string, unknown>

/** What is higher for newer rows of a table: their place, or their key where SQLite keeps them by that alone (`inOneTree`). */
async function placeIn(database: Reading, table: string): Promise<string> {
  if (dialect !== 'sqlite') return 'ctid'
  const [row] = await database.rows(`SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = '${table}'`)
  return Number(row?.wr) === 1 ? '1' : 'rowid'
}

/** A list of the tables, the newest rows of one, or the rows of a statement. */
async function look(database: Reading, wanted: string | undefined, limit: number): Promise<Row[]> {
  const tables = await database.tables()
  if (wanted === undefined) {
    const counts = tables.map((table) => database.rows(`SELECT count(*) AS n FROM "${table}"`))
    return (await Promise.all(counts)).map(([row], i) => ({ table: tables[i], rows: row?.n }))
  }
  if (tables.includes(wanted)) {
    const place = await placeIn(database, wanted)
    return await database.rows(`SELECT * FROM "${wanted}" ORDER BY ${place} DESC LIMIT ${limit}`)
  }
  if (/^\w+$/.test(wanted)) throw new Error(`There is no table ${wanted}; there are ${tables.join(', ')}`)
  return await database.rows(wanted)
}

function print(rows: Row[], asJson: boolean): void {
  if (asJson) for (const row of rows) console.log(JSON.stringify(row))
  else if (rows.length > 0) console.table(rows)
  else console.log('No rows.')
}

const options = {
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean', default: false },
  ...dataDirOption,
} as const

await runCommand({ name: 'db', help, options, takesWords: true }, async (values, words) => {
  const [name = '', wanted, ...others] = words
  if (!isServiceName(name) || others.length > 0) {
    throw new Error(`Name one service: bun run db ${serviceNames.join(' | ')}`)
  }
  const limit = Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new Error(`--limit must be a whole number above 0, not ${values.limit}`)
  const database = await openForReading(placeOf(name, dataDirOf(values['data-dir'])))
  try {
    print(await look(database, wanted, limit), values.json)
  } finally {
    await database.close()
  }
})
