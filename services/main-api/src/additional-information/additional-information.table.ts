import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** What else is known of participants: one value for each key. Ids are UUID v7: their order is the age. */
export const additionalInformation = table(
  'additional_information',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    key: text().notNull(),
    value: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex('additional_information_key').on(table.participantId, table.key)],
)
