import { inOneTree, integer, primaryKey, table, text } from '@bursar/store/schema'

/**
 * By which texts a transaction is found: its reference, its hash, its addresses, each as a number (key-of.ts). Written
 * behind the journal, not by the commits that move money: an index would cost each of them a random page.
 */
export const transactionKeys = inOneTree(
  table('transaction_keys', { key: integer().notNull(), transactionId: text().notNull() }, (table) => [
    primaryKey({ columns: [table.key, table.transactionId] }),
  ]),
)
