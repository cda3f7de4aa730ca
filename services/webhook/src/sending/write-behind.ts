import type { Attempted } from './settle'

/** How long a success may wait until it is on the disk. */
const waitMs = 20

/** Takes what came of attempts on one target, and writes it down in few commits. */
export interface WriteBehind {
  add(attempted: Attempted): void
  /** Resolves when all that was added is on the disk. Rejects when something could not be written. */
  flush(): Promise<void>
}

/**
 * Successes wait for each other for some milliseconds, and no longer, whatever follows them: after a crash those few are
 * sent again.
 */
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
      // Whoever flushes last sees the failure.
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
