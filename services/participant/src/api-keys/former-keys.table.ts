import { index, table, text, timestamp } from '@bursar/store/schema'

/** Former API keys of participants, and keys issued besides the present one, while they are valid. */
export const formerKeys = table(
  'former_keys',
  {
    /** SHA-256 of the key, hexadecimal. */
    keyHash: text().primaryKey(),
    participantId: text().notNull(),
    /** When it stops being valid. */
    validUntil: timestamp().notNull(),
  },
  (table) => [
    index('former_keys_participant').on(table.participantId),
    index('former_keys_valid_until').on(table.validUntil),
  ],
)
