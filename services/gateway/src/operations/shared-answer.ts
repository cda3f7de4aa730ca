import { createSingleFlight } from '@bursar/http'

/** Asks for something at most once in `keptMs`, for all who want it. A clock that was set back keeps no answer for longer. */
export function sharedAnswer<T>(ask: () => Promise<T>, keptMs: number, now: () => number): () => Promise<T> {
  const once = createSingleFlight<T>()
  let last: { at: number; answer: T } | undefined
  return async () => {
    if (last && Math.abs(now() - last.at) < keptMs) return last.answer
    return await once('it', async () => {
      const at = now()
      const answer = await ask()
      last = { at, answer }
      return answer
    })
  }
}
