import { index, json, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import { categories } from './categories.table'
import { providers } from './providers.table'

/** Which providers price a category's assets (spec 1). Both exist: a mapping is deleted with its category. */
export const categoryProviders = table(
  'category_providers',
  {
    id: text().primaryKey(),
    categoryId: text()
      .notNull()
      .references(() => categories.id),
    providerId: text()
      .notNull()
      .references(() => providers.id),
    /** Its credentials, if any, are encrypted. */
    config: json<Record<string, unknown>>(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('category_providers_pair').on(table.categoryId, table.providerId),
    index('category_providers_provider').on(table.providerId),
  ],
)
