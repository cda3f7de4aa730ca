// Statements for a batch of rows: the cost of a statement is paid once per batch.
import { and, Column, eq, getTableColumns, getTableName, inArray, Param, type SQL, sql, type Table } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import { queryAmong, writeAmong } from './among'
import { binder } from './compiled'
import { keyOf, type Plan, planOf, type Server, schemaMark, sent } from './server'
import { type Db, type Preparable, param, params, preparedAs, resultOf, type Tells, type Tx } from './statements'
import { tested } from './unindexed'
import { inSeveral } from './value-lists'

type Row<T extends SQLiteTable> = T['$inferSelect']
type Name<T extends SQLiteTable> = keyof Row<T> & string
/** The columns of an inserted row: all except a key that the database assigns. */
export type NewRow<T extends SQLiteTable> = {
  [K in Name<T> as T['_']['columns'][K]['_'] extends { isPrimaryKey: true; hasDefault: true } ? never : K]: Row<T>[K]
}

type Insert = ReturnType<ReturnType<Db['insert']>['values']>

/** The numbers of rows per statement. A smaller batch fills the rest with nulls. */
const sizes = [1, 2, 4, 8, 16, 32, 64]
const mostRows = 64

/** Inserts rows in order. Each row must give every column, null if allowed. */
export const insertAll = <T extends SQLiteTable>(table: T): ((tx: Tx, rows: readonly NewRow<T>[]) => Promise<number>) =>
  counting(inserting(table, 'rows'))

/** As `insertAll`, for a table whose keys the database assigns: returns the keys in the order of the rows. */
export const insertKeyed = <T extends SQLiteTable>(
  table: T,
): ((tx: Tx, rows: readonly NewRow<T>[]) => Promise<number[]>) => inserting(table, 'key')

/** As `insertAll`, but a row whose key exists is skipped, and not counted. */
export const insertMissing = <T extends SQLiteTable>(
  table: T,
): ((tx: Tx, rows: readonly NewRow<T>[]) => Promise<number>) =>
  counting(inserting(table, 'rows', (rows) => rows.onConflictDoNothing()))

/** As `insertAll`, but if a row's key exists, these columns are set. */
export function putAll<T extends SQLiteTable>(
  table: T,
  key: readonly Name<T>[],
  names: readonly Name<T>[],
): (tx: Tx, rows: readonly NewRow<T>[]) => Promise<unknown> {
  const set = Object.fromEntries(names.map((name) => [name, given(name)]))
  return inserting(table, 'rows', (insert) => insert.onConflictDoUpdate({ target: columnsOf(table, key), set }))
}

/** As `insertAll`, but if a row's key exists, this number is increased by the given one. Each key is given once. */
export function addAll<T extends SQLiteTable>(
  table: T,
  key: readonly Name<T>[],
  name: Name<T>,
): (tx: Tx, rows: readonly NewRow<T>[]) => Promise<unknown> {
  const set = { [name]: sql`${columnsOf(table, [name])[0]} + ${given(name)}` }
  return inserting(table, 'rows', (insert) => insert.onConflictDoUpdate({ target: columnsOf(table, key), set }))
}

const columnsOf = <T extends SQLiteTable>(table: T, names: readonly Name<T>[]): SQLiteColumn[] =>
  names.map((name) => getTableColumns(table as Table)[name] as SQLiteColumn)

/** The value that an insert gives for a column. */
const given = (name: string): SQL => sql.raw(`excluded."${toSnakeCase(name)}"`)

