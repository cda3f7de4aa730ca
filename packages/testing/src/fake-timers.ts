import type { RelayClock } from '@bursar/store'

export interface FakeTimers extends RelayClock {
  /** Remaining times of the timers, in milliseconds, shortest first. */
  pending(): number[]
  /** Advances by so many milliseconds and runs the timers that become due, one after another, awaiting each. */
  advance(ms: number): Promise<void>
}

/** A clock with timers that moves when a test advances it; it starts at 0. */
export function fakeTimers(): FakeTimers {
  let nowMs = 0
  const timers = new Set<{ atMs: number; work: () => unknown }>()
  const inOrder = () => [...timers].sort((a, b) => a.atMs - b.atMs)
  return {
    now: () => nowMs,
    after(ms, work) {
      const timer = { atMs: nowMs + ms, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pending: () => inOrder().map(({ atMs }) => atMs - nowMs),
    async advance(ms) {
      const end = nowMs + ms
      for (let [next] = inOrder(); next && next.atMs <= end; [next] = inOrder()) {
        timers.delete(next)
        nowMs = next.atMs
        await next.work()
      }
      nowMs = end
    },
  }
}
