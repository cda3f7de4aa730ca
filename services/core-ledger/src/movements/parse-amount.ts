import { AmountError, parsePositiveAmount } from '@bursar/money'
import { fail } from '../errors'

/** A request's `amount` in minor units; 400 with the problem (decisions, Amount). */
export function parseRequestAmount(text: string, decimals: number): bigint {
  try {
    return parsePositiveAmount(text, decimals)
  } catch (error) {
    if (error instanceof AmountError) throw fail('AMOUNT_INVALID', { message: `amount ${error.message}` })
    throw error
  }
}
