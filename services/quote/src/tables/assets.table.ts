import { code, index, real, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import { categories } from './categories.table'

/** Assets (spec 1, Asset). Deleted ones stay, with their time, and free their code. */
export const assets = table(
  'assets',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The name as filters and sorts see it: without regard to case. */
    searchName: text().notNull(),
    code: code().notNull(),
    categoryId: text().references(() => categories.id),
    description: text(),
    /** USD; null has the providers asked. */
    staticValue: real(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('assets_code').on(table.code).where(live),
      // Ends with what `live` asks, so that a name is searched in the index alone.
      index('assets_search_name').on(table.searchName, table.id, table.deletedAt).where(live),
      index('assets_created_at').on(table.createdAt, table.id).where(live),
      index('assets_updated_at').on(table.updatedAt, table.id).where(live),
      index('assets_category')
        .on(table.categoryId, table.createdAt, table.id, table.deletedAt)
        .where(sql`${table.categoryId} is not null and ${live}`),
    ]
  },
)
