import type { AppError } from '@bursar/http'
import { fail } from '../errors'

// Signed transactions that cannot be in a block. Whoever operates must read why: what follows them waits as well.

/** A node does not take a signed transaction. */
export const refusedTransaction = (network: string, txHash: string, reason: string): AppError =>
  fail('UPSTREAM_ERROR', { message: `A node of ${network} refuses the transaction ${txHash}: ${reason.slice(0, 300)}` })

/** What such a failure is recognised by, in SQL. */
export const refusedPattern = 'A node of % refuses the transaction %'

/** Transactions that must be sent before it were never sent. */
export const missingBefore = (what: string): string => `It waits for ${what}`

/** The same, in SQL. */
export const missingPattern = 'It waits for the nonce%'

/** A node's claim of a nonce that is not believed (evm/nonces.ts), in SQL. */
export const claimPattern = '%: A node claims the nonce %'
