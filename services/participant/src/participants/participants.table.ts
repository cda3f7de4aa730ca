import { boolean, index, integer, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * Participants (spec 3, Participant). One whose customers are still being made is stored but not `live`: nobody sees
 * it, and its API key is taken. Deleted ones, and those that could not be made, stay with their time and free their
 * key. Ids are UUID v7: their order is the age.
 */
export const participants = table(
  'participants',
  {
    id: text().primaryKey(),
    live: boolean().notNull(),
    institutionName: text().notNull(),
    /** The name as the filter sees it: without regard to case. */
    searchName: text().notNull(),
    /** SHA-256 of the API key (authConsumerId), hexadecimal. */
    keyHash: text().notNull(),
    /** The key itself, encrypted (api-keys.ts). */
    sealedKey: text().notNull(),
    routerData: json<Record<string, unknown>>(),
    /** The routerData as the filter sees it. */
    routerText: text(),
    omnibusAccountId: text(),
    feePayerAccountId: text(),
    /** Counts the changes from 1; events carry it. */
    version: integer().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const kept = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('participants_key_hash').on(table.keyHash).where(kept),
      index('participants_kept').on(table.id).where(kept),
      index('participants_omnibus_account_id').on(table.omnibusAccountId),
      index('participants_fee_payer_account_id').on(table.feePayerAccountId),
    ]
  },
)
