import { AmountError, currencyDecimals, formatAmount, parseAmount, parsePositiveAmount } from '@bursar/money'
import { badField } from '../errors'

const known = new Map<string, number>()

/** The number of decimals of a currency. Throws for an unknown code, which is never stored. */
function minorDigits(currency: string): number {
  const decimals = known.get(currency) ?? currencyDecimals(currency)
  if (decimals === null) throw new Error(`${currency} is not a currency of ISO 4217`)
  known.set(currency, decimals)
  return decimals
}

/** A request's currency in upper case; 400 when ISO 4217 does not have it. */
export function currencyOf(text: string): string {
  const currency = text.toUpperCase()
  if (known.has(currency) || currencyDecimals(currency) !== null) return currency
  throw badField('currency', 'must be a currency code of ISO 4217, such as USD')
}

/** A request's amount above 0 in minor units; 400 with the problem (decisions, Amount). */
export const amountOf = (text: string, currency: string): bigint =>
  refused('amount', () => parsePositiveAmount(text, minorDigits(currency)))

/** The same for a limit, which may be 0. */
export const limitOf = (text: string, currency: string): bigint =>
  refused('limit', () => parseAmount(text, minorDigits(currency)))

/** Minor units as a decimal string. */
export const moneyText = (amount: bigint, currency: string): string => formatAmount(amount, minorDigits(currency))

function refused(field: string, read: () => bigint): bigint {
  try {
    return read()
  } catch (error) {
    if (error instanceof AmountError) throw badField(field, error.message)
    throw error
  }
}

/** No currency of ISO 4217 has more. */
const mostDecimals = 4

/** A text that sorts amounts of any currency numerically: the number of digits in the finest unit, then the digits. */
export function amountKey(amount: bigint, currency: string): string {
  const digits = (amount * 10n ** BigInt(mostDecimals - minorDigits(currency))).toString()
  return String(digits.length).padStart(2, '0') + digits
}
