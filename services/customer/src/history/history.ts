import type { RecordStatus } from '@bursar/contracts/customer'
import { statusHistory } from '@bursar/store'
import { statusChanges } from './status-changes.table'

/** The history of customers' statuses. */
export const customerHistory = statusHistory<RecordStatus>(statusChanges)
