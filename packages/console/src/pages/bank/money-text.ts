/** An amount of a currency with all of its digits: `75.5` USD is `75.50`. No digit is lost, nor is it read as a number. */
export function moneyText(amount: string, currency: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const text = fraction.padEnd(digitsOf(currency), '0')
  return text === '' ? whole : `${whole}.${text}`
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** None for what is no currency, such as BTC. */
function digitsOf(currency: string): number {
  if (!currencies.has(currency)) return 0
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return maximumFractionDigits ?? 0
}
