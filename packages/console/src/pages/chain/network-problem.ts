interface Progress {
  head: number | null
  scannedTo: number | null
  lagBlocks: number | null
  watchedAddresses: number
  confirmations: number
  lastError: { message: string } | null
}

/** The tolerated lag in blocks beyond the confirmations. */
const patience = 10

/** A network's problem in a few words; null if there is none. */
export function problemOf({ lastError, lagBlocks, confirmations }: Progress): string | null {
  if (lastError) return lastError.message
  if (lagBlocks !== null && lagBlocks > confirmations + patience) return 'The reading lags behind'
  return null
}
