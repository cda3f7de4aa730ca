import { createSingleFlight } from '@bursar/http'

/** Caches an answer for `keptMs`, for all callers. A clock that is set back does not prolong that. */
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
