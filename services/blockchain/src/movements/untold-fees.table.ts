import { index, integer, primaryKey, table, text } from '@bursar/store/schema'

/** Transactions of this deployment whose sends were lost by a restore: their fees are not published yet. */
export const untoldFees = table(
  'untold_fees',
  {
    network: text().notNull(),
    txHash: text().notNull(),
    /** The order that it was signed for. */
    orderId: text().notNull(),
    block: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.txHash] }),
    index('untold_fees_block').on(table.network, table.block),
  ],
)
