import type { Attempted } from './settle'

/** How long a success may wait to be stored. */
const waitMs = 20

/** Collects outcomes of attempts on one target, and stores them in few commits. */
interface WriteBehind {
  add(attempted: Attempted): void
  /** Resolves when all added outcomes are stored. Rejects when one could not be. */
  flush(): Promise<void>
}

/** Successes are batched for at most some milliseconds: after a crash those few are sent again. */
export function createWriteBehind(write: (all: readonly Attempted[]) => Promise<void>): WriteBehind {
  let waiting: Attempted[] = []
  let written = Promise.resolve()
  let timer: Timer | undefined

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
    add(attempted) {
      waiting.push(attempted)
      timer ??= setTimeout(() => void flush(), waitMs)
    },
    flush,
  }
}
