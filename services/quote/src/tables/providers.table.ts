import { boolean, index, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Market data providers (spec 1, Provider). Deleted ones stay, with the time of deletion, and free their slug. */
export const providers = table(
  'providers',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The name for filters and sorts: case-folded. */
    searchName: text().notNull(),
    slug: text().notNull(),
    isDefault: boolean().notNull(),
    /** Its credentials are encrypted (credentials.ts). */
    config: json<Record<string, unknown>>().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const live = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('providers_slug').on(table.slug).where(live),
      index('providers_search_name').on(table.searchName, table.id).where(live),
      index('providers_created_at').on(table.createdAt, table.id).where(live),
      index('providers_updated_at').on(table.updatedAt, table.id).where(live),
      index('providers_default').on(table.isDefault, table.createdAt, table.id).where(live),
    ]
  },
)
