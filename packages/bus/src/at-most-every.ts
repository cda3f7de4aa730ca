import type { Log } from '@bursar/contracts/log'

const quietMs = 10_000

/** Writes one line in ten seconds at most, for what may come with each message; the others are dropped. */
export function atMostEvery(log: Log, level: 'warn' | 'info') {
  let last = Number.NEGATIVE_INFINITY
  return (fields: object, message: string) => {
    if (performance.now() - last < quietMs) return
    last = performance.now()
    log[level](fields, message)
  }
}
