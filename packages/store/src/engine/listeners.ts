import type { Log } from '@bursar/contracts/log'

/** Calls listeners. One that throws is logged, and the others are still called. */
export function listeners<T>(log: Log) {
  const all = new Set<(value: T) => void>()
  return {
    add(listener: (value: T) => void) {
      all.add(listener)
      return () => {
        all.delete(listener)
      }
    },
    call(value: T) {
      for (const listener of all) {
        try {
          listener(value)
        } catch (error) {
          log.error({ err: error }, 'A listener of the store failed')
        }
      }
    },
  }
}
