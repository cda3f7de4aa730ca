import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Mails to send. Written in the commit of their cause; sent, or given up, by the worker. Ids are UUID v7. */
export const mails = table(
  'mails',
  {
    id: text().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Sealed, for there may be tokens in it; null once it is sent or given up. */
    body: text(),
    createdAt: timestamp().notNull(),
    /** When what it says is of no use any more. */
    expiresAt: timestamp().notNull(),
    /** When it is tried next; null once it is sent or given up. */
    dueAt: timestamp(),
    attempts: integer().notNull(),
    leasedUntil: timestamp(),
    leasedBy: text(),
    sentAt: timestamp(),
    lastError: text(),
  },
  (table) => [index('mails_due').on(table.dueAt), index('mails_created_at').on(table.createdAt)],
)
