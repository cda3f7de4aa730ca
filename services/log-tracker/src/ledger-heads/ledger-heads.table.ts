import { integer, table, text, timestamp } from '@bursar/store/schema'

/** The newest sealed head of each set of the ledger's books. */
export const ledgerHeads = table('ledger_heads', {
  /** The order in which the books were first seen: the highest is in use. */
  seq: integer().primaryKey({ autoIncrement: true }),
  books: text().notNull().unique(),
  number: integer().notNull(),
  lastSeq: integer().notNull(),
  hash: text().notNull(),
  sealedAt: timestamp().notNull(),
})
