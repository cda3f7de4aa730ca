// Statements on a database server: Drizzle builds their text, and this binds their values and maps their rows. What is made
// of a declared statement is made once per process, for all connections.
import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { encodeComparisons } from './comparisons'
import { binder, rowMapper } from './compiled'
import type { Db } from './db'

/** What a statement does. */
export interface Access {
  /** The table that it writes to; null for one that reads. */
  readonly writes: string | null
  /** Whether it is a plain insert, independent of existing rows. */
  readonly isInsert: boolean
  /** The tables that it reads. */
  readonly reads: readonly string[]
  /** Whether it may read many rows, because it sorts or aggregates: pages, counts, sums. */
  readonly mayBeLong: boolean
}

export interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  /** The number of rows that it returned or wrote. */
  readonly count: number
}

/** Runs statements on a server, each with its values in the server's form, and its `Access`. */
export interface Server {
  /** The schema of the service's tables. Each statement names it, because connection poolers drop settings. */
  readonly schema: string
  run(text: string, values: readonly unknown[], access: Access): Promise<Answer>
}

const servers = new WeakMap<Db, Server>()

/** The server behind a connection; undefined for an embedded database. */
export const serverOf = (connection: Db): Server | undefined => servers.get(connection)

/** Makes Drizzle's builders for a server. */
export function connectServer(server: Server): Db {
  // Loaded only for a server.
  const { drizzle }: typeof import('drizzle-orm/pg-proxy') = require('drizzle-orm/pg-proxy')
  const callback = async (text: string, values: unknown[], method: 'all' | 'execute') => {
    const { rows } = await server.run(within(server.schema, text), values.map(sent), accessOf(text))
    // Drizzle takes rows as objects only for a count.
    return { rows: method === 'all' ? rows : rows.map(([count]) => ({ count })) }
  }
  // Drizzle's types of the two databases differ; what Db has of them is used alike.
  const db = drizzle(callback as never, { casing: 'snake_case' }) as unknown as Db
  servers.set(db, server)
  return db
}

/** The fields of a query that Drizzle has prepared. They are not documented: the version is pinned. */
interface PreparedQuery {
  getQuery(): { sql: string; params: unknown[] }
  fields?: Parameters<typeof rowMapper>[0]
  joinsNotNullableMap?: Record<string, boolean>
}

/** A declared statement without its connection. */
export interface Plan {
  text(schema: string): string
  bind(values: Record<string, unknown>): unknown[]
  /** Null for a write without `returning`. */
  readonly map: ((row: readonly unknown[]) => unknown) | null
  readonly access: Access
}

/** The plan of Drizzle's builder. `tells`: what the statement returns. */
export function planOf(builder: unknown, tells?: 'rows' | 'key'): Plan {
  const query = (builder as { prepare(name?: string): PreparedQuery }).prepare()
  const { sql, params } = query.getQuery()
  encodeComparisons(params)
  const bind = binder(params)
  const whole = tells === 'key' ? `${sql} returning "${keyOf(tableOf(builder))}"` : sql
  const texts = new Map<string, string>()
  return {
    text: (schema) => texts.getOrInsertComputed(schema, () => within(schema, whole)),
    bind: (values) => bind(values).map(sent),
    map: query.fields ? rowMapper(query.fields, query.joinsNotNullableMap) : null,
    access: accessOf(sql),
  }
}

const tableOf = (insert: unknown): Table => (insert as { config: { table: Table } }).config.table

/** The name of the column whose values the database assigns. */
export function keyOf(table: Table): string {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => isGiven(column))
  if (!found) throw new Error('The table has no key that the database gives')
  return toSnakeCase(found[0])
}

/** Whether the database assigns a column's values. */
export const isGiven = (column: Column): boolean =>
  ('autoIncrement' in column && column.autoIncrement === true) || column.generatedIdentity !== undefined

/**
 * A value in the server's form: text, whose type follows from its position. A server's text cannot hold character 0; it
 * is replaced like half a surrogate pair in all databases.
 */
export function sent(value: unknown): unknown {
  if (value === null || value === undefined || value instanceof Uint8Array) return value ?? null
  const text = String(value)
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text
}

/** The placeholder of the schema in a text. */
export const schemaMark = '@'

const named = /\b(from|join|into|update) "?(\w+)"?(?![\w".(])/g
const withNames = /"(\w+)" as \(/g

/** Adds the schema to each table that a statement names. */
function within(schema: string, text: string): string {
  const own = namesOf(text)
  return text
    .replaceAll("'@.", `'"${schema}".`)
    .replace(named, (found, word: string, name: string) =>
      own.has(name) || (word === 'update' && name === 'set') ? found : `${word} "${schema}"."${name}"`,
    )
}

/** Names that the statement gives to its own queries (CTEs). */
const namesOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(withNames)].map(([, name]) => name as string))

const long = / (order|group) by |\b(count|sum|min|max)\(/

export function accessOf(text: string): Access {
  const own = namesOf(text)
  const tables = [...text.matchAll(named)].filter(([, , name]) => !own.has(name as string))
  const [first] = tables
  const isWrite = /^(insert|update|delete)\b/.test(text)
  const writes = isWrite ? (first?.[2] ?? null) : null
  const reads = new Set(tables.slice(isWrite ? 1 : 0).map(([, , name]) => name as string))
  const isInsert = text.startsWith('insert') && !text.includes(' on conflict ')
  return { writes, isInsert, reads: [...reads], mayBeLong: long.test(text) }
}
