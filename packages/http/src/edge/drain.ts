/** How a service takes leave of its callers. */
export interface Drain {
  /** Notes a request. */
  arrived(): void
  /** Whether the service ends: each answer then closes its connection, which tells the caller. */
  isEnding(): boolean
  /** The service ends. Resolves once callers have heard of it: no request has come for a moment, or a second is over. */
  begin(): Promise<void>
}

interface Clock {
  now(): number
  after(ms: number, work: () => void): unknown
  /** Resolves once the process has seen what the system holds for it: connections, and requests on them. */
  caughtUp(): Promise<void>
}

const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, work) => setTimeout(work, ms),
  async caughtUp() {
    // One turn accepts a connection, a later one reads its request.
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
  },
}

/** Callers of this platform wait longer than this before they try again (restarts.ts). */
const quietMs = 50
const longestMs = 1000

/**
 * A port that is closed at once loses what is on its way: requests on connections that are kept, and those that the system
 * has accepted and the process not yet seen. So callers are told first, and the port closes when they have gone.
 */
export function createDrain(clock: Clock = realClock): Drain {
  let lastMs = Number.NEGATIVE_INFINITY
  let ending = false
  return {
    arrived() {
      lastMs = clock.now()
    },
    isEnding: () => ending,
    async begin() {
      ending = true
      const endMs = clock.now() + longestMs
      for (;;) {
        const seenMs = lastMs
        const waitMs = Math.min(seenMs + quietMs, endMs) - clock.now()
        if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
        else {
          // On a busy machine the moment may have been quiet because this process did not run.
          await clock.caughtUp()
          if (lastMs === seenMs || clock.now() >= endMs) return
        }
      }
    },
  }
}
