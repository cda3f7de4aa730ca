import { index, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** The API keys of participants, all that were ever issued. Ids are UUID v7: the last one of a participant is its current one. */
export const apiKeys = table(
  'api_keys',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    /** SHA-256 of the key, hexadecimal. */
    keyHash: text().notNull(),
    /** The key itself, encrypted for its id. */
    sealedKey: text().notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** From when on it is not taken any more, for a newer one or the end of its participant; null for the current one. */
    revokedAt: timestamp(),
    /** Until when the keys before it are taken, those that were set at the participant service too. */
    previousUntil: timestamp(),
  },
  (table) => [
    uniqueIndex('api_keys_key_hash').on(table.keyHash),
    index('api_keys_participant').on(table.participantId, table.id),
  ],
)
