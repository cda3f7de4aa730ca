import { AmountError, formatAmount, parseAmount, parsePositiveAmount } from '@bursar/money'
import { code as isoCurrency } from 'currency-codes'
import { badField } from '../errors'

/** In the list of ISO 4217, but nothing that is paid with: metals, funds, test codes. They have no minor unit. */
const noMoney = new Set(['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'])

/** Null for what ISO 4217 does not list as a currency. */
function decimalsOf(currency: string): number | null {
  const known = isoCurrency(currency)
  return known && !noMoney.has(currency) ? known.digits : null
}

const decimalsByCode = new Map<string, number>()

/** How many decimals a currency's amounts have. Throws for an unknown code: one that was stored is known. */
export function minorDigits(currency: string): number {
  const known = decimalsByCode.get(currency)
  if (known !== undefined) return known
  const decimals = decimalsOf(currency)
  if (decimals === null) throw new Error(`${currency} is no currency of ISO 4217`)
  decimalsByCode.set(currency, decimals)
  return decimals
}

/** A request's currency in upper case; 400 when ISO 4217 does not have it. */
export function currencyOf(text: string): string {
  const currency = text.toUpperCase()
  if (!decimalsByCode.has(currency) && decimalsOf(currency) === null) {
    throw badField('currency', 'must be a currency code of ISO 4217, such as USD')
  }
  return currency
}

/** A request's amount above 0 in minor units; 400 with what is wrong (decisions, Amount). */
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

/** A text by which amounts of any currency sort as numbers: how many digits the amount has in the finest unit, and these. */
export function amountKey(amount: bigint, currency: string): string {
  const digits = (amount * 10n ** BigInt(mostDecimals - minorDigits(currency))).toString()
  return String(digits.length).padStart(2, '0') + digits
}
