import { index, json, table, text, timestamp } from '@bursar/store/schema'

/** `disabled`: it answered 410. Deliveries for it fail until it is enabled. */
type EndpointStatus = 'active' | 'disabled'

/** The endpoints of participants. Secrets are encrypted. Ids are UUID v7: they sort by age. */
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
    /** The previous secret, which also signs until `previousUntil`. */
    previousSecret: text(),
    previousUntil: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [index('endpoints_participant').on(table.participantId, table.id), index('endpoints_url').on(table.url)],
)
