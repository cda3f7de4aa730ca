import { event } from './event'
import { LogEntry } from './log-entry'

/** Something worth a line in the activity log, already worded. Any service may say it. */
export const LogRecorded = event('log-tracker.message.recorded', LogEntry, { consumers: ['log-tracker'] })
