import { inOneTree, integer, primaryKey, table, text } from '@bursar/store/schema'

/**
 * An index from texts to transactions: reference, hash and addresses, each as a number (key-of.ts). Written behind the
 * journal, not by the commits that move money: an ordinary index would cost each of them a random page.
 */
export const transactionKeys = inOneTree(
  table('transaction_keys', { key: integer().notNull(), transactionId: text().notNull() }, (table) => [
    primaryKey({ columns: [table.key, table.transactionId] }),
  ]),
)
