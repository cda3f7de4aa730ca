import { code as listed } from 'currency-codes'

/** Codes that begin with X are metals, units of account and test codes, but for these. */
const currenciesInX = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF'])

/**
 * How many decimals the amounts of a currency have (ISO 4217, its code in upper case); null for a code that no money is
 * paid in.
 */
export function currencyDecimals(code: string): number | null {
  if (!/^[A-Z]{3}$/.test(code) || (code.startsWith('X') && !currenciesInX.has(code))) return null
  return listed(code)?.digits ?? null
}
