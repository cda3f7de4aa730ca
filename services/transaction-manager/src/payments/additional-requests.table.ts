import { index, json, table, text, timestamp } from '@bursar/store/schema'

/** Requests for more information about a payment. */
export const additionalRequests = table(
  'additional_requests',
  {
    id: text().primaryKey(),
    paymentId: text().notNull(),
    type: text().notNull(),
    message: text().notNull(),
    data: json<Record<string, unknown>>(),
    requestedBy: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('additional_requests_payment').on(table.paymentId, table.id)],
)
