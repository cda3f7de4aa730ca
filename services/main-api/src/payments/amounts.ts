import { formatAmount, maxDigits, parseAmount } from '@bursar/money'

/**
 * The maximum number of decimals of any currency. The transaction manager has checked the amounts of payments: at one
 * scale they can be summed without regard to each currency's decimals.
 */
const scale = 18

/** A decimal string as an integer that can be summed with others of its currency. */
export const toUnits = (amount: string): bigint => parseAmount(amount, scale)

/** The inverse: a decimal string without trailing zeros. */
export const fromUnits = (units: bigint): string => formatAmount(units, scale)

/** The amount as a text that sorts numerically. */
export const orderOf = (amount: string): string =>
  toUnits(amount)
    .toString()
    .padStart(maxDigits + scale, '0')
