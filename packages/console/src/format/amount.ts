const decimal = /^(-?)(\d+)(\.\d+)?$/

/**
 * A decimal string with its thousands apart, to its last digit: `1234567.8900` is `1,234,567.8900`. It is never read as
 * a number: no digit is lost. What is no decimal string stays as it is.
 */
export function groupDigits(amount: string): string {
  const parts = decimal.exec(amount)
  if (!parts) return amount
  const [, sign = '', whole = '', fraction = ''] = parts
  return `${sign === '-' ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 })
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const shortDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 2,
})

/** An estimate in USD; cents matter below 100 alone. */
export const formatUsd = (value: number): string => (Math.abs(value) < 100 ? dollars : wholeDollars).format(value)
/** `$9.2M` */
export const formatUsdShort = (value: number): string => shortDollars.format(value)

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
export const formatCount = (count: number): string => whole.format(count)

/** How many records pass a list's filters: some services count to 100,000, and say of more that they are many. */
export type Total = number | 'many'

export const formatTotal = (total: Total): string => (total === 'many' ? 'over 100,000' : formatCount(total))
