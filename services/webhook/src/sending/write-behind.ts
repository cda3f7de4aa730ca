import type { Attempted } from './settle'

/** How long a success may wait to be stored. */
const waitMs = 20

/**
 * Collects outcomes of attempts on one target, and stores them in few commits. Successes are batched for at most some
 * milliseconds: after a crash those few are sent again.
 */
export function createWriteBehind(write: (all: readonly Attempted[]) => Promise<void>) {
  let waiting: Attempted[] = []
  let written = Promise.resolve()
  let timer: Timer | undefined

  /** Resolves when all added outcomes are stored. Rejects when one could not be. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const all = waiting
    waiting = []
    if (all.length > 0) {
      const before = written
      written = write(all).then(() => before)
      // The last flush reports the failure.
      written.catch(() => {})
    }
    return written
  }
  return {
    add(attempted: Attempted) {
      waiting.push(attempted)
      timer ??= setTimeout(() => void flush(), waitMs)
    },
    flush,
  }
}
