import { AmountError, currencyDecimals, formatAmount, parsePositiveAmount } from '@bursar/money'
import Big from 'big.js'
import { fail } from '../errors'

/**
 * The amount of a check as a decimal string. A JSON number is taken as the decimal that it is written as. Fails (400) for
 * more decimals than the currency has (ISO 4217), or more than 38 digits.
 */
export function checkAmount(amount: number, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0
  try {
    return formatAmount(parsePositiveAmount(new Big(amount).toFixed(), decimals), decimals)
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    const field = 'transactionAmount'
    const message = `${field} ${error.message}`
    throw fail('INVALID_REQUEST', { message, fields: [{ field, message }] })
  }
}
