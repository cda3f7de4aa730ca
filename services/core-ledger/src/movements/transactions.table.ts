import { boolean, index, integer, json, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { Phase } from './phases'
import type { Status, TransactionType } from './states'

/**
 * A packed phase: name, status, begin, end, detail. 0 stands for a time equal to the previous phase's end (as begin),
 * or the phase's own begin (as end).
 */
type Packed = [Phase['name'], Phase['status'], string | 0, string | 0 | null, string?]

/** Packed, because phases would be most of a transaction's row. */
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
    /** Part of its ledger accounts' names (ledger-accounts.ts), and therefore never changes. */
    network: text().notNull(),
    /** The asset's terms when the transaction was created: it is carried out by them, whatever becomes of the asset. */
    assetCode: text().notNull().default(''),
    /** Null for the network's native asset. */
    contractAddress: text(),
    decimals: integer().notNull().default(0),
    sourceAddress: text(),
    destinationAddress: text(),
    reference: text(),
    /** For a withdrawal that returns a deposit in suspense to its source: that deposit. */
    returns: text(),
    txHash: text(),
    /** For deposits: the index of the transfer in its on-chain transaction. */
    logIndex: integer(),
    /**
     * For deposits: network, hash and log index in normal form, as on the chain or as a person named them
     * (networks.ts).
     */
    transferKey: text(),
    /**
     * The account's participant when the transaction was created (terms.ts); null for none. In older rows: the value
     * given in the gateway form.
     */
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
    // A customer's transactions are found by its accounts: an account never changes its customer, and each index costs
    // every insert.
    index('transactions_account').on(table.accountId, table.id),
    // For statements: executed transactions by time. Rows enter this index only when they are executed.
    index('transactions_executed')
      .on(table.accountId, table.executedAt, table.id)
      .where(sql`${table.executedAt} is not null`),
    index('transactions_received')
      .on(table.toAccountId, table.executedAt, table.id)
      .where(sql`${table.toAccountId} is not null and ${table.executedAt} is not null`),
    // Transactions that wait, or have failed. SQLite would not see that an `in` covers `status = 'FROZEN'`. The type
    // serves counts.
    index('transactions_open')
      .on(table.status, table.id, table.type)
      .where(
        sql`${table.status} = 'PENDING' or ${table.status} = 'FROZEN' or ${table.status} = 'APPROVED' or ${table.status} = 'FAILED'`,
      ),
    // A deposit has one return at a time, and none after one that was paid.
    uniqueIndex('transactions_return')
      .on(table.returns)
      .where(sql`${table.returns} is not null and ${table.status} <> 'REJECTED' and ${table.status} <> 'FAILED'`),
    index('transactions_returns').on(table.returns).where(sql`${table.returns} is not null`),
    uniqueIndex('transactions_deposit').on(table.transferKey).where(sql`${table.transferKey} is not null`),
  ],
)
