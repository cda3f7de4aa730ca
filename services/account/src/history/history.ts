import type { RecordStatus } from '@bursar/contracts/customer'
import { statusHistory } from '@bursar/store'
import { statusChanges } from './status-changes.table'

/** The history of accounts' statuses. */
export const accountHistory = statusHistory<RecordStatus>(statusChanges)
