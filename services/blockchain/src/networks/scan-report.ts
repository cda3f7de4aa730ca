import { AppError } from '@bursar/http'

/** The last result of reading each network. In memory: a restart clears it. */
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

/** Libraries' error messages may contain a node's URL: only our own messages are shown. */
export const wordsOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'It failed for an unknown reason: see the log of the service'
