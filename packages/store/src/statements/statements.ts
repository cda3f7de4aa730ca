import type { Database } from 'bun:sqlite'
import { getTableColumns, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { encodeComparisons } from './comparisons'
import { compiled } from './compiled'
import type { Db, Tx } from './db'
import { isGiven, type Plan, planOf, type Server, serverOf } from './server'

export type { Db, Tx }

/** A statement prepared on one connection. */
export interface Statement<Result> {
  /**
   * Runs it with these values for its placeholders. A query, or a write with `returning`, gives an array of rows; a write
   * without gives what it was declared to tell.
   */
  execute(values?: Record<string, unknown>): Promise<Result>
}

/**
 * What a write without `returning` returns, which `returning` would make twice as costly: the number of rows it
 * inserted, changed or deleted (not by foreign keys), or the key that the database assigned to the inserted row.
 */
export type Tells = 'rows' | 'key'

/** The driver's result of a write. */
interface Written {
  changes: number
  lastInsertRowid: number | bigint
}

export const resultOf: Record<Tells, (result: unknown) => number> = {
  rows: (result) => (result as Written).changes,
  key: (result) => Number((result as Written).lastInsertRowid),
}

/** Called before each statement with the name of the table it writes to, or null for a read; may throw. */
export type Guard = (writesTo: string | null) => void

const guards = new WeakMap<Db, Guard>()

/** Called with the text of each statement that is prepared once for many runs. */
export type Note = (text: string) => void

const notes = new WeakMap<Db, Note>()

/** The function with which a connection prepares a text. */
const preparers = new WeakMap<Db, (text: string) => unknown>()

/** Makes Drizzle's builders for a connection. */
export function connect(database: Database, guard?: Guard, note?: Note): Db {
  const prepare = (text: string) => {
    guard?.(tableWritten(text))
    return database.prepare(steadied(text))
  }
  // All that Drizzle's session needs of a connection, except transactions and raw SQL, which `Db` does not offer.
  const db: Db = drizzle({ client: { prepare } as Database, casing: 'snake_case' })
  preparers.set(db, prepare)
  if (guard) guards.set(db, guard)
  if (note) notes.set(db, note)
  return db
}

const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g

/**
 * SQLite plans a prepared statement anew at every run when a bare placeholder is compared in a statement that joins, or is
 * its limit: up to five times the cost of running it. A placeholder inside an expression it leaves alone, and a unary
 * plus is one that changes neither the value nor its type.
 */
export const steadied = (text: string): string =>
  text.startsWith('insert') ? text : text.replace(quotedOrPlaceholder, (found) => (found === '?' ? '+?' : found))

/** The table that a statement of Drizzle's writes to; null for a read. */
const tableWritten = (text: string): string | null =>
  /^(?:insert into|update|delete from) "([^"]+)"/.exec(text)?.[1] ?? null

interface Prepared<Result> {
  getQuery(): { sql: string; params: unknown[] }
  execute(values?: Record<string, unknown>): { sync(): Result }
}

export interface Preparable<Result> {
  prepare(): Prepared<Result>
}

/**
 * Declares a statement that is prepared once on each connection it is used on. Building and preparing a query costs
 * several times what running it does, so statements that serve requests are declared so, beside their domain function:
 *
 *     const messageById = prepared((db) => db.select().from(messages).where(eq(messages.id, param('id'))))
 *     const [row] = await messageById(store.read).execute({ id })
 *
 * Of a write whose result is used, `tells` says what it gives: databases find out different things at different costs.
 */
export function prepared(build: Build<unknown>, tells: Tells): (connection: Db) => Statement<number>
export function prepared<Result>(build: Build<Result>): (connection: Db) => Statement<Result>
export function prepared(build: Build<unknown>, tells?: Tells): (connection: Db) => Statement<unknown> {
  return preparedAs(
    build,
    (query) => {
      encodeComparisons(query.getQuery().params)
      // Drizzle's own `execute` does nothing until it is awaited, unlike other drivers'.
      const run = compiled<unknown>(query) ?? ((values?: Values) => query.execute(values).sync())
      if (!tells) return run
      const tell = resultOf[tells]
      return (values) => tell(run(values))
    },
    remotely(build, tells),
  ) as (connection: Db) => Statement<unknown>
}

/** The same on a server. */
function remotely(build: Build<unknown>, tells: Tells | undefined) {
  let plan: Plan | undefined
  return (connection: Db, server: Server) => {
    const made = plan ?? planOf(build(connection), tells)
    plan = made
    const text = made.text(server.schema)
    return async (values: Values = {}): Promise<unknown> => {
      const { rows, count } = await server.run(text, made.bind(values), made.access)
      if (tells === 'rows') return count
      if (tells === 'key') return Number(rows.at(-1)?.[0])
      return made.map ? rows.map(made.map) : undefined
    }
  }
}

type Values = Record<string, unknown>
export type Build<Result> = (db: Db) => Preparable<Result>

/** Every statement that was declared, for tests of all of them. Those of `variants` are declared when a form is first wanted. */
export const declared = new Set<Build<unknown>>()

/** As `prepared`, for a statement whose values are bound by what `runner` makes of it. */
export function preparedAs<Values, Result>(
  build: Build<Result>,
  runner: (query: Prepared<Result>) => (values: Values) => Result,
  remote: (connection: Db, server: Server) => (values: Values) => Promise<Result>,
): (connection: Db) => { execute(values: Values): Promise<Result> } {
  declared.add(build)
  let built: Prepared<Result> | null = null
  const statements = new WeakMap<Db, { execute(values: Values): Promise<Result> }>()
  const statementOn = (connection: Db) => {
    const server = serverOf(connection)
    if (server) return { execute: remote(connection, server) }
    let run: ((values: Values) => Result) | null = null
    let writesTo: string | null = null
    const guard = guards.get(connection)
    return {
      async execute(values: Values) {
        if (!run) {
          const query = built ? withStatement(built, preparers.get(connection)) : build(connection).prepare()
          built ??= withStatement(query)
          run = runner(query)
          const { sql: text } = query.getQuery()
          writesTo = tableWritten(text)
          notes.get(connection)?.(steadied(text))
        }
        guard?.(writesTo)
        return run(values)
      },
    }
  }
  // By `get` at first: it is twice as fast.
  return (connection) => statements.get(connection) ?? statements.getOrInsertComputed(connection, statementOn)
}

/**
 * The same query with a statement of another connection, or with none, which holds no connection: Drizzle builds a query for
 * longer than SQLite prepares it, and a snapshot's connection has all its statements to prepare.
 */
function withStatement<Result>(query: Prepared<Result>, prepare?: (text: string) => unknown): Prepared<Result> {
  const copy = Object.create(Object.getPrototypeOf(query))
  return Object.assign(copy, query, { stmt: prepare?.(query.getQuery().sql) })
}

/** A placeholder is not SQL, but Drizzle's type for `set` ignores that placeholders are allowed there. */
type Param<Name extends string> = Placeholder<Name> & SQL<never>

/** A value given when the prepared statement runs. */
export const param = <Name extends string>(name: Name) => sql.placeholder(name) as Param<Name>

/**
 * Every column of a table as a placeholder of the same name, for an insert whose values are whole rows. Database
 * defaults do not apply: each column's value must be given (null where it may be). An autoincrement key is left out.
 */
export function params<T extends SQLiteTable>(table: T): SQLiteInsertValue<T> {
  const columns = Object.entries(getTableColumns(table as Table)).filter(([, column]) => !isGiven(column))
  return Object.fromEntries(columns.map(([name]) => [name, param(name)])) as SQLiteInsertValue<T>
}
