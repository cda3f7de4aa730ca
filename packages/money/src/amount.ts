/** Why a text is no amount; the sentence follows the field's name (`amount must be greater than 0`). */
export class AmountError extends Error {
  override name = 'AmountError'
}

/** The longest number of digits that an amount which somebody asks for may have in all (decisions, Amount). */
export const maxDigits = 38

const decimalPattern = /^(0|[1-9]\d*)(?:\.(\d+))?$/

/**
 * A decimal string as an integer of the smallest unit: `parseAmount('1.5', 8)` is `150000000n`.
 * Takes digits and at most one point: no sign, no exponent, no spaces, no leading zeros, no more decimals than the asset
 * has, at most 38 digits (a zero before the point is none), or as many as `most` says. Throws AmountError. Zero is an
 * amount; where it must be above 0 use `parsePositiveAmount`.
 */
export function parseAmount(text: string, decimals: number, most = maxDigits): bigint {
  const match = decimalPattern.exec(text)
  if (!match) throw new AmountError('must be a decimal number such as "12.50", without sign, exponent or spaces')
  const [, whole = '0', fraction = ''] = match
  if (fraction.length > decimals) throw new AmountError(`must have at most ${decimals} decimals`)
  // Of an asset with 38 decimals less than one unit has no digit before the point.
  const digits = (whole === '0' ? 0 : whole.length) + fraction.length
  if (digits > most) throw new AmountError(`must have at most ${most} digits`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** The same for an amount that must be above 0, as every movement of money is. */
export function parsePositiveAmount(text: string, decimals: number, most = maxDigits): bigint {
  const amount = parseAmount(text, decimals, most)
  if (amount <= 0n) throw new AmountError('must be greater than 0')
  return amount
}

/**
 * An integer of the smallest unit as a decimal string, without trailing zeros: `formatAmount(150000000n, 8)` is `1.5`.
 * The exact inverse of `parseAmount` up to those zeros; negative amounts (entries of a journal) keep their sign.
 */
export function formatAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + whole + (fraction === '' ? '' : `.${fraction}`)
}
