import { integer, table, text, timestamp } from '@bursar/store/schema'

/**
 * The hash chain over the journal: each seal covers a block of entries, with the terms of their transactions, what was
 * kept beside them meanwhile (idempotency keys with their answers, people's decisions, what assets are), and the seal
 * before it (block-hash.ts).
 */
export const seals = table('journal_seals', {
  /** 1, 2, 3 …: without a gap. */
  number: integer().primaryKey({ autoIncrement: true }),
  /**
   * How its hash is made. 1: over the entries alone, before there were Merkle roots; 2: over the root and the keys; 3:
   * over the keys with their answers, people's decisions and what assets are as well.
   */
  form: integer().$type<1 | 2 | 3>().notNull(),
  /** The last entry that it covers; the first is the one after the seal before. */
  lastSeq: integer().notNull().unique(),
  /** How many entries it covers. */
  entries: integer().notNull(),
  /** Of the Merkle tree over the entries, hex; empty in form 1. */
  root: text().notNull(),
  /** How many idempotency keys it covers: those that never expire, made since the seal before. */
  keys: integer().notNull(),
  /** The place of the last of them, or of one before where it covers none. */
  lastKey: integer().notNull(),
  /** SHA-256 over the keys, hex; empty in form 1. */
  keysHash: text().notNull(),
  /** The same of people's decisions, and of the terms of assets; from form 3 on. */
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
