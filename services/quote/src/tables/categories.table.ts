import { index, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Asset categories (spec 1, Category). Deleted ones stay, with the time of deletion, and free their name. */
export const categories = table(
  'categories',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The name for filters and sorts: case-folded. */
    searchName: text().notNull(),
    description: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('categories_name').on(table.name).where(live),
      index('categories_search_name').on(table.searchName, table.id).where(live),
      index('categories_created_at').on(table.createdAt, table.id).where(live),
      index('categories_updated_at').on(table.updatedAt, table.id).where(live),
    ]
  },
)
