import { metaValue, putMetaValue } from '../engine/meta-values'
import type { OpenStore } from '../engine/open-store'

/** How many hours per hour the recorded time may catch up with the clock: a month takes ten days. */
const fastest = 4

export interface PlausibleTimeOptions {
  /** The clock, which may be wrong. */
  now: () => Date
  /** For tests: a monotonic clock, in milliseconds. */
  passed?: () => number
}

/**
 * The time by which old rows may be deleted: that of the clock, or an earlier one when the clock is further ahead than the
 * time noted in the database and the time that has passed in this process allow. A clock that is a year ahead for an hour
 * makes rows four hours older, not a year; one that was behind, or a service that was off, makes rows stay longer. Where
 * nothing is noted yet the clock holds. `name` is that of the work; for work that one instance does at a time.
 */
export function plausibleTime(
  name: string,
  { now, passed = () => performance.now() }: PlausibleTimeOptions,
): (store: OpenStore) => Promise<Date> {
  const key = `time:${name}`
  let lastMs = passed()
  return async (store) => {
    const clockMs = now().getTime()
    const noted = Number((await metaValue(store.read, key)) ?? clockMs)
    const most = fastest * (passed() - lastMs)
    const at = Math.round(Math.min(Math.max(clockMs, noted - most), noted + most))
    await store.commit((tx) => putMetaValue(tx, key, String(at)))
    lastMs = passed()
    if (clockMs - at > dayMs) store.log.warn({ at: new Date(at), work: name }, ahead)
    return new Date(Math.min(clockMs, at))
  }
}

const dayMs = 24 * 60 * 60 * 1000
const ahead =
  'Old rows leave as of an earlier time than the clock’s, which catches up: the clock is wrong, or this service was off'
