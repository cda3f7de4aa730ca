import { eq, getTableColumns, getTableName, max, type Table } from 'drizzle-orm'
import { integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import { isGiven } from './server'
import { type Db, param, prepared, type Statement } from './statements'

/** SQLite's own table of the highest key ever assigned in each autoincrement table. */
const sequences = sqliteTable('sqlite_sequence', { name: text().notNull(), seq: integer().notNull() })

/**
 * The highest key that an autoincrement table has ever assigned to a committed row; 0 if it never had one. Higher than
 * the last row's key if rows at the end were deleted. A server's sequence also counts rolled-back rows: there it is the
 * last row's key.
 */
export async function highestGiven(db: Db, table: SQLiteTable): Promise<number> {
  const [row] = await (dialect === 'sqlite'
    ? sequenceOf(db).execute({ name: getTableName(table) })
    : lastOf(table)(db).execute())
  return Number(row?.seq ?? 0)
}

const sequenceOf =
  dialect === 'sqlite'
    ? prepared((db) =>
        db
          .select({ seq: sequences.seq })
          .from(sequences)
          .where(eq(sequences.name, param('name'))),
      )
    : () => {
        throw new Error('Only SQLite has a table of keys')
      }

const known = new WeakMap<Table, (db: Db) => Statement<{ seq: number | null }[]>>()

const lastOf = (table: SQLiteTable) =>
  known.getOrInsertComputed(table, () => prepared((db) => db.select({ seq: max(keyColumn(table)) }).from(table)))

function keyColumn(table: Table) {
  const column = Object.values(getTableColumns(table)).find(isGiven)
  if (!column) throw new Error('The table has no key that the database gives')
  return column as (typeof sequences)['seq']
}
