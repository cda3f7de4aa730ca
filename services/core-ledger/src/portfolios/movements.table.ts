import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { index, integer, money, sql, table, text, timestamp } from '@bursar/store/schema'

/**
 * Movements on a chain without a transaction of the ledger's: each row is one entry of the journal under its id, or waits
 * to be. What cannot be booked whole is divided into parts, which together are always the movement's amount.
 */
export const movements = table(
  'movements',
  {
    /** `<network> <hash> <place>`, with the number of the part after the first: the same movement is one for ever. */
    id: text().primaryKey(),
    kind: text().$type<ConfirmedMovement['kind']>().notNull(),
    network: text().notNull(),
    txHash: text().notNull(),
    place: text().notNull(),
    /** 1, 2, 3 … of one movement. */
    part: integer().notNull(),
    /** Whose address it is; null for the deployment's hot wallet. */
    accountId: text(),
    address: text().notNull(),
    counterparty: text(),
    /** Null for the network's native coin. */
    contractAddress: text(),
    /** Of this part, in the smallest unit. */
    amount: money().notNull(),
    decimals: integer().notNull(),
    /** The send that made it; null for a transaction of others. */
    orderId: text(),
    /** Null while the ledger has no such asset. */
    assetId: text(),
    confirmedAt: timestamp().notNull(),
    /** Since when it is off its chain again; null while it is there. */
    reversedAt: timestamp(),
    /** When its entry was posted; null while it waits. */
    bookedAt: timestamp(),
    /** Why it waits; null when it does not. */
    waitsFor: text(),
  },
  (table) => [
    index('movements_account').on(table.accountId, table.id),
    index('movements_listed').on(table.accountId, table.confirmedAt, table.id),
    index('movements_waiting').on(table.id).where(sql`${table.bookedAt} is null`),
    index('movements_paid_orders').on(table.orderId).where(sql`${table.kind} = 'out'`),
  ],
)
