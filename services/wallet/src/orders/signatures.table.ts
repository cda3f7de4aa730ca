import { inOneTree, integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/**
 * Every signature issued for an order, by the order and its number; none is ever removed. Signatures of one
 * nonce, or of one blockhash, can never be mined besides each other.
 */
export const signatures = inOneTree(
  table(
    'signatures',
    {
      orderId: text().notNull(),
      /** From 0. */
      number: integer().notNull(),
      network: text().notNull(),
      /** The address whose nonce it uses. */
      sender: text().notNull(),
      /** Null on Solana. */
      nonce: integer(),
      /** Only on Solana. */
      blockhash: text(),
      /** The hash on the chain. */
      txHash: text().notNull(),
      signedAt: timestamp().notNull(),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.number] })],
  ),
)
