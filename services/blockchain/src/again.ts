import { every, type LoopOptions, type Worker } from '@bursar/store'

/** A loop that can be woken. */
export interface Again extends Worker {
  /** Does the work now, and once more if it is under way: what was there before the call is seen. Never rejects. */
  wake(): Promise<void>
}

/** Repeats the work, with a pause in between, and whenever it is woken. */
export function again(pauseMs: number, work: () => Promise<unknown>, options: LoopOptions): Again {
  let wanted = false
  const { runNow, stop } = every(
    pauseMs,
    async () => {
      do {
        wanted = false
        await work()
      } while (wanted)
    },
    options,
  )
  return {
    wake() {
      wanted = true
      return runNow()
    },
    stop() {
      wanted = false
      return stop()
    },
  }
}
