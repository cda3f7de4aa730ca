import { index, table, text, timestamp } from '@bursar/store/schema'

/** API keys that participants had before their present one, or that they were issued besides it, while they are taken. */
export const formerKeys = table(
  'former_keys',
  {
    /** SHA-256 of the key, hexadecimal. */
    keyHash: text().primaryKey(),
    participantId: text().notNull(),
    /** From when on it is not taken any more. */
    validUntil: timestamp().notNull(),
  },
  (table) => [
    index('former_keys_participant').on(table.participantId),
    index('former_keys_valid_until').on(table.validUntil),
  ],
)
