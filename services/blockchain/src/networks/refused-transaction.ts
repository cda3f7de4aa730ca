import type { AppError } from '@bursar/http'
import { fail } from '../errors'

/** A node does not take a signed transaction. Nothing that follows it leaves its sender, so whoever operates must read why. */
export const refusedTransaction = (network: string, txHash: string, reason: string): AppError =>
  fail('UPSTREAM_ERROR', { message: `A node of ${network} refuses the transaction ${txHash}: ${reason.slice(0, 300)}` })

/** What such a failure is recognised by, in SQL. */
export const refusedPattern = 'A node of % refuses the transaction %'
