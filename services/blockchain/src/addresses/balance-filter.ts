import { fail } from '../errors'
import { compareDecimals } from '../tokens/compare-decimals'

/** The filter of an address's balances. */
interface BalanceFilter {
  takesCurrency(code: string, contractAddress: string | null): boolean
  /** `amount` is decimal. */
  takesAmount(amount: string): boolean
}

const mostValues = 100

/**
 * Reads `filter[currency]` (`USDC`, `eq:USDC`, `in:USDC,ETH` or `in:[USDC,ETH]`, without regard to case) and
 * `filter[amount]` (`lt:10`, `lte:`, `gt:`, `gte:`, `eq:`, `ne:`; spec 3, GET /addresses/{address}). Fails (400) with
 * all problems: an ignored filter would return more than requested.
 */
export function readBalanceFilter(currency: string | undefined, amount: string | undefined): BalanceFilter {
  const currencies = currency === undefined ? null : readCurrencies(currency)
  const bound = amount === undefined ? null : readBound(amount)
  const details = [
    ...(typeof currencies === 'string' ? [problem('filter[currency]', currencies)] : []),
    ...(typeof bound === 'string' ? [problem('filter[amount]', bound)] : []),
  ]
  if (typeof currencies === 'string' || typeof bound === 'string') {
    throw fail('INVALID_REQUEST', { message: details.map(({ message }) => message).join('; '), details })
  }
  return {
    takesCurrency: (code, contractAddress) =>
      !currencies || currencies.has(code.toLowerCase()) || currencies.has(contractAddress?.toLowerCase() ?? ''),
    takesAmount: (amount) => !bound || bound.takes(compareDecimals(amount, bound.value)),
  }
}

const problem = (field: string, words: string) => ({ field, message: `${field} ${words}` })

/** The codes in lower case, or what is wrong. */
function readCurrencies(text: string): Set<string> | string {
  const [, operator, rest = text] = /^([a-z]+):(.*)$/i.exec(text) ?? []
  if (operator !== undefined && operator !== 'in' && operator !== 'eq') return currencyForms
  const list = operator === 'in' ? rest.replace(/^\[(.*)\]$/, '$1').split(',') : [rest]
  const codes = list.map((code) => code.trim().toLowerCase())
  if (codes.some((code) => !/^[a-z0-9][a-z0-9._-]{0,127}$/.test(code))) return currencyForms
  return codes.length > mostValues ? `must have at most ${mostValues} values` : new Set(codes)
}

const currencyForms = 'must be a currency, eq:currency or in:currency1,currency2'

const operators: Record<string, (order: number) => boolean> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
}

function readBound(text: string): { takes: (order: number) => boolean; value: string } | string {
  const [, operator = '', value = ''] = /^([a-z]+):(\d{1,60}(?:\.\d{1,60})?)$/.exec(text) ?? []
  const takes = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  return takes ? { takes, value } : 'must be lt:, lte:, gt:, gte:, eq: or ne: and a decimal number, such as gte:12.50'
}
