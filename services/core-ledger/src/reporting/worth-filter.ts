import { worth } from '@bursar/money'
import type { Db } from '@bursar/store'
import type { UsdRates } from '../assets/usd-rates'
import type { TransactionRecord } from '../movements/read-transactions'
import type { TransactionQuery } from '../movements/transactions.model'
import { transactionChunks } from './list-transactions'

type Query = TransactionQuery & { minUsd?: number }

/**
 * The list's transactions in chunks; with `minUsd` only those of at least that value. Transactions without a rate are
 * left out then.
 */
export function worthyChunks(
  { db, rates }: { db: Db; rates: UsdRates },
  { minUsd, ...query }: Query,
): AsyncGenerator<TransactionRecord[]> {
  return minUsd === undefined ? transactionChunks(db, query) : largeOnly({ db, rates }, query, minUsd)
}

async function* largeOnly(
  { db, rates }: { db: Db; rates: UsdRates },
  { limit = Number.POSITIVE_INFINITY, offset = 0, ...query }: TransactionQuery,
  minUsd: number,
): AsyncGenerator<TransactionRecord[]> {
  const known = new Map<string, number | null>()
  let [passed, given] = [0, 0]
  if (limit === 0) return
  for await (const records of transactionChunks(db, query)) {
    const unknown = [...new Set(records.map(({ asset }) => asset.code))].filter((code) => !known.has(code))
    for (const [code, rate] of await rates.ratesOf(unknown)) known.set(code, rate)
    const large = records.filter(({ amount, asset }) => {
      const rate = known.get(asset.code)
      return rate != null && worth(amount, asset.decimals, rate, 2, 'halfEven').gte(minUsd)
    })
    const wanted = large.slice(Math.max(0, offset - passed)).slice(0, limit - given)
    passed += large.length
    given += wanted.length
    if (wanted.length > 0) yield wanted
    if (given >= limit) return
  }
}
