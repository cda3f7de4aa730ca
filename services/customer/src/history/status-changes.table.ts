import { statusChangesTable } from '@bursar/store/schema'

/** Each change of a customer's status. */
export const statusChanges = statusChangesTable()
