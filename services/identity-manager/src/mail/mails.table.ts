import { index, sql, table, text, timestamp, work } from '@bursar/store/schema'

/** Mails to send. Written in the commit of their cause; sent, or given up, by the worker. Ids are UUID v7. */
export const mails = table(
  'mails',
  {
    id: text().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Encrypted, since it may contain tokens; null once it is sent or given up. */
    body: text(),
    createdAt: timestamp().notNull(),
    /** When its content becomes useless. */
    expiresAt: timestamp().notNull(),
    ...work(),
    sentAt: timestamp(),
  },
  (table) => [
    index('mails_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('mails_created_at').on(table.createdAt),
  ],
)
