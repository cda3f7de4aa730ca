import { deleteBy, insertInto, newId, rowsBy, rowsOf, type Tx, upsertInto } from '@bursar/store'
import { fail } from '../errors'
import { reviewAssignments, reviewComments } from './desk.table'

export type CommentRow = typeof reviewComments.$inferSelect
export type AssignmentRow = typeof reviewAssignments.$inferSelect

/** The assignments of these transactions. */
export const assignmentsOf = rowsOf(reviewAssignments, 'transactionId')

/** Assigns a transaction to a person, or to nobody. */
export const assign = (
  tx: Tx,
  { userId, ...row }: Omit<AssignmentRow, 'userId'> & { userId: string | null },
): Promise<unknown> =>
  userId === null ? unassign(tx).execute({ transactionId: row.transactionId }) : put(tx).execute({ ...row, userId })

/** The most comments on one transaction: all are read at once. */
const mostComments = 200

/** Oldest first. */
export const commentsOf = rowsBy(reviewComments, 'transactionId', 'id')

/** Fails (400) when there are too many. */
export async function addComment(
  tx: Tx,
  comment: Pick<CommentRow, 'transactionId' | 'authorId' | 'text'>,
  now: Date,
): Promise<CommentRow> {
  if ((await commentsOf(tx, comment.transactionId)).length >= mostComments) {
    throw fail('INVALID_REQUEST', { message: `This transaction has ${mostComments} comments: there can be no more` })
  }
  const row = { ...comment, id: newId(now), createdAt: now }
  await insertComment(tx).execute(row)
  return row
}

const put = upsertInto(reviewAssignments, ['transactionId'], ['userId', 'assignedBy', 'assignedAt'])
const unassign = deleteBy(reviewAssignments, 'transactionId')
const insertComment = insertInto(reviewComments)
