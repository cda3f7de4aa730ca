import type { OpenStore } from '../engine/open-store'
import { type AloneOptions, every, type LoopOptions, type Worker } from './every'

/** A loop that can be woken. */
export interface Again extends Worker {
  /** Runs the work now, and again if a run is under way: everything from before the call is seen. Never rejects. */
  wake(): Promise<void>
}

/** Repeats the work, with a pause in between, and whenever it is woken. */
export function again(pauseMs: number, work: (own: OpenStore) => Promise<unknown>, options: AloneOptions): Again
export function again(pauseMs: number, work: () => Promise<unknown>, options: LoopOptions): Again
export function again(
  pauseMs: number,
  work: (own: OpenStore) => Promise<unknown>,
  options: LoopOptions & Partial<AloneOptions>,
): Again {
  let wanted = false
  /** Whether the run has looked for the last time, though it has not ended. */
  let hasLooked = false
  const loop = every(
    pauseMs,
    async (own: OpenStore) => {
      hasLooked = false
      do {
        wanted = false
        await work(own)
      } while (wanted)
      hasLooked = true
    },
    // Without `alone` the work takes no argument.
    options as AloneOptions,
  )
  return {
    wake() {
      wanted = true
      const isLate = hasLooked && !loop.idle?.()
      const run = loop.runNow()
      return isLate ? run.then(loop.runNow) : run
    },
    idle: () => !wanted && (loop.idle?.() ?? true),
    stop() {
      wanted = false
      return loop.stop()
    },
  }
}
