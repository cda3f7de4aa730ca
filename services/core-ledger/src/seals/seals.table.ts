import { integer, json, type Ranges, table, text, timestamp } from '@bursar/store/schema'
import type { SealedKind } from '../ledger/sealed-rows'

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
   * over the answers of the keys, people's decisions and the terms of assets; 4: over the rows that `ranges` lists.
   */
  form: integer().$type<1 | 2 | 3 | 4>().notNull(),
  /** The highest entry that is sealed so far. Up to form 3, the block begins with the entry after that of the seal before. */
  lastSeq: integer().notNull(),
  /**
   * From form 4 on: the numbers of the rows that it covers, by kind. Rows are sealed in the order in which they were
   * committed, which need not be that of their numbers.
   */
  ranges: json<Record<SealedKind, Ranges>>(),
  /** The number of entries that it covers. */
  entries: integer().notNull(),
  /** The root of the Merkle tree (RFC 6962) over the entries, hex; empty in form 1. */
  root: text().notNull(),
  /** The number of idempotency keys that it covers: those that never expire, added since the seal before. */
  keys: integer().notNull(),
  /** Up to form 3: the number of the last of them; if it covers none, that of the seal before. */
  lastKey: integer().notNull(),
  /** The root of a Merkle tree over the keys, hex; up to form 3 the SHA-256 over all of them, empty in form 1. */
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
