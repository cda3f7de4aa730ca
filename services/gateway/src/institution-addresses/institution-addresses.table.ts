import { json, table, text, timestamp } from '@bursar/store/schema'

/** The addresses that an institution may come from. Any, without a row or with an empty list. */
export const institutionAddresses = table('institution_addresses', {
  participantId: text().primaryKey(),
  addresses: json<string[]>().notNull(),
  changedBy: text().notNull(),
  changedAt: timestamp().notNull(),
})
