import { AmountError, parsePositiveAmount } from '@bursar/money'
import { invalid } from '../errors'

/**
 * The field `amount` in the smallest unit. Fails (400) when it is not an amount above 0 with at most that many
 * decimals.
 */
export function amountField(text: string, decimals: number): bigint {
  try {
    return parsePositiveAmount(text, decimals)
  } catch (error) {
    throw error instanceof AmountError ? invalid('amount', error.message) : error
  }
}
