import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** `ledger`: done here, in one commit. `chain`: carried out by the wallet service. */
export type WorkLane = 'ledger' | 'chain'

/** Approved transactions that wait to be carried out; put here by the approving commit, removed by the final one. */
export const work = table(
  'work',
  {
    transactionId: text().primaryKey(),
    lane: text().$type<WorkLane>().notNull(),
    /** Also tells one attempt from the next: each puts it later than it was. */
    dueAt: timestamp().notNull(),
    /** Since the last step forward: accepted by the wallet service, or broadcast. */
    attempts: integer().notNull(),
    lastError: text(),
    /** When the wallet service accepted the withdrawal: from then on it is asked for its record, and not ordered again. */
    acceptedAt: timestamp(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('work_due').on(table.lane, table.dueAt)],
)
