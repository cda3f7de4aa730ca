import { index, json, primaryKey, table, text, timestamp } from '@bursar/store/schema'
import { assets } from './assets.table'
import { providers } from './providers.table'

/** Which providers price an asset (spec 1, Asset-provider mapping). Both exist: a mapping is deleted with its asset. */
export const assetProviders = table(
  'asset_providers',
  {
    assetId: text()
      .notNull()
      .references(() => assets.id),
    providerId: text()
      .notNull()
      .references(() => providers.id),
    /** Its credentials, if any, are encrypted. */
    config: json<Record<string, unknown>>(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.assetId, table.providerId] }),
    index('asset_providers_provider').on(table.providerId),
  ],
)
