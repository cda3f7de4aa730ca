// The statements of most tables: rows by a column, insert, update and delete by key.
import { and, asc, type Column, eq, getTableColumns, lt, type SQL, type Table } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type Db, type Preparable, param, params, prepared, type Statement, type Tx } from './statements'

type OnConnection<Result> = (connection: Db) => Statement<Result>
type ColumnName<T extends Table> = keyof T['$inferSelect'] & string

const columnOf = <T extends Table>(table: T, name: ColumnName<T>): Column => {
  const column = getTableColumns(table as Table)[name]
  if (!column) throw new Error(`The table has no column ${name}`)
  return column
}

/** One column, or several together. */
type Key<T extends Table> = ColumnName<T> | readonly ColumnName<T>[]

/** Rows with the values of the parameters in these columns, that meet `only`. */
const isAt = <T extends Table>(table: T, key: Key<T>, only?: SQL): SQL | undefined =>
  and(...[key].flat().map((name) => eq(columnOf(table, name), param(name))), only)

const paramsNamed = <T extends SQLiteTable>(names: readonly ColumnName<T>[]) =>
  Object.fromEntries(names.map((name) => [name, param(name)])) as SQLiteUpdateSetSource<T>

/** The rows with these values in the columns of `key` that meet `only`. Parameters have the columns' names. */
export const byKey = <T extends SQLiteTable>(
  table: T,
  key: Key<T>,
  { only, order }: { only?: SQL | undefined; order?: ColumnName<T> } = {},
): OnConnection<T['$inferSelect'][]> =>
  prepared((db) => {
    const rows = db
      .select()
      .from(table as SQLiteTable)
      .where(isAt(table, key, only))
      .orderBy(...(order === undefined ? [] : [asc(columnOf(table, order))]))
    // Drizzle's type of the rows is lost with the table's own.
    return rows as unknown as Preparable<T['$inferSelect'][]>
  })

/**
 * Declares a query for the row with this value in a unique column, or with these values in several (by their names), if it
 * meets `only`; undefined if there is none.
 */
export function rowBy<T extends SQLiteTable, K extends ColumnName<T>>(
  table: T,
  key: K,
  only?: SQL,
): (db: Db, value: T['$inferSelect'][K]) => Promise<T['$inferSelect'] | undefined>
export function rowBy<T extends SQLiteTable, K extends ColumnName<T>>(
  table: T,
  key: readonly K[],
  only?: SQL,
): (db: Db, values: Pick<T['$inferSelect'], K>) => Promise<T['$inferSelect'] | undefined>
export function rowBy<T extends SQLiteTable>(table: T, key: Key<T>, only?: SQL) {
  const rows = byKey(table, key, { only })
  const valuesOf = (given: unknown) => (typeof key === 'string' ? { [key]: given } : (given as Record<string, unknown>))
  return async (db: Db, given: unknown) => (await rows(db).execute(valuesOf(given)))[0]
}

/** The same for all rows with this value, ordered by another column. */
export function rowsBy<T extends SQLiteTable, K extends ColumnName<T>>(
  table: T,
  key: K,
  order: ColumnName<T>,
): (db: Db, value: T['$inferSelect'][K]) => Promise<T['$inferSelect'][]> {
  const rows = byKey(table, key, { order })
  return async (db, value) => await rows(db).execute({ [key]: value })
}

/** Inserts a row. Its columns are the parameters; each must be given. */
export const insertInto = <T extends SQLiteTable>(table: T): OnConnection<unknown> =>
  prepared((db): Preparable<unknown> => db.insert(table).values(params(table)))

/** As `insertInto`, but if the key exists, these columns of its row are set. */
export const upsertInto = <T extends SQLiteTable>(
  table: T,
  key: readonly ColumnName<T>[],
  names: readonly ColumnName<T>[],
): OnConnection<unknown> =>
  prepared(
    (db): Preparable<unknown> =>
      db
        .insert(table)
        .values(params(table))
        .onConflictDoUpdate({
          target: key.map((name) => columnOf(table, name) as SQLiteColumn),
          set: paramsNamed<T>(names),
        }),
  )

/**
 * Sets these columns, or all, of the rows with these values in the columns of `key` that meet `only`. Parameters have the
 * columns' names. Returns the number of rows.
 */
export const updateBy = <T extends SQLiteTable>(
  table: T,
  key: Key<T>,
  names?: readonly ColumnName<T>[],
  only?: SQL,
): OnConnection<number> =>
  prepared((db): Preparable<unknown> => {
    const set = names ? paramsNamed<T>(names) : (params(table) as SQLiteUpdateSetSource<T>)
    return db
      .update(table)
      .set(set)
      .where(isAt(table, key, only))
  }, 'rows')

/** Deletes the rows with these values in the columns of `key` that meet `only`. Returns their number. */
export const deleteBy = <T extends SQLiteTable>(table: T, key: Key<T>, only?: SQL): OnConnection<number> =>
  prepared((db): Preparable<unknown> => db.delete(table).where(isAt(table, key, only)), 'rows')

/** Declares the deletion of the rows whose time in this column is earlier than the parameter. Returns their number. */
export function deleteBefore<T extends SQLiteTable>(
  table: T,
  column: ColumnName<T>,
): (tx: Tx, before: Date) => Promise<number> {
  const remove = prepared((db): Preparable<unknown> => {
    return db.delete(table).where(lt(columnOf(table, column), param('before')))
  }, 'rows')
  return (tx, before) => remove(tx).execute({ before })
}
