import { AmountError, parsePositiveAmount } from '@bursar/money'
import { fail } from '../errors'

/** A request's `amount` in its asset's smallest unit; 400 with what is wrong (decisions, Amount). */
export function amountOf(text: string, decimals: number): bigint {
  try {
    return parsePositiveAmount(text, decimals)
  } catch (error) {
    if (error instanceof AmountError) throw fail('AMOUNT_INVALID', { message: `amount ${error.message}` })
    throw error
  }
}
