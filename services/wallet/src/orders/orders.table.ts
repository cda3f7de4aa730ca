import type { Network } from '@bursar/contracts/blockchain'
import type { OrderStatus } from '@bursar/contracts/order-states'
import { index, integer, json, money, sql, table, text, timestamp, uniqueIndex, work } from '@bursar/store/schema'

/**
 * Every order to move something on a chain, by its id, and every id refused for ever; none is ever removed. A
 * refused id that no order came for has empty texts, amount 0 and status `failed`.
 */
export const orders = table(
  'orders',
  {
    /** The ledger's withdrawal, or the portfolio execution. */
    id: text().primaryKey(),
    kind: text().$type<'withdrawal' | 'execution'>().notNull(),
    accountId: text().notNull(),
    network: text().notNull(),
    assetCode: text().notNull(),
    /** Null for the network's native coin. */
    contractAddress: text(),
    amount: money().notNull(),
    decimals: integer().notNull(),
    destination: text().notNull(),
    /** A portfolio's raw transaction; null for a payment. */
    transactionData: json<Record<string, unknown>>(),
    status: text().$type<OrderStatus>().notNull(),
    txHash: text(),
    reason: text(),
    /** The paying address; null until it is chosen, then permanent. */
    payer: text(),
    /** Who pays the network's fee; null: the paying address. */
    feePayer: text(),
    /** The network's kind when the payer was chosen. */
    chain: json<Pick<Network, 'kind' | 'chainId'>>(),
    /** When it was first signed: from then on it may have been paid. */
    signedAt: timestamp(),
    /** Why it was not signed at the last request; null if it was, or was never requested. */
    waitsFor: text(),
    /** Since when it is lost: signed, and unknown to the blockchain service. Null: it is not. */
    lostAt: timestamp(),
    /** Since when it is disowned: dropped by the ledger, though it may have been signed. Null: it is not. */
    disownedAt: timestamp(),
    /** When the blockchain service accepted the order. */
    handedAt: timestamp(),
    /** The last state of the send from an event; null if an answer was newer. */
    toldEpoch: integer(),
    toldVersion: integer(),
    // Attempts are counted since its last step forward.
    ...work(),
    /** The caller's idempotency key; null if the id is the key. */
    requestKey: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    index('orders_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    uniqueIndex('orders_request_key').on(table.requestKey).where(sql`${table.requestKey} is not null`),
    // Open orders, which are few: what has ended is in none of these, so an order's end and its steps write few pages.
    index('orders_payer').on(table.network, table.payer).where(sql`${table.dueAt} is not null`),
    index('orders_fee_payer')
      .on(table.network, table.feePayer)
      .where(sql`${table.dueAt} is not null and ${table.feePayer} is not null`),
    index('orders_open').on(table.id, table.network).where(sql`${table.dueAt} is not null`),
    index('orders_lost').on(table.id).where(sql`${table.lostAt} is not null`),
    index('orders_disowned').on(table.id).where(sql`${table.disownedAt} is not null`),
  ],
)
