import { boolean, index, json, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * Participants (spec 3, Participant). A participant is stored before its customers are created and is not `live` until
 * then: callers do not see it, but its API key is reserved. Deleted participants, and those whose creation failed, stay
 * with the time of their end and free their key. Ids are UUID v7: they sort by age.
 */
export const participants = table(
  'participants',
  {
    id: text().primaryKey(),
    live: boolean().notNull(),
    institutionName: text().notNull(),
    /** The case-folded name, for the filter. */
    searchName: text().notNull(),
    /** SHA-256 of the API key (authConsumerId), hexadecimal. */
    keyHash: text().notNull(),
    /** When the key expires; null for a key that was set here, which does not expire. */
    keyValidUntil: timestamp(),
    /** The key itself, encrypted. */
    sealedKey: text().notNull(),
    routerData: json<Record<string, unknown>>(),
    /** The routerData as text, for the filter. */
    routerText: text(),
    omnibusAccountId: text(),
    feePayerAccountId: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    deletedAt: timestamp(),
  },
  (table) => {
    const kept = sql`${table.deletedAt} is null`
    return [
      uniqueIndex('participants_key_hash').on(table.keyHash).where(kept),
      index('participants_kept').on(table.id).where(kept),
      // For the search across services.
      index('participants_search_name').on(table.searchName).where(kept),
      index('participants_omnibus_account_id').on(table.omnibusAccountId),
      index('participants_fee_payer_account_id').on(table.feePayerAccountId),
    ]
  },
)