function inserting<T extends SQLiteTable>(table: T, tells: Tells, orElse = (insert: Insert): unknown => insert) {
  const all = Object.entries(getTableColumns(table as Table))
  const values = params(table)
  const given = all.filter(([name]) => Object.hasOwn(values, name))
  const place = (name: string) => given.findIndex(([each]) => each === name)
  const selected = sql.join(
    all.map(([name]) => (place(name) < 0 ? nextKey(table) : sql.raw(columnAt(place(name))))),
    sql`, `,
  )
  const sure = columnAt(given.findIndex(([, column]) => column.notNull))
  const build = (db: Db, size: number) => {
    if (size === 1) return orElse(db.insert(table as SQLiteTable).values(values))
    const rows = sql`select ${selected} from (${valuesOf(given, size)}) as given where ${sql.raw(sure)} is not null`
    return orElse(db.insert(table as SQLiteTable).select(rows))
  }
  return rowStatement<NewRow<T>>(given, build, tells)
}

/**
 * Sets these columns of the row with this key, for each of the rows; with `only`, if the row meets it (it takes no
 * parameters, and finds no rows by itself). Returns the number of rows.
 */
export function updateAll<T extends SQLiteTable, K extends Name<T>, N extends Name<T>>(
  table: T,
  key: K,
  names: readonly N[],
  only?: SQL,
): (tx: Tx, rows: readonly Pick<Row<T>, K | N>[]) => Promise<number> {
  const columns = Object.entries(getTableColumns(table as Table))
  const set = columns.filter(([name]) => (names as readonly string[]).includes(name))
  const keyed = columns.filter(([name]) => name === key)
  const given = [...set, ...keyed]
  const column = given.at(-1)?.[1] as Column
  const build = (db: Db, size: number) => {
    const valueAt = (place: number, name: string) => (size === 1 ? param(name) : sql.raw(`given.${columnAt(place)}`))
    const values = Object.fromEntries(set.map(([name], place) => [name, valueAt(place, name)]))
    const updated = db.update(table).set(values as SQLiteUpdateSetSource<T>)
    const isIt = and(eq(column, valueAt(set.length, key)), only && tested(only))
    return size === 1 ? updated.where(isIt) : updated.from(rowsGiven(given, size)).where(isIt)
  }
  return counting(rowStatement<Pick<Row<T>, K | N>>(given, build, 'rows'))
}

/** The rows with one of these keys, in no order. */
export function rowsOf<T extends SQLiteTable, K extends Name<T>>(
  table: T,
  key: K,
): (db: Db, keys: readonly (Row<T>[K] & string)[]) => Promise<Row<T>[]> {
  const column = getTableColumns(table as Table)[key] as Column
  return queryAmong((places) => (db) => {
    const rows = db
      .select()
      .from(table as SQLiteTable)
      .where(inArray(column, keysOf(column, places)))
    return rows as unknown as Preparable<Row<T>[]>
  })
}

/** Deletes the rows with one of these keys. Returns their number. */
export function deleteAll<T extends SQLiteTable, K extends Name<T>>(
  table: T,
  key: K,
): (tx: Tx, keys: readonly (Row<T>[K] & (string | number))[]) => Promise<number> {
  const column = getTableColumns(table as Table)[key] as Column
  return writeAmong((places) => (db) => db.delete(table as SQLiteTable).where(inArray(column, keysOf(column, places))))
}

/** Keys, as their column stores them. */
const keysOf = (column: Column, places: readonly SQL[]) =>
  places.map((key) => (isPlain(column) ? key : sql.param(key, column)))

/** The name that databases give to a column of `values`. */
export const columnAt = (place: number) => `column${place + 1}`

/** Rows of placeholders, as a table named `given`. */
export const rowsGiven = (given: readonly [string, Column][], size: number) => sql`(${valuesOf(given, size)}) as given`

/** The first row says what type the columns have. */
function valuesOf(given: readonly [string, Column][], size: number): SQL {
  const row = (number: number) =>
    given.map(([name, column]) => {
      const value = sql.placeholder(`${number}.${name}`)
      return number === 0 ? sql`cast(${value} as ${sql.raw(typeOf(column))})` : sql`${value}`
    })
  const rows = Array.from({ length: size }, (_, number) => sql`(${sql.join(row(number), sql`, `)})`)
  return sql`values ${sql.join(rows, sql`, `)}`
}

