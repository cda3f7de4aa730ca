import type { Database } from 'bun:sqlite'

const start = Date.UTC(2026, 0, 1)
/** The rows of every table lie between these two. */
export const firstDay: string = new Date(start).toISOString()
const spanMs = 300 * 24 * 60 * 60_000
/** So many rows after each other have the same time. */
const together = 10

/** Records of one kind in the order of their age: their ids and times, the same in code and in SQL. */
export interface Series {
  readonly count: number
  at(i: number): Date
  id(i: number): string
  /** `i`: an expression for the number of the record. */
  sqlAt(i?: string): string
  sqlId(i?: string): string
  /** A number of these for row `i` of others: half of them belong to the first, the others to the rest in turn. */
  sqlOwner(i?: string): string
}

/** `kind` tells the ids of one kind from those of another. Ids are UUID v7 made at their record's time. */
export function series(kind: number, count: number): Series {
  const step = Math.max(1, Math.floor(spanMs / Math.max(1, count / together)))
  const at = (i: number) => start + Math.floor(i / together) * step
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const sqlAt = (i = 'i') => `(${start} + (${i}) / ${together} * ${step})`
  return {
    count,
    at: (i) => new Date(at(i)),
    id: (i) => {
      const time = hex(at(i), 12)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(kind, 3)}-8000-${hex(i, 12)}`
    },
    sqlAt,
    sqlId: (i = 'i') => `printf('%08x-%04x-7%03x-8000-%012x', ${sqlAt(i)} >> 16, ${sqlAt(i)} & 65535, ${kind}, ${i})`,
    sqlOwner: (i = 'i') => `(CASE WHEN (${i}) % 2 = 0 THEN 0 ELSE 1 + (${i}) / 2 % ${Math.max(1, count - 1)} END)`,
  }
}

/** One of these words, each in so many of a thousand rows; what is missing to a thousand is the first's. */
export function oftenAs(shares: Readonly<Record<string, number>>, i = 'i'): string {
  const [first, ...others] = Object.keys(shares)
  let below = 0
  const cases = others.map((word) => {
    below += shares[word] ?? 0
    return `WHEN ${i} * 7919 % 1000 < ${below} THEN '${word}'`
  })
  return cases.length > 0 ? `(CASE ${cases.join(' ')} ELSE '${first}' END)` : `'${first}'`
}

/** In so many of a thousand rows the one expression, else the other. */
export const sometimes = (share: number, then: string, otherwise = 'NULL', i = 'i'): string =>
  `(CASE WHEN ${i} * 7919 % 1000 < ${share} THEN ${then} ELSE ${otherwise} END)`

export const json = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`

/** As long as the texts that people paste. */
export const longText: string = 'A long text that somebody has pasted, 100% of it with_signs. '.repeat(8).trim()

/** A table of the whole numbers `i` from 0, so many. */
export const numbers = (count: number): string =>
  `(WITH RECURSIVE n(i) AS (SELECT 0 WHERE ${count} > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n)`

/** Adds rows to a table in one statement: an SQL expression for each column, over `i` from 0. Its indexes are made at the end. */
export function fill(db: Database, table: string, count: number, columns: Readonly<Record<string, string>>): void {
  withoutIndexes(db, table, () => {
    const names = Object.keys(columns).map((name) => `"${name}"`)
    db.run(
      `INSERT INTO "${table}" (${names.join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM ${numbers(count)}`,
    )
  })
}

/** An index that is made at the end is sorted once. */
export function withoutIndexes(db: Database, table: string, work: () => void): void {
  const indexes = db
    .query<{ name: string; sql: string }, [string]>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
    )
    .all(table)
  for (const { name } of indexes) db.run(`DROP INDEX "${name}"`)
  work()
  for (const { sql } of indexes) db.run(sql)
}
