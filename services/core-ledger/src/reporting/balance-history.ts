import type { Db, Store } from '@bursar/store'
import type { UsdRates } from '../assets/usd-rates'
import { balancesOf } from './balances-of-accounts'
import type { BalanceHistory, HistoryQuery } from './balances-of-accounts.model'
import { addDays, dayOf, daysBetween } from './days'
import { changesSince, mostRead } from './statement'
import { add, subtractAll, type Tally, worthOf } from './tally'

interface HistoryDeps {
  readonly store: Pick<Store, 'snapshot'>
  readonly rates: UsdRates
  readonly now: () => Date
}

/**
 * The value of several accounts together at the end of each day up to today, in UTC: the present holdings minus what
 * was posted since. Fails (422) for more changes than a statement may have.
 */
export async function balanceHistory(
  { store, rates, now }: HistoryDeps,
  { accountIds, days }: HistoryQuery,
): Promise<BalanceHistory> {
  const asOf = now()
  const to = dayOf(asOf)
  const from = addDays(to, 1 - days)
  const { held, changes, assets } = await store.snapshot((db) => readHistory(db, accountIds, new Date(from)))
  const usd = await rates.ratesOf([...new Set([...assets.values()].map(({ code }) => code))])
  const priceOf = (assetId: string) => {
    const asset = assets.get(assetId)
    return { decimals: asset?.decimals ?? 0, rate: usd.get(asset?.code ?? '') ?? 0 }
  }
  // Entries posted later, also those dated ahead by a wrong clock, count to a later day.
  for (const [day, change] of changes) if (day > to) subtractAll(held, change)
  const series = daysBetween(from, to)
    .toReversed()
    .map((date) => {
      const usdValue = worthOf(held, priceOf).usdValue ?? 0
      subtractAll(held, changes.get(date) ?? new Map())
      return { date, usdValue }
    })
  return {
    asOf: asOf.toISOString(),
    unpriced: [...assets.values()].flatMap(({ code }) => (usd.get(code) == null ? [code] : [])).sort(),
    series: series.toReversed(),
  }
}

interface Asset {
  code: string
  decimals: number
}

async function readHistory(db: Db, accountIds: readonly string[], from: Date) {
  const held: Tally = new Map()
  const assets = new Map<string, Asset>()
  for (const { assetId, code, decimals, available, frozen } of await balancesOf(db, accountIds)) {
    add(held, assetId, 0, available + frozen)
    assets.set(assetId, { code, decimals })
  }
  const changes = new Map<string, Tally>()
  let left = mostRead
  for (const accountId of accountIds) {
    const since = await changesSince(db, accountId, from, left)
    left -= since.length
    for (const { at, assetId, change } of since) {
      const ofDay = changes.getOrInsertComputed(dayOf(at), () => new Map())
      add(ofDay, assetId, 0, change)
    }
  }
  return { held, changes, assets }
}
