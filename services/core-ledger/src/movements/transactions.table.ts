import { boolean, index, integer, json, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { Phase } from './phases'
import type { Status, TransactionType } from './states'

/** A phase without what the one before it tells: name, status, and its times. 0: begun when that ended; ended when it began. */
type Packed = [Phase['name'], Phase['status'], string | 0, string | 0 | null, string?]

/** They are most of a transaction's row otherwise. */
const phases = {
  pack: (all: Phase[]): Packed[] =>
    all.map(({ name, status, startedAt, completedAt, detail }, i) => {
      const began = i > 0 && startedAt === all[i - 1]?.completedAt ? 0 : startedAt
      const ended = completedAt === startedAt ? 0 : completedAt
      return detail === null ? [name, status, began, ended] : [name, status, began, ended, detail]
    }),
  unpack(stored: unknown): Phase[] {
    const all: Phase[] = []
    for (const [name, status, began, ended, detail = null] of stored as Packed[]) {
      const startedAt = began === 0 ? (all.at(-1)?.completedAt ?? '') : began
      all.push({ name, status, startedAt, completedAt: ended === 0 ? startedAt : ended, detail })
    }
    return all
  },
}

/** Transactions (spec 2, both forms are this one record). Ids are UUID v7: their order is that of creation. */
export const transactions = table(
  'transactions',
  {
    id: text().primaryKey(),
    /** Of the account at that time; empty for accounts that belong to no customer. */
    customerId: text().notNull(),
    /** The account that pays out, or for a deposit the one that is paid into. */
    accountId: text().notNull(),
    /** The receiver of a transfer. */
    toAccountId: text(),
    assetId: text().notNull(),
    type: text().$type<TransactionType>().notNull(),
    status: text().$type<Status>().notNull(),
    /** In the asset's smallest unit. */
    amount: money().notNull(),
    /** Names its ledger accounts (ledger-accounts.ts), and so never changes. */
    network: text().notNull(),
    /** The asset's terms when the transaction was made: it is carried out by them, whatever becomes of the asset. */
    assetCode: text().notNull().default(''),
    /** Null for the network's native asset. */
    contractAddress: text(),
    decimals: integer().notNull().default(0),
    sourceAddress: text(),
    destinationAddress: text(),
    reference: text(),
    /** Of a withdrawal that sends a deposit in suspense back to its source: that deposit. */
    returns: text(),
    txHash: text(),
    /** Of deposits: which of its on-chain transaction's transfers it is. */
    logIndex: integer(),
    /** Of deposits: the one form of network, hash and log index, as the chain has it or a person named it (networks.ts). */
    transferKey: text(),
    /** Whose the account was when it was made (terms.ts); null for nobody's. Before that: as the gateway form was given it. */
    participantId: text(),
    /** The screening's verdict; null until there is one. */
    screeningApproved: boolean(),
    screeningData: json<Record<string, unknown>>(),
    rejectionReason: text(),
    failureReason: text(),
    /** Null until the first move: created, and waiting for its screening (phases.ts). */
    phases: json<Phase[]>(phases),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** When it became COMPLETED. */
    executedAt: timestamp(),
  },
  (table) => [
    // A customer's are found by its accounts: an account never changes its customer, and each index costs every insert.
    index('transactions_account').on(table.accountId, table.id),
    // For statements: what was carried out, by when. Nothing is added to them before.
    index('transactions_executed')
      .on(table.accountId, table.executedAt, table.id)
      .where(sql`${table.executedAt} is not null`),
    index('transactions_received')
      .on(table.toAccountId, table.executedAt, table.id)
      .where(sql`${table.toAccountId} is not null and ${table.executedAt} is not null`),
    // What waits for somebody, or has failed. An `in` here would not be seen to cover `status = 'FROZEN'`. The type is for its counts.
    index('transactions_open')
      .on(table.status, table.id, table.type)
      .where(
        sql`${table.status} = 'PENDING' or ${table.status} = 'FROZEN' or ${table.status} = 'APPROVED' or ${table.status} = 'FAILED'`,
      ),
    // One return at a time, and one that was paid for ever.
    uniqueIndex('transactions_return')
      .on(table.returns)
      .where(sql`${table.returns} is not null and ${table.status} <> 'REJECTED' and ${table.status} <> 'FAILED'`),
    index('transactions_returns').on(table.returns).where(sql`${table.returns} is not null`),
    uniqueIndex('transactions_deposit').on(table.transferKey).where(sql`${table.transferKey} is not null`),
  ],
)
