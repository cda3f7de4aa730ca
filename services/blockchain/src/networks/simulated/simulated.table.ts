import { index, integer, money, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** Blocks of the simulated networks. */
export const simulatedBlocks = table(
  'simulated_blocks',
  {
    network: text().notNull(),
    number: integer().notNull(),
    hash: text().notNull(),
    parentHash: text().notNull(),
    at: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.number] })],
)

/** Transactions in those blocks: each moves one asset. An unpayable one is also recorded, with the reason. */
export const simulatedTransactions = table(
  'simulated_transactions',
  {
    network: text().notNull(),
    txHash: text().notNull(),
    block: integer().notNull(),
    fromAddress: text().notNull(),
    toAddress: text().notNull(),
    /** Null for the native coin. */
    contractAddress: text(),
    amount: money().notNull(),
    /** Why it moved nothing; null when it did. */
    failure: text(),
  },
  (table) => [
    // By the hash first: a hash is looked for on all networks too.
    primaryKey({ columns: [table.txHash, table.network] }),
    index('simulated_transactions_block').on(table.network, table.block),
  ],
)

/** The balances of addresses on simulated networks. */
export const simulatedBalances = table(
  'simulated_balances',
  {
    network: text().notNull(),
    /** Comparable. */
    address: text().notNull(),
    /** Comparable; '' for the native coin. */
    token: text().notNull(),
    amount: money().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.address, table.token] }),
    index('simulated_balances_address').on(table.address),
  ],
)

/** How many transactions each address of a simulated network has sent. */
export const simulatedNonces = table(
  'simulated_nonces',
  { network: text().notNull(), address: text().notNull(), nonce: integer().notNull() },
  (table) => [primaryKey({ columns: [table.network, table.address] })],
)
