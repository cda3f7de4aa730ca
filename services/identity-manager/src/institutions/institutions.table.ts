import { participantsTable, pfisTable } from '@bursar/store/schema'

/** What the users of institutions may do depends on these. */
export const pfis = pfisTable()
export const participants = participantsTable()
