// The columns of every table: SQLite's, or PostgreSQL's if DATABASE_URL names a server; the same table files serve
// both. Their TypeScript types are those of SQLite's builders, with which PostgreSQL's agree as far as services use
// them.
import { Column, getTableName, is, type SQL, type SQLWrapper, sql, type Table } from 'drizzle-orm'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'

export type { AnySQLiteColumn as AnyColumn } from 'drizzle-orm/sqlite-core'
export { sql }

/** Null with SQLite. */
const postgres: typeof import('drizzle-orm/pg-core') | null =
  dialect === 'postgresql' ? require('drizzle-orm/pg-core') : null
/** Chooses one of two values of the same type, by dialect. */
const either = <T>(ofSqlite: T, ofPostgres: (core: typeof import('drizzle-orm/pg-core')) => unknown): T =>
  postgres ? (ofPostgres(postgres) as T) : ofSqlite

export const table = either(sqlite.sqliteTable, (core) => core.pgTable)
export const index = either(sqlite.index, (core) => core.index)
export const uniqueIndex = either(sqlite.uniqueIndex, (core) => core.uniqueIndex)
export const primaryKey = either(sqlite.primaryKey, (core) => core.primaryKey)
export const real = either(sqlite.real, (core) => core.doublePrecision)

const oneTree = new Set<string>()
/** The names of tables that are `inOneTree`. */
export const tablesInOneTree: ReadonlySet<string> = oneTree

/**
 * A table whose rows SQLite keeps in the tree of their primary key (WITHOUT ROWID), not in a tree of their own beside it: half
 * the bytes, and one page instead of two, where rows are short and found by their key. A server has no such thing.
 * scripts/migrations.ts writes it into the migrations.
 */
export const inOneTree = <T extends Table>(of: T): T => {
  oneTree.add(getTableName(of))
  return of
}

interface Coding<T> {
  data: T
  /** The type in SQLite's file. */
  driverData: unknown
}
interface Custom<T extends Coding<unknown>> {
  sqlite: string
  postgres: string
  toDriver?: (value: T['data']) => T['driverData']
  fromDriver?: (stored: T['driverData']) => T['data']
}
const custom = <T extends Coding<unknown>>({ sqlite: ofSqlite, postgres: ofPostgres, ...coding }: Custom<T>) =>
  either(
    sqlite.customType<T>({ dataType: () => ofSqlite, ...coding } as Parameters<typeof sqlite.customType<T>>[0]),
    (core) => core.customType<T>({ dataType: () => ofPostgres, ...coding } as Parameters<typeof core.customType<T>>[0]),
  )

// Drizzle passes null to a column's encoder if it comes through a placeholder (its own boolean, date and JSON columns
// turn it into 0, a TypeError and the text 'null'), so every encoder here passes null through.
const unlessNull =
  <From, To>(encode: (value: From) => To) =>
  (value: From): To =>
    value === null || value === undefined ? (null as To) : encode(value)

/** Text in the order of its characters' codes. */
export const text = either(sqlite.text, (core) => (config?: { enum: [string, ...string[]] }) => {
  const column = config ? core.text(config) : core.text()
  const build = (column as unknown as Buildable).build.bind(column)
  return Object.assign(column, {
    build: (...given: unknown[]) => Object.assign(build(...given), { getSQLType: () => 'text collate "C"' }),
  })
})
interface Buildable {
  build(...given: unknown[]): object
}

/** A whole number that JavaScript represents exactly. The database assigns a key with `autoIncrement`. */
export const integer = either(sqlite.integer, (core) => () => {
  const column = core.bigint({ mode: 'number' })
  const key = column.primaryKey.bind(column)
  const primaryKey = (options?: { autoIncrement?: boolean }) =>
    options?.autoIncrement ? key().generatedByDefaultAsIdentity() : key()
  return Object.assign(column, { primaryKey })
})

/** True or false. */
export const boolean = either(
  sqlite.customType<{ data: boolean; driverData: number }>({
    dataType: () => 'integer',
    toDriver: unlessNull((value) => (value ? 1 : 0)),
    fromDriver: (stored) => stored !== 0,
  }),
  (core) => core.boolean,
)

