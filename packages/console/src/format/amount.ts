const decimal = /^([+-]?)(\d+)(\.\d+)?$/

/**
 * A decimal string with thousands separators and all digits: `1234567.8900` is `1,234,567.8900`. It is never parsed as
 * a number, so no digit is lost. Other text is returned unchanged.
 */
export function groupDigits(amount: string): string {
  const parts = decimal.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction = ''] = parts
  return `${sign.replace('-', '−')}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`
}

/** Whether a decimal string is none: `0.00`. */
export const isZero = (amount: string): boolean => !/[1-9]/.test(amount)

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 })
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const shortDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 2,
})

/** An estimate in USD, with cents only below 100. */
export const formatUsd = (value: number): string => (Math.abs(value) < 100 ? dollars : wholeDollars).format(value)
/** `$9.2M` */
export const formatUsdShort = (value: number): string => shortDollars.format(value)

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
export const formatCount = (count: number): string => whole.format(count)

/** The number of records that match a list's filters; some services report more than 100,000 only as `many`. */
export type Total = number | 'many'

export const formatTotal = (total: Total): string => (total === 'many' ? 'over 100,000' : formatCount(total))
