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
  const loop = every(
    pauseMs,
    async (own: OpenStore) => {
      do {
        wanted = false
        await work(own)
      } while (wanted)
    },
    // Without `alone` the work takes no argument.
    options as AloneOptions,
  )
  return {
    wake() {
      wanted = true
      return loop.runNow()
    },
    idle: () => !wanted && (loop.idle?.() ?? true),
    stop() {
      wanted = false
      return loop.stop()
    },
  }
}
