import { index, json, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** All API keys ever issued to participants. Ids are UUID v7: the last one of a participant is its current one. */
export const apiKeys = table(
  'api_keys',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    /** SHA-256 of the key, hexadecimal. */
    keyHash: text().notNull(),
    /** The key itself, encrypted for its id. */
    sealedKey: text().notNull(),
    /** The addresses and networks (CIDR) that it may be used from; null for any. */
    addresses: json<string[]>(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** When it stops being valid because of a newer key or the end of its participant; null for the current one. */
    revokedAt: timestamp(),
    /** Until when earlier keys are valid, including those set at the participant service. */
    previousUntil: timestamp(),
  },
  (table) => [
    uniqueIndex('api_keys_key_hash').on(table.keyHash),
    index('api_keys_participant').on(table.participantId, table.id),
  ],
)
