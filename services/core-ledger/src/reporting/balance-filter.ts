import { isUuid } from '@bursar/contracts/schema'
import { fail } from '../errors'

/** The filters of a list of balances. Ids are in lower case. */
export interface BalanceFilter {
  assetCode?: string
  assetId?: string
  accountId?: string
}

/**
 * Reads `filter[name]=value` from a query string; other keys are ignored. 400 for a malformed filter: an unknown or
 * repeated name, no value, unbalanced brackets, or an assetId that is not a UUID (spec 2, Balances and Errors).
 */
export function readBalanceFilter(search: string, names: readonly (keyof BalanceFilter)[]): BalanceFilter {
  const filter: BalanceFilter = {}
  for (const [key, value] of new URLSearchParams(search)) {
    if (!/^\s*filter/i.test(key)) continue
    const name = names.find((known) => key === `filter[${known}]`)
    if (!name) throw invalid(`${key} is no filter here; use ${names.map((known) => `filter[${known}]`).join(', ')}`)
    if (filter[name] !== undefined) throw invalid(`${key} must be given once`)
    if (value.trim() === '') throw invalid(`${key} should not be empty`)
    if (name === 'assetId' && !isUuid(value)) throw invalid(`${key} must be a UUID`)
    filter[name] = name === 'assetCode' ? value : value.toLowerCase()
  }
  return filter
}

const invalid = (message: string) => fail('FILTER_INVALID', { message })
