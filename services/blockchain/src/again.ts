import { every, type LoopOptions, type Worker } from '@bursar/store'

export interface Again extends Worker {
  /** Does the work, once more if it is under way: what was there before the call is seen. Never rejects. */
  run(): Promise<void>
}

/** A loop that can be woken: a wake during a run makes another one follow. */
export function again(pauseMs: number, work: () => Promise<unknown>, options: LoopOptions): Again {
  let wanted = false
  const loop = every(
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
    run() {
      wanted = true
      return loop.runNow()
    },
    stop() {
      wanted = false
      return loop.stop()
    },
  }
}
