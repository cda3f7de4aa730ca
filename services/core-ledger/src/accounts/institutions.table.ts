import { participantsTable, pfisTable, table, text } from '@bursar/store/schema'

/** Replicas of institutions: money of inactive ones does not move. */
export const pfis = pfisTable()
export const participants = participantsTable()

/** Why an institution's money does not move. */
export type HeldState = 'PAUSED' | 'OFFBOARDED' | 'DELETED'

/** Derived from both replicas: the institutions whose money does not move. Every movement is checked by this. */
export const heldInstitutions = table('held_institutions', {
  id: text().primaryKey(),
  state: text().$type<HeldState>().notNull(),
})
