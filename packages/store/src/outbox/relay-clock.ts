/** Time as the relay takes it, so that a test can set it. */
export interface RelayClock {
  /** Milliseconds that never go back, from any start. */
  now(): number
  /** Calls `work` after `ms`; the process may end before. Returns how to cancel it. */
  after(ms: number, work: () => void): () => void
}

export const realClock: RelayClock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
