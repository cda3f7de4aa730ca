/** Graceful shutdown: tells callers, and waits until they have gone. */
export type Drain = ReturnType<typeof createDrain>

interface Clock {
  now(): number
  after(ms: number, work: () => void): unknown
  /** Resolves once the process has accepted the connections that the system holds for it, and read their requests. */
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
 * Closing a port at once would lose requests: those on kept connections, and those on connections that the system has
 * accepted and the process has not. So callers are told first, and the port is closed when they have gone.
 */
export function createDrain(clock: Clock = realClock) {
  let lastMs = Number.NEGATIVE_INFINITY
  let ending = false
  return {
    /** To be called for each request. */
    arrived() {
      lastMs = clock.now()
    },
    /** Whether the service is ending: each answer then closes its connection, which tells the caller. */
    isEnding: () => ending,
    /** Begins the end. Resolves once callers know of it: no request has come for a moment, or after a second. */
    async begin(): Promise<void> {
      ending = true
      const endMs = clock.now() + longestMs
      for (;;) {
        const seenMs = lastMs
        const waitMs = Math.min(seenMs + quietMs, endMs) - clock.now()
        if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
        else {
          // On a busy machine it may have been quiet only because this process did not run.
          await clock.caughtUp()
          if (lastMs === seenMs || clock.now() >= endMs) return
        }
      }
    },
  }
}
