import { boolean, index, json, sql, table, text, timestamp } from '@bursar/store/schema'

/** What an execution may still take of an asset, in its smallest unit as a decimal string. */
export interface Take {
  assetId: string
  amount: string
}

/** Transactions of portfolios that the wallet service may sign. What they take counts as gone until the chain says what left. */
export const authorisedExecutions = table(
  'authorised_executions',
  {
    /** The wallet service's order. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    network: text().notNull(),
    /** Less with each of its movements that is booked. */
    takes: json<Take[]>().notNull(),
    /** What it takes cannot be read from it. */
    isOpaque: boolean().notNull(),
    authorisedAt: timestamp().notNull(),
    /** Of the transaction that it was last sent as; null while none is known. */
    sentHash: text(),
    /** When it was known to be final; its movements may still be on their way here. */
    confirmedAt: timestamp(),
    /** Of the final transaction; null before that. */
    txHash: text(),
    /** When it stopped to count; null while it does. */
    endedAt: timestamp(),
  },
  (table) => [index('authorised_executions_open').on(table.accountId).where(sql`${table.endedAt} is null`)],
)
