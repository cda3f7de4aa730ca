import { boolean, index, json, sql, table, text, timestamp } from '@bursar/store/schema'

/** The amount of an asset that an execution may still take, as a decimal string in minor units. */
export interface Take {
  assetId: string
  amount: string
}

/**
 * Transactions of portfolios that the wallet service may sign. Their amounts are unavailable until the chain shows what
 * left.
 */
export const authorisedExecutions = table(
  'authorised_executions',
  {
    /** The id of the wallet service's order. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    network: text().notNull(),
    /** Reduced by each of its movements that is posted. */
    takes: json<Take[]>().notNull(),
    /** Whether its amounts cannot be decoded. */
    isOpaque: boolean().notNull(),
    authorisedAt: timestamp().notNull(),
    /** The hash of the transaction that it was last sent as; null while none is known. */
    sentHash: text(),
    /** When it became final; its movements may not have arrived yet. */
    confirmedAt: timestamp(),
    /** The hash of the final transaction; null before that. */
    txHash: text(),
    /** When it ended and its amounts became available again; null before. */
    endedAt: timestamp(),
  },
  (table) => [index('authorised_executions_open').on(table.accountId).where(sql`${table.endedAt} is null`)],
)
