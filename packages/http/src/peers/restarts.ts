import { fetchPeer } from './fetch-peer'
import { type Addresses, createPlaces, type Place } from './instance-addresses'
import { hasEnded, wasNeverSent, wasRefused } from './unreachable'

/** Sends requests to services so that neither a restart nor the end of one of several instances loses any. */
export type Restarts = ReturnType<typeof createRestarts>

interface SendOptions {
  isRepeatable: boolean
  /** The caller's whole timeout. */
  timeoutMs: number
  /** Aborts when the caller is gone. */
  signal?: AbortSignal | undefined
  /** True for a body that can be sent only once: no second attempt. */
  isOnce?: boolean
}

/** The least pause before a service is tried again; pauses grow with the time it has been away. */
const leastPauseMs = 25
const mostPauseMs = 250
/** A starter gives each process fifteen seconds to end (stop-limits.ts); the last requests and events need most of them. */
const leavingMs = 3000
/** How long an address may take to show that it is back. */
const lookMs = 2000

/** `longestMs`: how long a restart may take; 0 does not wait. `isLive` checks whether somebody answers again. */
export function createRestarts(
  longestMs: number,
  nowMs: () => number = () => performance.now(),
  isLive: (address: string) => Promise<boolean> = answers,
) {
  const places = createPlaces(nowMs, isLive)
  let lastMs = Number.POSITIVE_INFINITY
  return {
    /**
     * Sends a request to one of a service's addresses: the least busy of those that answer. If it was not sent, or its
     * connection broke and the request is repeatable (`isRepeatable`), it goes to the next address; if none can be
     * reached, to all again, for at most `timeoutMs`. Rejects with the last attempt's error; at once if the service has
     * been away for long.
     */
    async send(
      addresses: Addresses,
      send: (address: string) => Promise<Response>,
      { isRepeatable, timeoutMs, signal, isOnce = false }: SendOptions,
    ): Promise<Response> {
      const all = places.of(addresses)
      const endMs = nowMs() + timeoutMs
      let tried: Set<Place> | undefined
      let isWorthWaiting = false
      for (;;) {
        const place = all.length === 1 ? (all[0] as Place) : places.choose(all, tried)
        try {
          return await places.attempt(place, send)
        } catch (error) {
          const mayRepeat = isRepeatable && hasEnded(error)
          if (isOnce || signal?.aborted || !(mayRepeat || wasNeverSent(error))) throw error
          isWorthWaiting ||= mayRepeat || wasRefused(error)
          tried = (tried ?? new Set()).add(place)
          if (tried.size < all.length) continue
          const awayMs = nowMs() - Math.max(...all.map(({ awaySince }) => awaySince ?? nowMs()))
          const pauseMs = Math.min(Math.max(awayMs / 8, leastPauseMs), mostPauseMs)
          const isTooLate = longestMs === 0 || awayMs > longestMs || nowMs() + pauseMs > Math.min(endMs, lastMs)
          if (!isWorthWaiting || isTooLate) throw error
          tried = undefined
          await Bun.sleep(pauseMs)
        }
      }
    },
    /** The addresses in the order in which to try a lasting connection: the best one first. */
    inOrder(addresses: Addresses) {
      const all = places.of(addresses)
      const first = places.choose(all)
      return [first, ...all.filter((place) => place !== first)].map(({ address }) => address)
    },
    /**
     * To be called when this service ends: those it waits for may end too, so no request waits longer than some seconds
     * from now on.
     */
    end() {
      lastMs = nowMs() + leavingMs
    },
  }
}

const answers = async (address: string): Promise<boolean> =>
  (await fetchPeer(`${address}/health/live`, { signal: AbortSignal.timeout(lookMs) })).ok
