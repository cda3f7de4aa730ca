import { json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { CustodianStatus } from './custodian-banks.model'

/**
 * Custodian banks. A deleted one stays with the time of deletion and frees its name. Ids are UUID v7: they sort by age.
 */
export const custodianBanks = table(
  'custodian_banks',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The case-folded name: unique. */
    searchName: text().notNull(),
    /** ISO 3166-1, two letters. */
    country: text().notNull(),
    services: json<string[]>().notNull(),
    status: text().$type<CustodianStatus>().notNull(),
    createdAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => [uniqueIndex('custodian_banks_name').on(table.searchName).where(sql`${table.deletedAt} is null`)],
)
