import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Additional information on participants: one value per key. Ids are UUID v7: they sort by age. */
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
