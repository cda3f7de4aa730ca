import { boolean, caseless, code, integer, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Assets per network (spec 2, Asset: both field sets are this one record). Deleted ones stay and free their code. */
export const assets = table(
  'assets',
  {
    id: text().primaryKey(),
    code: code().notNull(),
    name: text().notNull(),
    /** `network` of the creation field set, `blockchain` of the list field set. */
    network: text().notNull(),
    /** Null for the network's native asset: `native` in the creation field set. */
    contractAddress: text(),
    decimals: integer().notNull(),
    metadata: json<Record<string, unknown>>().notNull(),
    iso20022CurrencyCode: text(),
    iso20022BankTransactionDomainCode: text(),
    /**
     * Set by the first transaction: from then on the asset cannot be deleted, and its decimals and network are fixed.
     */
    used: boolean().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => [uniqueIndex('assets_code').on(caseless(table.code)).where(sql`${table.deletedAt} is null`)],
)
