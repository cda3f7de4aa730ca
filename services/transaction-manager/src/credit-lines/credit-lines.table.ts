import { index, integer, money, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** The credit lines of participants, one for each currency. Amounts are minor units; used = reserved + drawn. */
export const creditLines = table(
  'credit_lines',
  {
    participantId: text().notNull(),
    currency: text().notNull(),
    limit: money().notNull(),
    /** Reserved by payments under way. */
    reserved: money().notNull(),
    /** Used by completed payments and not yet repaid by incoming money. */
    drawn: money().notNull(),
    expiresAt: timestamp(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.participantId, table.currency] })],
)

/** Every movement of a credit line. Never changed: their sums give the line (credit-lines.ts). */
export const creditEntries = table(
  'credit_entries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    participantId: text().notNull(),
    currency: text().notNull(),
    kind: text({ enum: ['reserve', 'settle', 'release', 'repay'] }).notNull(),
    amount: money().notNull(),
    paymentId: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('credit_entries_line').on(table.participantId, table.currency, table.seq)],
)
