import type { EventText } from '@bursar/contracts/event'

/** Takes a batch in order; rejects when the broker did not take all of it. Must not hang. */
export type Publish = (events: readonly EventText[]) => Promise<void>

/** The relay's clock, which a test can set. */
export interface RelayClock {
  /** Monotonic, in milliseconds. */
  now(): number
  /** Calls `work` after `ms`, without keeping the process alive. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

export interface RelayTuning {
  /** Most events in one publish. */
  batch: number
  /**
   * The least time between two publishes that fill no batch; it doubles with publishes of many events, up to the
   * longest.
   */
  spacingMs: number
  longestSpacingMs: number
  /** The pause after the first refusal; it doubles with each further one, up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** How long published events stay in the outbox, to be sent again if the broker loses them. */
  keepMs: number
  /** How long the broker may take for an event that a caller waits for. */
  deliverMs: number
  clock: RelayClock
}

const realClock: RelayClock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

export const defaultTuning: RelayTuning = {
  batch: 500,
  spacingMs: 20,
  longestSpacingMs: 80,
  retryMs: 100,
  longestRetryMs: 2000,
  keepMs: 10_000,
  deliverMs: 2000,
  clock: realClock,
}
