import { index, integer, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Spec 3, Webhook delivery. A delivery that waits for its first attempt is also pending_retry. */
export type DeliveryStatus = 'delivered' | 'failed' | 'pending_retry'

/**
 * One event for one endpoint, or for a fallback URL; or for none, as a record that it could not be delivered. Ids are
 * UUID v7: they sort by age. A pending delivery is ready to send while `dueAt` is null.
 */
export const deliveries = table(
  'deliveries',
  {
    id: text().primaryKey(),
    /** UUID v7 of the event: deliveries to a target are sent in its order. */
    eventId: text().notNull(),
    requestId: text().notNull(),
    eventType: text().notNull(),
    participantId: text(),
    /** Null for a fallback URL, and for none. */
    endpointId: text(),
    /** Its target's queue; null without a target. */
    targetId: text(),
    /** The URL of the last attempt; an endpoint's URL may have changed. Empty for none. */
    url: text().notNull(),
    /** The caller's headers, unchanged, encrypted for the requestId. */
    headers: text(),
    /** The exact text that is sent. */
    body: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Since it was created or replayed. */
    attemptCount: integer().notNull(),
    maxRetries: integer().notNull(),
    lastError: text(),
    lastAttemptAt: timestamp(),
    successAt: timestamp(),
    failedAt: timestamp(),
    httpStatus: integer(),
    /** When it is retried; null when no retry is planned. */
    dueAt: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    index('deliveries_queue').on(table.targetId, table.status, table.dueAt, table.eventId),
    index('deliveries_request').on(table.requestId),
    uniqueIndex('deliveries_event').on(table.eventId, table.endpointId),
    index('deliveries_status').on(table.status, table.id),
    index('deliveries_failed').on(table.failedAt, table.id).where(sql`${table.failedAt} is not null`),
    index('deliveries_participant_failed')
      .on(table.participantId, table.failedAt, table.id)
      .where(sql`${table.failedAt} is not null`),
    index('deliveries_endpoint').on(table.endpointId, table.id),
    index('deliveries_endpoint_failed').on(table.endpointId, table.id).where(sql`${table.status} = 'failed'`),
    index('deliveries_event_type').on(table.eventType, table.id),
    index('deliveries_participant').on(table.participantId, table.id),
  ],
)

/** The finished attempts. Ids are UUID v7. */
export const attempts = table(
  'attempts',
  {
    id: text().primaryKey(),
    deliveryId: text().notNull(),
    startedAt: timestamp().notNull(),
    durationMs: integer().notNull(),
    httpStatus: integer(),
    /** Where it was sent; null for one of an earlier version. */
    url: text(),
    /** The value of `webhook-signature`; null for an unsigned one. */
    signature: text(),
    /** The first 1 KB of the answer. */
    answer: text(),
    /** Null for a success. */
    error: text(),
  },
  (table) => [index('attempts_delivery').on(table.deliveryId, table.id)],
)
