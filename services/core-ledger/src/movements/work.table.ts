import { boolean, index, integer, sql, table, text, timestamp, work as workColumns } from '@bursar/store/schema'

/** `ledger`: done here, in one commit. `chain`: carried out by the wallet service. */
export type WorkLane = 'ledger' | 'chain'

/** Approved transactions that wait to be carried out; put here by the approving commit, removed by the final one. */
export const work = table(
  'work',
  {
    transactionId: text().primaryKey(),
    lane: text().$type<WorkLane>().notNull(),
    // Attempts are counted since the last progress: accepted by the wallet service, or broadcast.
    ...workColumns(),
    /** When it was first ordered from the wallet service; written before the call: from then on it may be paid. */
    orderedAt: timestamp(),
    /**
     * When the wallet service accepted the withdrawal: from then on its record is read, and it is not ordered again.
     */
    acceptedAt: timestamp(),
    /** The mark of the last event about the wallet service's record; null once an answer has said more. */
    toldEpoch: integer(),
    toldVersion: integer(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('work_due').on(table.lane, table.dueAt).where(sql`${table.dueAt} is not null`)],
)

export type Work = typeof work.$inferSelect

/**
 * Failed withdrawals, to be checked once more after a while. One that the wallet service has paid after all stays here
 * as an alarm, with nothing left to do.
 */
export const failedWithdrawals = table(
  'failed_withdrawals',
  {
    transactionId: text().primaryKey(),
    ...workColumns(),
    /** The wallet service's record that contradicts the failure; null while none is known. */
    contradiction: text(),
    /** Of a return: it was paid with another amount or asset than its own, so that nothing here posts the payment. */
    otherTerms: boolean().notNull(),
  },
  (table) => [index('failed_withdrawals_due').on(table.dueAt).where(sql`${table.dueAt} is not null`)],
)
