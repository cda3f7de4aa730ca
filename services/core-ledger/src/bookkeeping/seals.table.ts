import { integer, table, text, timestamp } from '@bursar/store/schema'

/** The hash chain over the journal: each seal covers a block of entries and the seal before it. */
export const seals = table('seals', {
  /** The last entry that it covers; the first is the one after the seal before. */
  lastSeq: integer().primaryKey(),
  /** How many entries it covers. */
  entries: integer().notNull(),
  /** SHA-256 over the previous hash and the block's entries, hex. */
  hash: text().notNull(),
  sealedAt: timestamp().notNull(),
})
