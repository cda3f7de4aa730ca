// How SQLite runs statements in a database that has grown for years.
import { Database } from 'bun:sqlite'

/** The number of rows of each table, as given to the planner. */
const rows = 1_000_000
/** The number of rows of a partial index, which has open or rare rows. */
const rowsOfPart = 100
/** The most rows that a statement may read by equal values alone. */
const mostRows = 5000

/**
 * The plan steps whose reads grow with the table, each with its statement. Writes statistics into the file: use a
 * database with the service's tables that serves nothing else.
 */
export function unboundedPlans(file: string, texts: readonly string[]): Plan[] {
  const database = new Database(file)
  try {
    // Without statistics, as services run, and with those of a large database, as after ANALYZE.
    const blind = new Map(texts.map((text) => [text, stepsOf(database, text)]))
    const large = pretendToBeLarge(database)
    return texts.flatMap((text) => {
      const steps = [...new Set([...(blind.get(text) ?? []), ...stepsOf(database, text)])]
      // A page in the order in which the rows are read.
      const isPage = isLimited.test(text) && !text.includes(' where ') && !steps.some((step) => isSorting.test(step))
      if (isPage) return []
      return steps.flatMap((step) => {
        const table = unboundedTable(step, text, large)
        return table === null ? [] : [{ text, step, table }]
      })
    })
  } finally {
    database.close()
  }
}

export interface Plan {
  text: string
  step: string
  table: string
}

interface Large {
  tables: ReadonlySet<string>
  /** By index name: the matching rows by the number of given columns; empty for a partial index. */
  matching: ReadonlyMap<string, readonly number[]>
}

/** Writes the statistics of a large database. */
function pretendToBeLarge(database: Database): Large {
  database.run('ANALYZE')
  database.run('DELETE FROM sqlite_stat1')
  const put = database.prepare('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)')
  const matching = new Map<string, number[]>()
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  for (const { name: table } of tables) {
    put.run(table, null, String(rows))
    for (const index of database.query<IndexRow, [string]>('SELECT * FROM pragma_index_list(?)').all(table)) {
      const counts = matchingOf(database, index)
      put.run(table, index.name, counts.join(' '))
      matching.set(index.name, index.partial ? [] : counts)
    }
  }
  // Makes the planner read the statistics.
  database.run('ANALYZE sqlite_schema')
  return { tables: new Set(tables.map(({ name }) => name)), matching }
}

interface IndexRow {
  name: string
  unique: number
  partial: number
}

/** The rows of an index, and those that match its first column, its first two, and so on. */
function matchingOf(database: Database, { name, unique, partial }: IndexRow): number[] {
  const columns = database.query<{ name: string | null }, [string]>('SELECT name FROM pragma_index_info(?)').all(name)
  let left = partial ? rowsOfPart : rows
  const counts = columns.map((column, i) => {
    left = unique && i === columns.length - 1 ? 1 : Math.max(1, Math.round(left / valuesOf(column.name ?? '')))
    return left
  })
  return [partial ? rowsOfPart : rows, ...counts]
}

/** The assumed number of distinct values of a column, by its name: ids and times have many, kinds and states few. */
function valuesOf(column: string): number {
  const isMany =
    /(^|_)(id|key|hash|address|reference|number|seq|version|text|email|amount|name|token|block|day|at|index)$/
  if (isMany.test(column)) return 100_000
  return /^(sender|payer)$/.test(column) ? 100 : 4
}

function stepsOf(database: Database, text: string): string[] {
  const values = Array.from({ length: text.split('?').length - 1 }, () => 1)
  const plan = database.prepare<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  return plan.map(({ detail }) => detail)
}

const stepForm =
  /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING |AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?INDEX (\w+))?(?: \((.*)\))?/
/** By an index, the highest or lowest value is one row. */
const isOfEnd = /^select (?:min|max)\("\w+"\) from/
/** The condition of an empty list of values, which finds nothing. */
const isOfNone = / where \(?false\b/
const isLimited = /\blimit\b/
const isSorting = /TEMP B-TREE/

/** The table that a step reads too much of; null if it does not. */
function unboundedTable(step: string, text: string, { tables, matching }: Large): string | null {
  const [, how, table = '', index = '', given = ''] = stepForm.exec(step) ?? []
  if (how === undefined || !tables.has(table) || isOfEnd.test(text) || isOfNone.test(text)) return null
  const counts = matching.get(index)
  // A partial index has what is open, or rare.
  if (counts?.length === 0) return null
  if (how === 'SCAN') return table
  if (!counts || /[<>]/.test(given) || isLimited.test(text)) return null
  return (counts[given.split('=?').length - 1] ?? 1) > mostRows ? table : null
}
