import { index, json, table, text, timestamp } from '@bursar/store/schema'
import type { MessageType, Sender } from './messages.model'

/** Messages (spec 3, Message). They are never changed. Ids are UUID v7: they sort by age. */
export const messages = table(
  'messages',
  {
    id: text().primaryKey(),
    type: text().$type<MessageType>().notNull(),
    data: json<Record<string, unknown>>().notNull(),
    /** The recipient. */
    participantId: text().notNull(),
    /** The authenticated author; null when the caller was anonymous. */
    sender: json<Sender>(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    index('messages_type').on(table.type, table.id),
    index('messages_participant').on(table.participantId, table.id),
    index('messages_participant_type').on(table.participantId, table.type, table.id),
  ],
)
