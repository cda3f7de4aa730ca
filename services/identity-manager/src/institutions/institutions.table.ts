import { participantsTable, pfisTable } from '@bursar/store/schema'

/** Replicas of institutions: their users' rights depend on these. */
export const pfis = pfisTable()
export const participants = participantsTable()
