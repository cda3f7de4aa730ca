// The statements of most tables: a row by one of its columns, an insert, an update and a delete by key.
import { type Column, eq, getTableColumns, type Table } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type Db, type Preparable, param, params, prepared, type Statement } from './statements'

type OnConnection<Result> = (connection: Db) => Statement<Result>
type ColumnName<T extends Table> = keyof T['$inferSelect'] & string

const columnOf = <T extends Table>(table: T, name: ColumnName<T>): Column => {
  const column = getTableColumns(table as Table)[name]
  if (!column) throw new Error(`The table has no column ${name}`)
  return column
}

const paramsNamed = <T extends SQLiteTable>(names: readonly ColumnName<T>[]) =>
  Object.fromEntries(names.map((name) => [name, param(name)])) as SQLiteUpdateSetSource<T>

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

/** Declares a question for the row with this value in a column that no two rows share: undefined where there is none. */
export function rowBy<T extends SQLiteTable, K extends ColumnName<T>>(
  table: T,
  key: K,
): (db: Db, value: T['$inferSelect'][K]) => Promise<T['$inferSelect'] | undefined> {
  const rows = byKey(table, key)
  return async (db, value) => (await rows(db).execute({ [key]: value }))[0]
}

/** Inserts a row; its columns are the parameters, of which each must be given. */
export const insertInto = <T extends SQLiteTable>(table: T): OnConnection<unknown> =>
  prepared((db): Preparable<unknown> => db.insert(table).values(params(table)))

/** As `insertInto`; but of a row whose key is there already these columns are set. */
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
 * Sets these columns, or all, of the rows with this value in `key`; all of them are parameters of their names. Tells how many
 * rows.
 */
export const updateBy = <T extends SQLiteTable>(
  table: T,
  key: ColumnName<T>,
  names?: readonly ColumnName<T>[],
): OnConnection<number> =>
  prepared((db): Preparable<unknown> => {
    return db
      .update(table)
      .set(names ? paramsNamed<T>(names) : (params(table) as SQLiteUpdateSetSource<T>))
      .where(eq(columnOf(table, key), param(key)))
  }, 'rows')

/** Deletes the rows with this value in `key`. Tells how many. */
export const deleteBy = <T extends SQLiteTable>(table: T, key: ColumnName<T>): OnConnection<number> =>
  prepared((db): Preparable<unknown> => db.delete(table).where(eq(columnOf(table, key), param(key))), 'rows')
