import { unfinished } from '../postgres/migrate'
import type { Source, Stored } from './source'
import type { Target } from './target'
import { type Column, formOf, type Summary, summing } from './values'

/** Reports how many rows of a table were copied, of how many. */
export type Progress = (table: string, copied: number, all: number) => void

/** The file and the server differ after the copy. */
export class MoveDifference extends Error {
  override name = 'MoveDifference'
}

/** Tables that only SQLite's databases have. */
const ofFile = ['__drizzle_migrations', '__health']
/** Tables of instances on a server: always empty in a file. */
const ofInstances = ['arrivals', 'instances', 'leases']

/** Rows and bytes per statement: documents are stored in parts. */
const mostRows = 500
const mostCharacters = 4_000_000

interface Table {
  name: string
  columns: readonly Column[]
}

/**
 * Copies all tables of a service into its unfinished schema, which must be empty, and compares both afterwards. Returns
 * the number of rows per table. Throws MoveDifference.
 */
export async function copyTables(
  source: Source,
  target: Target,
  schema: string,
  progress: Progress = () => {},
): Promise<ReadonlyMap<string, number>> {
  const into = unfinished(schema)
  const tables = await tablesOf(source, target, into)
  const copied = new Map<string, number>()
  for (const table of tables) {
    const found = await copyTable(source, target, { ...table, into, progress })
    compare(`${schema}.${table.name}`, found, await target.summary(into, table.name, table.columns))
    copied.set(table.name, found.rows)
    const key = table.columns.find(({ isGiven }) => isGiven)
    if (key) await target.continueAfter({ schema: into, table: table.name, column: key }, source.given(table.name))
  }
  return copied
}

/** Throws unless both have the same tables and columns. */
async function tablesOf(source: Source, target: Target, schema: string): Promise<Table[]> {
  const names = (await target.tables(schema)).filter((name) => !ofInstances.includes(name))
  const there = source.tables().filter((name) => !ofFile.includes(name) && !ofInstances.includes(name))
  requireSame(`The tables of ${schema}`, there, names)
  const ofTables = await target.columns(schema)
  return names.map((name) => {
    const columns = ofTables.get(name) ?? []
    requireSame(
      `The columns of ${name}`,
      source.columns(name),
      columns.map((column) => column.name),
    )
    return { name, columns }
  })
}

function requireSame(what: string, ofSource: readonly string[], ofTarget: readonly string[]): void {
  const other = [...new Set(ofSource).symmetricDifference(new Set(ofTarget))]
  if (other.length > 0) throw new MoveDifference(`${what} are not the same in the file and on the server: ${other}`)
}

async function copyTable(
  source: Source,
  target: Target,
  { name, columns, into, progress }: Table & { into: string; progress: Progress },
): Promise<Summary> {
  const forms = columns.map(formOf)
  const formed = (row: readonly Stored[]) =>
    row.map((value, place) => (value === null ? null : (forms[place] as (typeof forms)[number])(value)))
  const all = source.count(name)
  const sum = summing(columns)
  const names = columns.map((column) => column.name)
  for (const page of source.rows(name, names, mostRows)) {
    const rows = page.map(formed)
    for (const row of rows) sum.add(row)
    for (const some of bounded(rows)) await target.insert({ schema: into, table: name, columns }, some)
    progress(name, sum.rows(), all)
  }
  return sum.summary()
}

/** The rows in order, in parts of one statement each. */
function* bounded<R extends readonly (string | null)[]>(rows: readonly R[]): Generator<R[]> {
  let part: R[] = []
  let size = 0
  for (const row of rows) {
    const characters = row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
    if (part.length > 0 && size + characters > mostCharacters) {
      yield part
      part = []
      size = 0
    }
    part.push(row)
    size += characters
  }
  if (part.length > 0) yield part
}

function compare(table: string, file: Summary, server: Summary): void {
  if (file.rows !== server.rows)
    throw new MoveDifference(`${table} has ${file.rows} rows in the file, and ${server.rows} on the server`)
  for (const [name, sum] of Object.entries(file.sums))
    if (sum !== server.sums[name])
      throw new MoveDifference(
        `The ${name} of ${table} add up to ${sum} in the file, and to ${server.sums[name]} on the server`,
      )
  if (file.checksum !== server.checksum)
    throw new MoveDifference(`The rows of ${table} are not the same in the file and on the server`)
}
