import { participantsTable, pfisTable } from '@bursar/store/schema'

/** Replicas of institutions: nothing is sent for ended ones. */
export const pfis = pfisTable()
export const participants = participantsTable()
