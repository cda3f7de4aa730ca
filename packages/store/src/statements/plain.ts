// The statements of most tables: a row by one of its columns, an insert, an update and a delete by key.
import { type Column, eq, getTableColumns, type Table } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type Db, type Preparable, param, params, prepared, type Statement } from './statements'

type OnConnection<Result> = (connection: Db) => Statement<Result>
type ColumnName<T extends Table> = keyof T['$inferSelect'] & string

const columnOf = <T extends Table>(table: T, name: ColumnName<T>): Column => {
  const column = getTableColumns(table as Table)[name]
  if (!column) throw new Error(`The table has no column ${name}`)
  return column
}

/** The rows with this value in a column. The value is the parameter of the column's name. */
export const byKey = <T extends SQLiteTable>(table: T, key: ColumnName<T>): OnConnection<T['$inferSelect'][]> =>
  prepared((db) => {
    const rows = db
      .select()
      .from(table as SQLiteTable)
      .where(eq(columnOf(table, key), param(key)))
    // Drizzle's type of the rows is lost with the table's own.
    return rows as unknown as Preparable<T['$inferSelect'][]>
  })

/** Inserts a row; its columns are the parameters, of which each must be given. */
export const insertInto = <T extends SQLiteTable>(table: T): OnConnection<unknown> =>
  prepared((db): Preparable<unknown> => db.insert(table).values(params(table)))

/** Sets these columns of the rows with this value in `key`; all of them are parameters of their names. Tells how many rows. */
export const updateBy = <T extends SQLiteTable>(
  table: T,
  key: ColumnName<T>,
  names: readonly ColumnName<T>[],
): OnConnection<number> =>
  prepared((db): Preparable<unknown> => {
    const set = Object.fromEntries(names.map((name) => [name, param(name)])) as SQLiteUpdateSetSource<T>
    return db
      .update(table)
      .set(set)
      .where(eq(columnOf(table, key), param(key)))
  }, 'rows')

/** Deletes the rows with this value in `key`. Tells how many. */
export const deleteBy = <T extends SQLiteTable>(table: T, key: ColumnName<T>): OnConnection<number> =>
  prepared((db): Preparable<unknown> => db.delete(table).where(eq(columnOf(table, key), param(key))), 'rows')
