import { eq } from 'drizzle-orm'
import { getTableConfig, integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Db, param, prepared } from './statements'

/** SQLite's own table of the highest key that each autoincrement table has ever given. */
const sequences = sqliteTable('sqlite_sequence', { name: text().notNull(), seq: integer().notNull() })

/**
 * The highest key that an autoincrement table has ever given to a row that was committed; 0 when it never had one. More
 * than the last row's key where rows at the end were deleted.
 */
export async function highestGiven(db: Db, table: SQLiteTable): Promise<number> {
  const [row] = await sequenceOf(db).execute({ name: getTableConfig(table).name })
  return row?.seq ?? 0
}

const sequenceOf = prepared((db) =>
  db
    .select({ seq: sequences.seq })
    .from(sequences)
    .where(eq(sequences.name, param('name'))),
)
