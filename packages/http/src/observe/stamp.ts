import { isoTime } from '@bursar/contracts/iso-time'

/** The machine's time, for people who read a log line, an error or a health answer. Decisions use `deps.now`. */
export const stamp = (): string => isoTime(new Date())
