import { index, integer, sql, table, text, timestamp, work as workColumns } from '@bursar/store/schema'

/** `ledger`: done here, in one commit. `chain`: carried out by the wallet service. */
export type WorkLane = 'ledger' | 'chain'

/** Approved transactions that wait to be carried out; put here by the approving commit, removed by the final one. */
export const work = table(
  'work',
  {
    transactionId: text().primaryKey(),
    lane: text().$type<WorkLane>().notNull(),
    // Attempts count since the last step forward: accepted by the wallet service, or broadcast.
    ...workColumns(),
    /** When it was first ordered of the wallet service, written before the call: from then on it may be paid. */
    orderedAt: timestamp(),
    /** When the wallet service accepted the withdrawal: from then on it is asked for its record, and not ordered again. */
    acceptedAt: timestamp(),
    /** The state of the wallet service's record that an event told last; null where an answer said more since. */
    toldEpoch: integer(),
    toldVersion: integer(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('work_due').on(table.lane, table.dueAt).where(sql`${table.dueAt} is not null`)],
)

/**
 * Withdrawals that failed, to be asked about once more after a while: one that the wallet service has paid after all
 * stays here as an alarm, with nothing more to do.
 */
export const failedWithdrawals = table(
  'failed_withdrawals',
  {
    transactionId: text().primaryKey(),
    ...workColumns(),
    /** The wallet service's record that contradicts the failure; null while none is known. */
    contradiction: text(),
  },
  (table) => [index('failed_withdrawals_due').on(table.dueAt).where(sql`${table.dueAt} is not null`)],
)
