import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { index, integer, money, sql, table, text, timestamp } from '@bursar/store/schema'

/**
 * Movements on a chain without a ledger transaction. Each row has one journal entry under its id, or waits for it. A
 * movement that cannot be posted whole is divided into parts, which always sum to its amount.
 */
export const movements = table(
  'movements',
  {
    /** `<network> <hash> <place>`, and its number from the second part on: the same movement always has the same id. */
    id: text().primaryKey(),
    kind: text().$type<ConfirmedMovement['kind']>().notNull(),
    network: text().notNull(),
    txHash: text().notNull(),
    place: text().notNull(),
    /** The number of the part: 1, 2, 3 … */
    part: integer().notNull(),
    /** The owner of the address; null for the deployment's hot wallet. */
    accountId: text(),
    address: text().notNull(),
    counterparty: text(),
    /** Null for the network's native coin. */
    contractAddress: text(),
    /** The amount of this part, in minor units. */
    amount: money().notNull(),
    decimals: integer().notNull(),
    /** The send that made it; null for a transaction of others. */
    orderId: text(),
    /** Null while the ledger has no such asset. */
    assetId: text(),
    /** When it became final on its chain for the first time: it is sealed, and never changes. */
    confirmedAt: timestamp().notNull(),
    /** When its chain reversed it; null while it is on the chain. */
    reversedAt: timestamp(),
    /** When its chain confirmed it last, after it had reversed it; null before that. */
    confirmedAgainAt: timestamp(),
    /** When its entry was posted; null while it waits. */
    bookedAt: timestamp(),
    /** Why it waits; null if it does not. */
    waitsFor: text(),
  },
  (table) => [
    index('movements_account').on(table.accountId, table.id),
    index('movements_listed').on(table.accountId, table.confirmedAt, table.id),
    index('movements_booked').on(table.accountId, table.bookedAt, table.id).where(sql`${table.bookedAt} is not null`),
    index('movements_waiting').on(table.id).where(sql`${table.bookedAt} is null`),
    index('movements_paid_orders').on(table.orderId).where(sql`${table.kind} = 'out'`),
  ],
)
