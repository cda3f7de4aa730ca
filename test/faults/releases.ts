// Databases of each release, one SQL text for each service with two rows in every table: backups of all of them stay
// readable. `bun test/faults/releases.ts` writes those of the version in package.json, once it is to be released.
import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import packageJson from '../../package.json'

const folder = join(import.meta.dir, 'fixture/releases')
const rowsPerTable = 2
/** What a store notes of itself. */
const ownTables = ['__drizzle_migrations', '__health', 'meta']

export const migrationsOf = (name: ServiceName): string =>
  join(import.meta.dir, `../../services/${name}/migrations/sqlite`)

/** The releases that are kept, oldest first. */
export const releases = (): string[] => readdirSync(folder).sort(Bun.semver.order)

/** A service's database as a release left it: the path of its file, in a folder of its own. */
export function databaseOf(release: string, name: ServiceName): { dataDir: string; file: string } {
  const dataDir = tempDir()
  const file = join(dataDir, `${services[name].slug}.sqlite`)
  using database = new Database(file, { create: true })
  database.run(readFileSync(join(folder, release, `${name}.sql`), 'utf8'))
  return { dataDir, file }
}

type Value = string | number | null
type Row = Record<string, Value>

/** All rows of a file by table, but for a store's own. */
export function rowsOf(file: string): Map<string, Row[]> {
  using database = new Database(file, { readonly: true })
  return new Map(tablesIn(database).map((table) => [table, database.query<Row, []>(`SELECT * FROM "${table}"`).all()]))
}

/** What of the rows before is not among those after, in words; a column that is gone counts as lost. */
export function lostRows(before: Map<string, Row[]>, after: Map<string, Row[]>): string[] {
  return [...before].flatMap(([table, rows]) => {
    const found = after.get(table)
    if (!found) return [`table ${table}`]
    const keeps = (row: Row) =>
      found.some((other) => Object.entries(row).every(([name, value]) => other[name] === value))
    return rows.filter((row) => !keeps(row)).map((row) => `a row of ${table}: ${JSON.stringify(row)}`)
  })
}

/** Fills all tables of a file that has its schema; no column is null. */
export function fill(file: string): void {
  using database = new Database(file)
  for (const table of tablesIn(database)) {
    const columns = columnsOf(database, table)
    for (let row = 1; row <= rowsPerTable; row++) {
      const names = columns.map(({ name }) => `"${name}"`).join(', ')
      const values = columns.map(({ name }) => sampleOf(database, table, name, row))
      database.run(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`, values)
    }
  }
}

const tablesIn = (database: Database): string[] =>
  database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !ownTables.includes(name))
    .sort()

const columnsOf = (database: Database, table: string) =>
  database.query<{ name: string; type: string }, []>(`PRAGMA table_info("${table}")`).all()

/** Another one in each row, and JSON wherever it is text. What refers to another table has the value of its row there. */
function sampleOf(database: Database, table: string, column: string, row: number): Value {
  const keys = database.query<{ table: string; from: string; to: string }, []>(`PRAGMA foreign_key_list("${table}")`)
  const parent = keys.all().find(({ from }) => from === column)
  if (parent) return sampleOf(database, parent.table, parent.to, row)
  const type = columnsOf(database, table).find(({ name }) => name === column)?.type
  return type?.toUpperCase() === 'TEXT' ? JSON.stringify(`${column} ${row}`) : row
}

/** The schema and all rows, as statements. */
function dumped(file: string): string {
  using database = new Database(file, { readonly: true })
  const schema = database
    .query<{ type: string; sql: string }, []>(
      "SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )
    .all()
  const isTable = ({ type }: { type: string }) => type === 'table'
  const inserts = [...ownTables, ...tablesIn(database)].flatMap((table) =>
    database
      .query<Row, []>(`SELECT * FROM "${table}"`)
      .all()
      .map((row) => `INSERT INTO "${table}" VALUES (${Object.values(row).map(literal).join(', ')});`),
  )
  const statements = (of: typeof schema) => of.map(({ sql }) => `${sql};`)
  // Triggers and indexes come after the rows.
  const others = schema.filter((each) => !isTable(each))
  return `${[...statements(schema.filter(isTable)), ...inserts, ...statements(others)].join('\n')}\n`
}

const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL')

if (import.meta.main) {
  const release = join(folder, packageJson.version)
  mkdirSync(release, { recursive: true })
  for (const name of serviceNames) {
    const file = join(tempDir(), 'release.sqlite')
    await (await openStore({ service: name, file, migrations: migrationsOf(name) })).close()
    fill(file)
    writeFileSync(join(release, `${name}.sql`), dumped(file))
  }
  console.log(`The databases of ${packageJson.version} are in ${release}`)
}
