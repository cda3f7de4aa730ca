import { index, integer, table, text } from '@bursar/store/schema'

/**
 * The customers of participants; a customer belongs to at most one. A customer that an update left out keeps its
 * participant and has no position. A customer whose participant could not be created has no participant, and belongs to
 * the next one that names it.
 */
export const members = table(
  'members',
  {
    /** The customer's. */
    id: text('customer_id').primaryKey(),
    participantId: text(),
    position: integer(),
  },
  (table) => [index('members_participant').on(table.participantId, table.position)],
)
