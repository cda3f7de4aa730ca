import type { OrderStatus } from '@bursar/contracts/order-states'
import { index, integer, json, money, sql, table, text, timestamp, uniqueIndex, work } from '@bursar/store/schema'

/** Orders to send something (contracts, NewSend) and how they stand. None is ever removed. */
export const sends = table(
  'sends',
  {
    /** Of the cause: the ledger's withdrawal or the portfolio execution. */
    id: text().primaryKey(),
    network: text().notNull(),
    fromAddress: text().notNull(),
    toAddress: text().notNull(),
    contractAddress: text(),
    amount: money().notNull(),
    decimals: integer().notNull(),
    feePayer: text(),
    transactionData: json<Record<string, unknown>>(),
    /** Whose queue it waits in, comparable: who gives the nonce. */
    sender: text().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    /** Of the newest attempt, and of the one that was included once that is final. */
    txHash: text(),
    reason: text(),
    /** Given with the first attempt; null before, and again when that one is lost. */
    nonce: integer(),
    /** When it is looked at again; null when it is settled. */
    dueAt: timestamp(),
    /** Looks in a row that failed, for the pause before the next one. */
    failures: integer().notNull(),
    lastError: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    // The nonce: which of those that have ended had it.
    index('sends_due').on(table.network, table.sender, table.dueAt, table.nonce),
    index('sends_hash').on(table.txHash),
    // Those that have not ended: the others are many.
    index('sends_open').on(table.id, table.network).where(sql`${table.dueAt} is not null`),
  ],
)
export type SendRow = typeof sends.$inferSelect

/** Signed transactions of an order, stored before they are broadcast. The newest replaces the others, whose nonce it has. */
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
    /** When it was proved that no block will ever hold it. */
    lostAt: timestamp(),
  },
  (table) => [
    uniqueIndex('attempts_hash').on(table.network, table.txHash),
    index('attempts_send').on(table.sendId, table.seq),
  ],
)
export type AttemptRow = typeof attempts.$inferSelect

/** The queue of each sender: one worker at a time, nonces in order. It is due when the first of its sends is. */
export const senders = table(
  'senders',
  {
    /** The network, a space and the address. */
    id: text().primaryKey(),
    network: text().notNull(),
    /** Comparable. */
    address: text().notNull(),
    /** The lowest nonce that was not given; null before the first one. */
    nextNonce: integer(),
    ...work(),
  },
  (table) => [index('senders_due').on(table.network, table.dueAt).where(sql`${table.dueAt} is not null`)],
)
