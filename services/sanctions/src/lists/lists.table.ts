import type { ListState } from '@bursar/contracts/sanctions'
import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** All lists ever used, because results name them. Only one is current. A later list has a higher id. */
export const lists = table(
  'lists',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    /** The file or URL. */
    source: text().notNull(),
    publishedAt: timestamp().notNull(),
    /** SHA-256 of the published file; null for a draft. */
    checksum: text(),
    entries: integer().notNull(),
    /** The number of its names (names/names.table.ts). */
    names: integer().notNull().default(0),
    status: text().$type<ListState['status']>().notNull(),
    createdAt: timestamp().notNull(),
    activatedAt: timestamp(),
    /** Addresses that were screened again with it, and how many of these are newly listed. */
    rescreened: integer().notNull(),
    rescreenHits: integer().notNull(),
  },
  (table) => [index('lists_status').on(table.status, table.id)],
)

/** The entries of the current list, and of a draft; those of a retired list are deleted. Added, never changed. */
export const listEntries = table(
  'list_entries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    listId: integer().notNull(),
    /** The hash of the address's screening key (hash-filter.ts). */
    hash: integer().notNull(),
    entryId: text().notNull(),
    asset: text().notNull(),
    address: text().notNull(),
    name: text(),
  },
  // A covering index for building the filter: nothing else of a large list is read at the start.
  (table) => [index('list_entries_hash').on(table.listId, table.hash)],
)

/** Failed updates, after which the previous list stayed in use. The newest few are kept. */
export const listFailures = table('list_failures', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The file or URL. */
  source: text().notNull(),
  reason: text().notNull(),
  at: timestamp().notNull(),
})
