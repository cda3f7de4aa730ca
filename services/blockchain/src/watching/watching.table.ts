import { boolean, index, integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** The addresses watched for deposits, and their accounts. */
export const watchedAddresses = table(
  'watched_addresses',
  {
    network: text().notNull(),
    /** Comparable. */
    key: text().notNull(),
    /** In its display form. */
    address: text().notNull(),
    accountId: text().notNull(),
    /** Of a PORTFOLIO account: all its movements are published. */
    isPortfolio: boolean().notNull().default(false),
    watchedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.key] }), index('watched_key').on(table.key)],
)

/** The position in reading a network: a block, or for an account of Solana a signature. */
export const cursors = table(
  'cursors',
  {
    network: text().notNull(),
    /** '' for the whole network, else an account. */
    account: text().notNull(),
    /** The last block that was read; 0 for accounts. */
    block: integer().notNull(),
    /** Its hash, or the signature. */
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.account] })],
)

/** The newest blocks that were read, for detecting reorganisations. */
export const readBlocks = table(
  'read_blocks',
  { network: text().notNull(), number: integer().notNull(), hash: text().notNull() },
  (table) => [primaryKey({ columns: [table.network, table.number] })],
)
