import { AppError } from '@bursar/http'

/** The last result of reading each network. In memory: a restart clears it. */
export interface ScanReport {
  done(network: string, at: Date): void
  failed(network: string, error: unknown, at: Date): void
  of(network: string): Scanned
  /** The health sentence about networks that have failed for some minutes; null for none. */
  waits(now: Date): string | null
}

interface Scanned {
  readonly lastScanAt: string | null
  readonly lastError: { at: string; message: string } | null
}

/** After this time a failure does not heal by itself. */
const longMs = 10 * 60_000
/** Whose last failure is older is read by another instance since, or is not watched any more. */
const freshMs = 5 * 60_000

export function createScanReport(): ScanReport {
  const known = new Map<string, Scanned>()
  const failing = new Map<string, { since: Date; last: Date }>()
  const of = (network: string) => known.get(network) ?? { lastScanAt: null, lastError: null }

  function noteFailing(network: string, at: Date) {
    const before = failing.get(network)
    // A time that is still to come was set by a wrong clock.
    const goesOn = before && before.since <= at && at.getTime() - before.last.getTime() < freshMs
    failing.set(network, { since: goesOn ? before.since : at, last: at })
  }

  return {
    of,
    done(network, at) {
      known.set(network, { lastScanAt: at.toISOString(), lastError: null })
      failing.delete(network)
    },
    failed(network, error, at) {
      known.set(network, { ...of(network), lastError: { at: at.toISOString(), message: wordsOf(error) } })
      noteFailing(network, at)
    },
    waits(now) {
      const ms = now.getTime()
      const found = [...failing]
        .filter(([, { since, last }]) => ms - since.getTime() >= longMs && ms - last.getTime() < freshMs)
        .map(([network, { since }]) => `${network} since ${since.toISOString()} (${of(network).lastError?.message})`)
      return found.length === 0 ? null : `Deposits are not seen on ${found.join(', ')}: bun run doctor asks the nodes`
    },
  }
}

/** Libraries' error messages may contain a node's URL: only our own messages are shown. */
export const wordsOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'It failed for an unknown reason: see the log of the service'
