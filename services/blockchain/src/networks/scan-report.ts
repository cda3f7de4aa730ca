import { AppError } from '@bursar/http'

/** How the reading of each network went last. In memory: it begins anew with the service. */
export interface ScanReport {
  done(network: string, at: Date): void
  failed(network: string, error: unknown, at: Date): void
  of(network: string): Scanned
}

interface Scanned {
  readonly lastScanAt: string | null
  readonly lastError: { at: string; message: string } | null
}

export function createScanReport(): ScanReport {
  const known = new Map<string, Scanned>()
  const of = (network: string) => known.get(network) ?? { lastScanAt: null, lastError: null }
  return {
    of,
    done: (network, at) => void known.set(network, { lastScanAt: at.toISOString(), lastError: null }),
    failed: (network, error, at) =>
      void known.set(network, {
        ...of(network),
        lastError: { at: at.toISOString(), message: wordsOf(error) },
      }),
  }
}

/** What a library says of a failure may name a node's URL: only our own words are shown. */
export const wordsOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'It failed in a way that is not known: see the log of the service'
