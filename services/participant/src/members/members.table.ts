import { index, integer, table, text } from '@bursar/store/schema'

/**
 * Which customers are a participant's: each is at most one's. One that an update left out keeps its participant and has
 * no position; one whose participant could not be created has no participant, and goes to the next that names it.
 */
export const members = table(
  'members',
  {
    customerId: text().primaryKey(),
    participantId: text(),
    position: integer(),
  },
  (table) => [index('members_participant').on(table.participantId, table.position)],
)
