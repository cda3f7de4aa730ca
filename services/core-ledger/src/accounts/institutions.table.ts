import { participantsTable, pfisTable, table, text } from '@bursar/store/schema'

/** Whether an institution's money moves depends on these. */
export const pfis = pfisTable()
export const participants = participantsTable()

/** Why an institution's money does not move. */
export type HeldState = 'PAUSED' | 'OFFBOARDED' | 'DELETED'

/** By both replicas: the institutions whose money does not move; what every movement is checked against. */
export const heldInstitutions = table('held_institutions', {
  id: text().primaryKey(),
  state: text().$type<HeldState>().notNull(),
})