/** The type of a column, without its collation. */
const typeOf = (column: Column): string => column.getSQLType().replace(/ collate .*/, '')

/** The placeholder of a key that the database assigns: null in SQLite, the next value of the sequence on a server. */
const nextKey = (table: SQLiteTable): SQL =>
  dialect === 'sqlite'
    ? sql`null`
    : sql.raw(`nextval(pg_get_serial_sequence('${schemaMark}."${getTableName(table)}"', '${keyOf(table)}'))`)

/**
 * A statement for the rows of a batch, bound one after another: of the smallest size that takes them, or repeatedly of
 * the largest. It returns the number of rows that each run wrote, or the key of each row: then a run writes every row.
 */
export function rowStatement<R extends object>(
  given: readonly [string, Column][],
  build: (db: Db, size: number) => unknown,
  tells: Tells,
): (tx: Tx, rows: readonly R[]) => Promise<number[]> {
  const bind = binderOf<R>(given)
  const tell = resultOf[tells]
  const ofSize = sizes.map((size) =>
    preparedAs<readonly R[], number[]>(
      (db) => build(db, size) as Preparable<number[]>,
      (query) => {
        const { stmt } = query as unknown as { stmt: { run(values: unknown[]): unknown } }
        return (rows: readonly R[]) => {
          const result = tell(stmt.run(bind(rows, size)))
          // The database returns the last row's key; one statement assigns keys one after another.
          return tells === 'rows' ? [result] : rows.map((_, i) => result - rows.length + 1 + i)
        }
      },
      remotely((db) => build(db, size), { tells, bind: (rows: readonly R[]) => bind(rows, size) }),
    ),
  )
  const run = (tx: Tx, rows: readonly R[]): Promise<number[]> => {
    const statement = ofSize[sizes.findIndex((size) => size >= rows.length)] as (typeof ofSize)[number]
    return statement(tx).execute(rows)
  }
  return (tx, rows) =>
    rows.length > 0 && rows.length <= mostRows ? run(tx, rows) : inSeveral(rows, mostRows, (some) => run(tx, some))
}

/** The number of rows that all runs wrote. */
export const counting =
  <R>(run: (tx: Tx, rows: readonly R[]) => Promise<number[]>) =>
  async (tx: Tx, rows: readonly R[]): Promise<number> =>
    (await run(tx, rows)).reduce((sum, count) => sum + count, 0)

/** The same on a server. */
function remotely<R>(build: (db: Db) => unknown, { tells, bind }: { tells: Tells; bind: (rows: R) => unknown[] }) {
  let plan: Plan | undefined
  return (connection: Db, server: Server) => {
    plan ??= planOf(build(connection), tells)
    const { access } = plan
    const text = plan.text(server.schema)
    return async (rows: R): Promise<number[]> => {
      const answer = await server.run(text, bind(rows).map(sent), access)
      return tells === 'rows' ? [answer.count] : answer.rows.map(([key]) => Number(key))
    }
  }
}

/** The values of rows in stored form. */
function binderOf<R extends object>(
  given: readonly [string, Column][],
): (rows: readonly R[], size: number) => unknown[] {
  const bindRow = binder(given.map(([name, column]) => placeFor(name, column))) as (row: R) => unknown[]
  return (rows, size) => {
    const [first] = rows
    if (size === 1 && first) return bindRow(first)
    const values = rows.flatMap(bindRow)
    while (values.length < size * given.length) values.push(null)
    return values
  }
}

/** A value of a row, encoded if its column requires it. */
const placeFor = (name: string, column: Column): unknown =>
  isPlain(column) ? sql.placeholder(name) : new Param(sql.placeholder(name), column)

const isPlain = (column: Column): boolean => column.mapToDriverValue === Column.prototype.mapToDriverValue
