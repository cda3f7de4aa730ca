// Amounts by arithmetic of this run's own.

/** An amount in the smallest unit as a decimal string. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`
}

/** The other way; throws for more decimals than there are. */
export function amountUnits(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} decimals`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Hundredths of one whole coin. */
export const hundredths = (count: number, decimals: number): bigint => (BigInt(count) * 10n ** BigInt(decimals)) / 100n
