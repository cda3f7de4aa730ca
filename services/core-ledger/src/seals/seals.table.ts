import { integer, table, text, timestamp } from '@bursar/store/schema'

/**
 * The hash chain over the journal: each seal covers a block of entries with the terms of their transactions, the rows
 * that were added meanwhile (idempotency keys with their answers, people's decisions, the terms of assets), and the
 * seal before it (block-hash.ts).
 */
export const seals = table('journal_seals', {
  /** 1, 2, 3 … without gaps. */
  number: integer().primaryKey({ autoIncrement: true }),
  /**
   * How its hash is computed. 1: over the entries only, without a Merkle root; 2: over the root and the keys; 3: also
   * over the answers of the keys, people's decisions and the terms of assets.
   */
  form: integer().$type<1 | 2 | 3>().notNull(),
  /** The last entry that it covers; the first is the one after the seal before. */
  lastSeq: integer().notNull().unique(),
  /** The number of entries that it covers. */
  entries: integer().notNull(),
  /** The root of the Merkle tree over the entries, hex; empty in form 1. */
  root: text().notNull(),
  /** The number of idempotency keys that it covers: those that never expire, added since the seal before. */
  keys: integer().notNull(),
  /** The place of the last of them; if it covers none, that of the seal before. */
  lastKey: integer().notNull(),
  /** SHA-256 over the keys, hex; empty in form 1. */
  keysHash: text().notNull(),
  /** The same for people's decisions and the terms of assets; from form 3 on. */
  decisions: integer().notNull().default(0),
  lastDecision: integer().notNull().default(0),
  decisionsHash: text().notNull().default(''),
  assets: integer().notNull().default(0),
  lastAsset: integer().notNull().default(0),
  assetsHash: text().notNull().default(''),
  /** SHA-256 over the previous hash and all of this, hex. */
  hash: text().notNull(),
  sealedAt: timestamp().notNull(),
})
