import { doubling } from '@bursar/store'
import { hasEnded, wasNeverSent } from './unreachable'

/** The addresses of a service's instances. Pass the same list each time: state is kept by it. */
export type Addresses = readonly string[]

/** The consecutive failures after which an address is left out; at once if nothing could be sent there. */
const mostFailures = 5
/** The pauses of an address that is left out; they grow with each failure. */
const rests = doubling(200, 10_000)
/** Somewhat longer than an ending service takes to close its port (drain.ts). */
const holdMs = 150

/** One address. */
export interface Place {
  readonly address: string
  /** Requests under way. */
  busy: number
  /** Failures since its last good answer. */
  failures: number
  /** How often it was left out since its last success. */
  rests: number
  /** While it is left out: when it is checked again. 0 while it is in use. */
  restsUntil: number
  isLookedAt: boolean
  /** When it first could not be reached; null from its next answer on. */
  awaySince: number | null
  /** Until when nothing is sent there, because it announced its end; 0 for never. */
  heldUntil: number
}

/**
 * The state of the addresses that a process sends requests to. `isLive` checks whether somebody answers there again.
 */
export function createPlaces(nowMs: () => number, isLive: (address: string) => Promise<boolean>) {
  const known = new Map<string, Place>()
  const lists = new WeakMap<Addresses, readonly Place[]>()
  let turn = 0

  /** The check is made apart from requests: none of them waits for it. */
  async function lookAt(place: Place): Promise<void> {
    place.isLookedAt = true
    const isBack = await isLive(place.address).catch(() => false)
    place.isLookedAt = false
    if (isBack) Object.assign(place, { failures: 0, restsUntil: 0 })
    else rest(place)
  }

  function rest(place: Place): void {
    const now = nowMs()
    if (place.restsUntil > now) return
    place.restsUntil = now + rests.pauseMs(place.rests + 1)
    place.rests += 1
  }

  async function hold(place: Place): Promise<void> {
    const until = place.heldUntil
    const leftMs = until - nowMs()
    if (leftMs > 0) await Bun.sleep(leftMs)
    if (place.heldUntil === until) place.heldUntil = 0
  }

  function answered(place: Place, answer: Response): void {
    place.awaySince = null
    if (answer.status >= 500) failed(place)
    else if (place.failures > 0 || place.rests > 0) Object.assign(place, { failures: 0, rests: 0, restsUntil: 0 })
    if (answer.headers.get('connection')?.toLowerCase() === 'close') place.heldUntil = nowMs() + holdMs
  }

  function failed(place: Place, error?: unknown): void {
    place.failures += 1
    if (wasNeverSent(error) || hasEnded(error)) place.awaySince ??= nowMs()
    if (wasNeverSent(error) || place.failures >= mostFailures) rest(place)
  }

  return {
    of: (addresses: Addresses): readonly Place[] =>
      lists.getOrInsertComputed(addresses, () =>
        addresses.map((address) => known.getOrInsertComputed(address, newPlace)),
      ),
    /** The best address that was not tried; equal ones take turns. */
    choose(among: readonly Place[], tried?: ReadonlySet<Place>): Place {
      const now = nowMs()
      turn = (turn + 1) % among.length
      let best: Place | undefined
      for (let n = 0; n < among.length; n++) {
        const place = among[(turn + n) % among.length] as Place
        if (place.restsUntil > 0 && place.restsUntil <= now && !place.isLookedAt) void lookAt(place)
        if (!tried?.has(place) && (!best || isBetter(place, best, now))) best = place
      }
      return best as Place
    },
    /** Sends a request there, and records the outcome. */
    async attempt(place: Place, send: (address: string) => Promise<Response>): Promise<Response> {
      place.busy += 1
      try {
        if (place.heldUntil !== 0) await hold(place)
        const answer = await send(place.address)
        answered(place, answer)
        return answer
      } catch (error) {
        if (isOfPlace(error)) failed(place, error)
        throw error
      } finally {
        place.busy -= 1
      }
    },
  }
}

const newPlace = (address: string): Place => ({
  address,
  busy: 0,
  failures: 0,
  rests: 0,
  restsUntil: 0,
  isLookedAt: false,
  awaySince: null,
  heldUntil: 0,
})

/** Prefers an address in use to an ending one, and that to one left out; of equals the less busy one. */
function isBetter(place: Place, than: Place, now: number): boolean {
  const difference = hindranceOf(place, now) - hindranceOf(than, now)
  return difference === 0 ? place.busy < than.busy : difference < 0
}

const hindranceOf = ({ restsUntil, heldUntil }: Place, now: number): number =>
  restsUntil > 0 ? 2 : heldUntil > now ? 1 : 0

/** Whether a failure is the address's: not that of a caller who has gone, or of the request. */
const isOfPlace = (error: unknown): boolean =>
  wasNeverSent(error) || hasEnded(error) || (error instanceof Error && error.name === 'TimeoutError')
