import { table, text, timestamp } from '@bursar/store/schema'

/**
 * Shortfalls stop withdrawals: less is on the chain than the ledger holds. A row stays until nothing is missing any
 * more.
 */
export const shortfalls = table('shortfalls', {
  /** Of an account and asset, or of an asset as a whole, and the cause (`setShortfall`). */
  key: text().primaryKey(),
  /** Null for all accounts together. */
  accountId: text(),
  assetId: text().notNull(),
  /** A sentence for people: what is missing, and since which transaction where that is known. */
  reason: text().notNull(),
  since: timestamp().notNull(),
})
