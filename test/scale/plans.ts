import { Database } from 'bun:sqlite'

/** A statement that goes over a whole table, or sorts one. */
export interface PlanComplaint {
  statement: string
  problem: string
}

/** Exempt statements, by a part of their text, each with the reason. */
export type PlanExceptions = Readonly<Record<string, string>>

interface Step {
  id: number
  parent: number
  detail: string
}

/**
 * What the database would do for each of these statements that grows with its tables: go over all rows of one, or sort
 * them. No service keeps statistics, and without them SQLite takes every table for one of a million rows, however few it
 * has: the plan is the same in a small database and in a large one.
 */
export function planComplaints(
  file: string,
  statements: Iterable<string>,
  { grown, exceptions }: { grown: readonly string[]; exceptions: PlanExceptions },
): PlanComplaint[] {
  const db = new Database(file, { readonly: true })
  try {
    requireNoStatistics(db)
    const unique = uniqueSearches(db)
    return [...statements]
      .filter(
        (text) =>
          isQuery.test(text) &&
          !readsNothing.test(text) &&
          !Object.keys(exceptions).some((part) => text.includes(part)),
      )
      .flatMap((statement) =>
        problemsOf(stepsOf(db, statement), { text: statement, grown, findsOne: unique }).map((problem) => ({
          statement,
          problem,
        })),
      )
  } finally {
    db.close()
  }
}

const isQuery = /^\s*(select|with|update|delete|insert)\b/i
/** The plan of an empty list of values: it reads nothing. */
const readsNothing = /\bwhere \(?false\b/

function requireNoStatistics(db: Database) {
  const known = db.query(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`).get()
  if (known) throw new Error('The database has statistics: its plans are those of its own size')
}

function stepsOf(db: Database, text: string): Step[] {
  const statement = db.query<Step, null[]>(`EXPLAIN QUERY PLAN ${text}`)
  return statement.all(...Array.from({ length: statement.paramsCount }, () => null))
}

const isAggregate = /\b(?:count|sum|min|max)\(/i
/** Counts run over a subquery with its own limit. */
const limitedFirst = /limit \+\?\) "\w+"$/

/** Sorts a derived table, such as the rows of a subquery. */
const madeHere = /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/
const scan = /^SCAN (\S+)(.*)/
const reads = /^(?:SCAN|SEARCH) (\S+)/
const sort = /^USE TEMP B-TREE FOR (.*)/

/** Says of a step whether it finds one row for each value that it looks for: by the whole of a unique index. */
function uniqueSearches(db: Database): (detail: string) => boolean {
  const columns = new Map(
    db
      .query<{ name: string; columns: number }, []>(
        `SELECT i.name, count(*) AS columns FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
         WHERE t.type = 'table' AND i."unique" GROUP BY i.name`,
      )
      .all()
      .map((index) => [index.name, index.columns]),
  )
  return (detail) => {
    const [, index = '', looked = ''] = /^SEARCH \S+ USING (?:COVERING )?INDEX (\S+) \((.*)\)/.exec(detail) ?? []
    return /\(rowid=\?\)$/.test(detail) || (index !== '' && looked.split('=?').length - 1 === columns.get(index))
  }
}

interface Judged {
  text: string
  grown: readonly string[]
  findsOne: (detail: string) => boolean
}

function problemsOf(steps: readonly Step[], { text, grown, findsOne }: Judged): string[] {
  const names = namesOf(text, grown)
  const made = new Set(steps.flatMap(({ detail }) => madeHere.exec(detail)?.[1] ?? []))
  /** The table of a step, when it grows and no subquery goes by its name. */
  const tableOf = (name: string, parent: number): string | undefined =>
    made.has(name) && steps.some((step) => step.parent === parent && madeHere.exec(step.detail)?.[1] === name)
      ? undefined
      : names.get(name)
  return steps.flatMap(({ detail, parent }) => {
    const [, scanned, how = ''] = scan.exec(detail) ?? []
    const table = scanned === undefined ? undefined : tableOf(scanned, parent)
    // In the order of an index, and no further than the limit.
    const isLimited =
      how.includes('INDEX') && /\blimit\b/i.test(text) && (!isAggregate.test(text) || limitedFirst.test(text))
    if (table !== undefined && !isLimited) return [`goes over all of ${table}: ${detail}`]
    const [, sorted] = sort.exec(detail) ?? []
    if (sorted === undefined) return []
    const beside = steps.filter((step) => step.parent === parent)
    const read = beside
      .filter((step) => !findsOne(step.detail))
      .flatMap((step) => tableOf(reads.exec(step.detail)?.[1] ?? '', parent) ?? [])
    return read.length > 0 ? [`sorts ${read.join(', ')}: ${detail}`] : []
  })
}

/** The names of tables in a statement: their own, and aliases. */
function namesOf(text: string, grown: readonly string[]): Map<string, string> {
  const names = new Map(grown.map((table) => [table, table]))
  for (const [, table = '', alias = ''] of text.matchAll(/"(\w+)" (?:as )?"(\w+)"/g)) {
    if (grown.includes(table)) names.set(alias, table)
  }
  return names
}
