import { index, json, table, text, timestamp } from '@bursar/store/schema'

/** `disabled`: it answered 410. Deliveries for it fail until it is enabled. */
export type EndpointStatus = 'active' | 'disabled'

/** Where a participant's deliveries go. Secrets are sealed. Ids are UUID v7: their order is the age. */
export const endpoints = table(
  'endpoints',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    url: text().notNull(),
    /** Empty for all. */
    eventTypes: json<string[]>().notNull(),
    status: text().$type<EndpointStatus>().notNull(),
    secret: text().notNull(),
    /** The one before, which signs as well until `previousUntil`. */
    previousSecret: text(),
    previousUntil: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [index('endpoints_participant').on(table.participantId, table.id), index('endpoints_url').on(table.url)],
)
