import { formatAmount, maxDigits, parseAmount } from '@bursar/money'

/**
 * Decimals that no currency exceeds. Amounts of payments come as the transaction manager has checked them: at one scale
 * they can be added up without asking how many decimals each currency has.
 */
const scale = 18

/** A decimal string as an integer that can be added to others of its currency. */
export const toUnits = (amount: string): bigint => parseAmount(amount, scale)

/** The inverse: a decimal string without trailing zeros. */
export const fromUnits = (units: bigint): string => formatAmount(units, scale)

/** The amount as a text that sorts as the amount does. */
export const orderOf = (amount: string): string =>
  toUnits(amount)
    .toString()
    .padStart(maxDigits + scale, '0')
