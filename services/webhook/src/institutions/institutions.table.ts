import { participantsTable, pfisTable } from '@bursar/store/schema'

/** Whether anything is sent for an institution depends on these. */
export const pfis = pfisTable()
export const participants = participantsTable()
