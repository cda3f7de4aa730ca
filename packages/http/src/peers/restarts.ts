import { hasEnded, wasRefused } from './unreachable'

/** Sends requests so that the restart of a service loses none. */
export interface Restarts {
  /**
   * Sends a request to a place. While the service there is away, `send` is called again, for at most `timeoutMs`: after an
   * attempt that never left, and where the request may be repeated (`isRepeatable`) also after one whose connection broke.
   * Rejects with the last attempt's error, at once when the service has been away for long.
   */
  send(place: string, send: () => Promise<Response>, options: SendOptions): Promise<Response>
}

interface SendOptions {
  isRepeatable: boolean
  /** How long the caller has in all. */
  timeoutMs: number
  /** Aborts when the caller is gone. */
  signal?: AbortSignal | undefined
}

/** What a service that ends takes to close its port (drain.ts), and some more. */
const holdMs = 150
/** The pause before a place is tried again grows with the time that it has been away for. */
const leastPauseMs = 25
const mostPauseMs = 250

/** `longestMs`: how long a restart may take; 0 to wait for none. */
export function createRestarts(longestMs: number, nowMs: () => number = () => performance.now()): Restarts {
  /** When each place first could not be reached; forgotten with its next answer. */
  const awaySince = new Map<string, number>()
  /** Until when nothing is sent to a service that has said that it ends. */
  const heldUntil = new Map<string, number>()

  async function hold(place: string): Promise<void> {
    const until = heldUntil.get(place)
    if (until === undefined) return
    const leftMs = until - nowMs()
    if (leftMs > 0) await Bun.sleep(leftMs)
    if (heldUntil.get(place) === until) heldUntil.delete(place)
  }

  return {
    async send(place, send, { isRepeatable, timeoutMs, signal }) {
      if (longestMs === 0) return await send()
      const endMs = nowMs() + timeoutMs
      for (;;) {
        await hold(place)
        try {
          const answer = await send()
          awaySince.delete(place)
          if (answer.headers.get('connection')?.toLowerCase() === 'close') heldUntil.set(place, nowMs() + holdMs)
          return answer
        } catch (error) {
          const mayRepeat = wasRefused(error) || (isRepeatable && hasEnded(error))
          if (!mayRepeat || signal?.aborted) throw error
          const since = awaySince.get(place) ?? nowMs()
          awaySince.set(place, since)
          const awayMs = nowMs() - since
          const pauseMs = Math.min(Math.max(awayMs / 8, leastPauseMs), mostPauseMs)
          if (awayMs > longestMs || nowMs() + pauseMs > endMs) throw error
          await Bun.sleep(pauseMs)
        }
      }
    },
  }
}
