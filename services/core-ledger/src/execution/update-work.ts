import { and, eq, param, prepared } from '@bursar/store'
import { work } from './work.table'

/** Writes a piece of work as it stands now, unless it became due at another moment than `seenDueAt` meanwhile. */
export const updateWork = prepared((db) =>
  db
    .update(work)
    .set({
      dueAt: param('dueAt'),
      leasedUntil: param('leasedUntil'),
      attempts: param('attempts'),
      lastError: param('lastError'),
      orderedAt: param('orderedAt'),
      acceptedAt: param('acceptedAt'),
    })
    .where(and(eq(work.transactionId, param('transactionId')), eq(work.dueAt, param('seenDueAt')))),
)
