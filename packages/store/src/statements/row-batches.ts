// Statements for a batch of rows: what a statement costs by itself is paid once for the batch.
import { and, Column, eq, getTableColumns, getTableName, inArray, Param, type SQL, sql, type Table } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import { queryAmong, writeAmong } from './among'
import { binder } from './compiled'
import { keyOf, type Plan, planOf, type Server, schemaMark, sent } from './server'
import { type Db, type Preparable, param, params, preparedAs, type Tells, type Tx, told } from './statements'
import { tested } from './unindexed'
import { inSeveral } from './value-lists'

type Row<T extends SQLiteTable> = T['$inferSelect']
type Name<T extends SQLiteTable> = keyof Row<T> & string
/** The columns of a row that is inserted: all but a key that the database gives. */
export type NewRow<T extends SQLiteTable> = {
  [K in Name<T> as T['_']['columns'][K]['_'] extends { isPrimaryKey: true; hasDefault: true } ? never : K]: Row<T>[K]
}

type Insert = ReturnType<ReturnType<Db['insert']>['values']>

/** How many rows one statement takes. A batch with fewer leaves places to spare, which are null. */
const sizes = [1, 2, 4, 8, 16, 32, 64]
const mostRows = 64

/** Inserts rows in their order. Each gives every column, null where it may be. */
export function insertAll<T extends SQLiteTable>(table: T): (tx: Tx, rows: readonly NewRow<T>[]) => Promise<number> {
  const insert = inserting(table, 'rows')
  return async (tx, rows) => sum(await insert(tx, rows))
}

/** As `insertAll`, for a table whose keys the database gives: gives those keys, in the order of the rows. */
export const insertKeyed = <T extends SQLiteTable>(
  table: T,
): ((tx: Tx, rows: readonly NewRow<T>[]) => Promise<number[]>) => inserting(table, 'key')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** As `insertAll`, but a row whose key is there already is left out. */
export const insertMissing = <T extends SQLiteTable>(
  table: T,
): ((tx: Tx, rows: readonly NewRow<T>[]) => Promise<unknown>) =>
  inserting(table, 'rows', (insert) => insert.onConflictDoNothing())

/** As `insertAll`, but of a row whose key is there already these columns are set. */
export function putAll<T extends SQLiteTable>(
  table: T,
  key: readonly Name<T>[],
  names: readonly Name<T>[],
): (tx: Tx, rows: readonly NewRow<T>[]) => Promise<unknown> {
  const set = Object.fromEntries(names.map((name) => [name, given(name)]))
  return inserting(table, 'rows', (insert) => insert.onConflictDoUpdate({ target: columnsOf(table, key), set }))
}

/** As `insertAll`, but of a row whose key is there already this number is raised by the given one. Each key is given once. */
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

/** What an insert gives for a column. */
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
 * Sets these columns of the row with this key, for each of the rows; where `only` is given, if the row meets it (it has no
 * parameters, and finds no rows itself). Gives how many rows there were.
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
  const update = rowStatement<Pick<Row<T>, K | N>>(given, build, 'rows')
  return async (tx, rows) => sum(await update(tx, rows))
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

/** Deletes the rows with one of these keys. Gives how many there were. */
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

/** What stands for a key that the database gives: SQLite gives it in the place of null, a server in the order of the rows. */
const nextKey = (table: SQLiteTable): SQL =>
  dialect === 'sqlite'
    ? sql`null`
    : sql.raw(`nextval(pg_get_serial_sequence('${schemaMark}."${getTableName(table)}"', '${keyOf(table)}'))`)

/**
 * A statement for the rows of a batch, which are bound one after another: of the smallest size that takes them, and of the
 * largest as often as that takes. It tells how many rows each run wrote, or the key of each row: a run writes every row then.
 */
export function rowStatement<R extends object>(
  given: readonly [string, Column][],
  build: (db: Db, size: number) => unknown,
  tells: Tells,
): (tx: Tx, rows: readonly R[]) => Promise<number[]> {
  const bind = binderOf<R>(given)
  const tell = told[tells]
  const ofSize = sizes.map((size) =>
    preparedAs<readonly R[], number[]>(
      (db) => build(db, size) as Preparable<number[]>,
      (query) => {
        const { stmt } = query as unknown as { stmt: { run(values: unknown[]): unknown } }
        return (rows: readonly R[]) => {
          const result = tell(stmt.run(bind(rows, size)))
          // Of keys the database tells that of the last row; one statement gives them one after another.
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

/** The values of rows, as the file has them. */
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

/** A value of a row; encoded where its column asks for it. */
const placeFor = (name: string, column: Column): unknown =>
  isPlain(column) ? sql.placeholder(name) : new Param(sql.placeholder(name), column)

const isPlain = (column: Column): boolean => column.mapToDriverValue === Column.prototype.mapToDriverValue
