import { caseless, code, index, real, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import { categories } from './categories.table'

/** Assets (spec 1, Asset). Deleted ones stay, with the time of deletion, and free their code. */
export const assets = table(
  'assets',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The name for filters and sorts: case-folded. */
    searchName: text().notNull(),
    code: code().notNull(),
    categoryId: text().references(() => categories.id),
    description: text(),
    /** USD; null: the providers are queried. */
    staticValue: real(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('assets_code').on(caseless(table.code)).where(live),
      // Ends with the column of `live`, so that names are searched in the index only.
      index('assets_search_name').on(table.searchName, table.id, table.deletedAt).where(live),
      index('assets_created_at').on(table.createdAt, table.id).where(live),
      index('assets_updated_at').on(table.updatedAt, table.id).where(live),
      index('assets_category')
        .on(table.categoryId, table.createdAt, table.id, table.deletedAt)
        .where(sql`${table.categoryId} is not null and ${live}`),
    ]
  },
)