/** A moment, to the millisecond: `Date` in code, milliseconds since 1970 in the database. */
export const timestamp = custom<{ data: Date; driverData: number }>({
  sqlite: 'integer',
  postgres: 'bigint',
  toDriver: unlessNull((value) => value.getTime()),
  fromDriver: (stored) => new Date(Number(stored)),
})

/**
 * Any JSON value except null itself, which is stored as the database's NULL. With `packing`, the packed value is
 * stored. It is stored as text everywhere: databases' own JSON loses the order of keys, and hashes depend on it.
 */
export const json = <T>(packing: { pack(value: T): unknown; unpack(stored: unknown): T } = asItIs) =>
  custom<{ data: T; driverData: string }>({
    sqlite: 'text',
    postgres: 'text collate "C"',
    toDriver: unlessNull((value) => JSON.stringify(packing.pack(value))),
    fromDriver: (stored) => packing.unpack(JSON.parse(stored)),
  })()

const asItIs = { pack: (value: unknown) => value, unpack: (stored: unknown) => stored as never }

/**
 * Text that compares, sorts and is unique without regard to ASCII case, such as an asset's code. Wrap it in `caseless`
 * wherever that matters, also in an index.
 */
export const code = custom<{ data: string; driverData: string }>({
  sqlite: 'text collate nocase',
  postgres: 'text collate "C"',
})

/**
 * SQL: a text with its ASCII letters in lower case. A server's columns know their collation; any other expression would
 * follow the language of its database, where another letter may stand for `I`.
 */
export const lowerCase = either(
  (of: SQLWrapper): SQL<string> => sql`lower(${of})`,
  () =>
    (of: SQLWrapper): SQL<string> =>
      is(of, Column) ? sql`lower(${of})` : sql`lower(${of} collate "C")`,
)

/**
 * SQL: a `code`, or a value that it is compared with, without regard to case. In SQLite the column itself ensures that.
 */
export const caseless = either(
  <T extends SQLWrapper>(of: T): T => of,
  () =>
    <T extends SQLWrapper>(of: T) =>
      lowerCase(of) as unknown as T,
)

/** A UUID in an internal table: text in code, 16 bytes in the database. Throws unless it is a UUID. */
export const uuid = either(
  sqlite.customType<{ data: string; driverData: Uint8Array }>({
    dataType: () => 'blob',
    toDriver: unlessNull(bytesOfUuid),
    fromDriver: textOfUuid,
  }),
  (core) => core.uuid,
)

/** A UUID from its 16 bytes. */
export function textOfUuid(stored: Uint8Array): string {
  return Buffer.from(stored)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function bytesOfUuid(text: string): Uint8Array {
  const found = Uint8Array.fromHex(text.replaceAll('-', ''))
  if (found.length !== 16 || text.length !== 36) throw new Error(`Not a UUID: ${text.slice(0, 50)}`)
  return found
}

/** Raw bytes, such as a part of a file. Keep them small: rows are read and written whole. */
export const bytes = custom<{ data: Uint8Array; driverData: Uint8Array }>({ sqlite: 'blob', postgres: 'bytea' })

/**
 * An amount in minor units: `bigint` in code, decimal digits in the database, because 64 bits are too few for 18
 * decimals. Sum in code.
 */
export const money = custom<{ data: bigint; driverData: string }>({
  sqlite: 'text',
  postgres: 'numeric',
  toDriver: unlessNull((value) => value.toString()),
  fromDriver: (stored) => BigInt(stored),
})

/** SQL: an amount that is not below 0 is at least another one. SQLite has their digits as texts: the longer one is more. */
export const isAtLeast = either(
  (amount: SQLWrapper, least: SQLWrapper): SQL => sql`(length(${amount}), ${amount}) >= (length(${least}), ${least})`,
  () =>
    (amount: SQLWrapper, least: SQLWrapper): SQL =>
      sql`${amount} >= ${least}`,
)
