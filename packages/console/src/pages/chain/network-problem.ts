interface Progress {
  head: number | null
  scannedTo: number | null
  lagBlocks: number | null
  watchedAddresses: number
  confirmations: number
  lastError: { message: string } | null
}

/** How far behind a reading may be before it counts: what is not final yet, and a little more. */
const patience = 10

/** What is wrong with a network in a few words; null for nothing. */
export function problemOf({ lastError, lagBlocks, confirmations }: Progress): string | null {
  if (lastError) return lastError.message
  if (lagBlocks !== null && lagBlocks > confirmations + patience) return 'The reading lags behind'
  return null
}
