import type { OrderStatus } from '@bursar/contracts/order-states'
import {
  boolean,
  index,
  integer,
  json,
  money,
  sql,
  table,
  text,
  timestamp,
  uniqueIndex,
  work,
} from '@bursar/store/schema'

/** Orders to send something (contracts, NewSend) with their state. None is ever removed. */
export const sends = table(
  'sends',
  {
    /** The id of its cause: the ledger's withdrawal or the portfolio execution. */
    id: text().primaryKey(),
    network: text().notNull(),
    fromAddress: text().notNull(),
    toAddress: text().notNull(),
    contractAddress: text(),
    amount: money().notNull(),
    decimals: integer().notNull(),
    feePayer: text(),
    transactionData: json<Record<string, unknown>>(),
    /** The comparable address whose queue it waits in, and whose nonce it uses. */
    sender: text().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    /** The hash of the newest attempt, or of the final one. */
    txHash: text(),
    reason: text(),
    /** Assigned with the first attempt; null before, and again when the attempt is lost. */
    nonce: integer(),
    /** When it is checked again; null when it has ended. */
    dueAt: timestamp(),
    /** Consecutive failures, for the pause before the next check. */
    failures: integer().notNull(),
    lastError: text(),
    /** Whether no event has told its newest state yet: the pass over its queue tells it at its end, or the next one. */
    isUntold: boolean().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    // Open sends, which are few.
    index('sends_due').on(table.network, table.sender, table.dueAt).where(sql`${table.dueAt} is not null`),
    // The nonce finds the ended send that had it.
    index('sends_nonce')
      .on(table.network, table.sender, table.nonce)
      .where(sql`${table.dueAt} is null and ${table.nonce} is not null`),
    index('sends_open').on(table.id, table.network).where(sql`${table.dueAt} is not null`),
  ],
)
export type SendRow = typeof sends.$inferSelect

/**
 * Signed transactions of an order, stored before they are broadcast. The newest replaces the others, whose nonce it
 * has.
 */
export const attempts = table(
  'attempts',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    sendId: text().notNull(),
    network: text().notNull(),
    txHash: text().notNull(),
    nonce: integer(),
    unsigned: text().notNull(),
    signed: text().notNull(),
    signers: json<string[]>().notNull(),
    expiresAt: integer(),
    createdAt: timestamp().notNull(),
    /** When it was proved that it can never be included. */
    lostAt: timestamp(),
  },
  (table) => [
    uniqueIndex('attempts_hash').on(table.network, table.txHash),
    index('attempts_send').on(table.sendId, table.seq),
  ],
)
export type AttemptRow = typeof attempts.$inferSelect

/** The queue of each sender: one worker at a time, nonces in order. It is due with the first of its sends. */
export const senders = table(
  'senders',
  {
    /** The network, a space and the address. */
    id: text().primaryKey(),
    network: text().notNull(),
    /** Comparable. */
    address: text().notNull(),
    /** The lowest unassigned nonce; null before the first one. */
    nextNonce: integer(),
    ...work(),
  },
  (table) => [index('senders_due').on(table.network, table.dueAt).where(sql`${table.dueAt} is not null`)],
)

/** Sends that were open in a restored database, which lacks their later history. */
export const restoredSends = table('restored_sends', {
  sendId: text().primaryKey(),
  restoredAt: timestamp().notNull(),
})
