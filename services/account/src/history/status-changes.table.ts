import { statusChangesTable } from '@bursar/store/schema'

/** Each change of an account's status. */
export const statusChanges = statusChangesTable()
