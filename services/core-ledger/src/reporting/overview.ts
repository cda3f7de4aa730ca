import { type Db, gte, inArray, param, prepared, type Store } from '@bursar/store'
import { assets } from '../assets/assets.table'
import type { UsdRates } from '../assets/usd-rates'
import { fail } from '../errors'
import { normalNetwork } from '../networks/networks'
import { addDays, countDays, dayOf, daysBetween } from './days'
import { unfolded } from './fold-sums'
import type { NetworkOverview, Overview, OverviewQuery, PortfolioOverview } from './overview.model'
import { addTotal, type Counting, figuresOf, type Group, newGroup, seriesOf } from './overview-group'
import { dailyTotals, holdings, type MovementKind } from './sums.table'
import { add, type PriceOf } from './tally'

export interface OverviewDeps {
  readonly store: Pick<Store, 'read' | 'snapshot'>
  readonly rates: UsdRates
  readonly now: () => Date
}

const defaultDays = 30
const mostDays = 366

/** GET /overview/digital-assets: every account. */
export async function globalOverview(deps: OverviewDeps, query: OverviewQuery): Promise<Overview> {
  const { common, range, all, byAsset, byNetwork } = await readFigures(deps, query, {})
  return {
    ...common,
    byAsset: byAsset.map(({ group: _, ...asset }) => asset),
    byNetwork: byNetwork.map(({ group: _, ...network }) => network),
    series: range(all),
  }
}

/**
 * GET /overview/digital-assets/portfolio: accounts of type PORTFOLIO, with a series for each asset and network. A
 * `network` is in normal form.
 */
export async function portfolioOverview(
  deps: OverviewDeps,
  query: OverviewQuery,
  network?: string,
): Promise<PortfolioOverview> {
  const scope = { accountType: 'PORTFOLIO', network }
  const { common, range, all, byAsset, byNetwork } = await readFigures(deps, query, scope)
  return {
    ...common,
    byAsset: byAsset.map(({ group, ...asset }) => ({ ...asset, series: range(group) })),
    byNetwork: byNetwork.map(({ group, ...network }) => ({ ...network, series: range(group) })),
    series: range(all),
  }
}

/** GET /overview/digital-assets/portfolio/networks/:network; empty for an unknown network. */
export async function networkOverview(
  deps: OverviewDeps,
  asked: string,
  query: OverviewQuery,
): Promise<NetworkOverview> {
  const network = normalNetwork(asked)
  return { network, ...(await portfolioOverview(deps, query, network)) }
}

interface Scope {
  accountType?: string
  /** In normal form. */
  network?: string
}

async function readFigures({ store, rates, now }: OverviewDeps, query: OverviewQuery, scope: Scope) {
  const asOf = now()
  const { from, to } = rangeOf(query, dayOf(asOf))
  const { all, assetGroups, networkGroups } = await store.snapshot((db) => readGroups(db, from, to, scope))
  const known = await assetsOf(store.read, [...assetGroups.keys()])
  const usd = await rates.ratesOf(known.map(({ code }) => code))
  const byId = new Map(known.map((asset) => [asset.id, asset]))
  const priceOf: PriceOf = (assetId) => {
    const asset = byId.get(assetId)
    return { decimals: asset?.decimals ?? 0, rate: asset ? (usd.get(asset.code) ?? null) : null }
  }
  /** Of sums over several assets. */
  const partOf: PriceOf = (assetId) => {
    const { decimals, rate } = priceOf(assetId)
    return { decimals, rate: query.unpriced === 'skip' ? (rate ?? 0) : rate }
  }
  const days = daysBetween(from, to)
  return {
    common: {
      from,
      to,
      granularity: 'day' as const,
      currency: 'USD' as const,
      asOf: asOf.toISOString(),
      unpriced: known.flatMap(({ code }) => (usd.get(code) == null ? [code] : [])),
      totals: figuresOf(all, partOf),
    },
    all,
    byAsset: known.map(({ id, code, name, network }) => {
      const group = assetGroups.get(id) ?? newGroup()
      const asset = { assetId: id, assetCode: code, assetName: name, network, usdRate: usd.get(code) ?? null }
      return { ...asset, ...figuresOf(group, priceOf), group }
    }),
    byNetwork: [...networkGroups]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([network, group]) => ({ network, ...figuresOf(group, partOf), group })),
    range: (group: Group) => seriesOf(group, days, partOf),
  }
}

/** The requested days; 400 if they are in the wrong order or too many. */
function rangeOf(query: OverviewQuery, today: string): { from: string; to: string } {
  const to = query.to ?? today
  const from = query.from ?? addDays(to, 1 - defaultDays)
  const days = countDays(from, to)
  if (days < 1) throw fail('RANGE_INVALID', { message: `to (${to}) must not be before from (${from})` })
  if (days > mostDays) {
    throw fail('RANGE_INVALID', { message: `from and to must span at most ${mostDays} days, not ${days}` })
  }
  return { from, to }
}

/** For all accounts, a transfer between types counts once, for its sender; for one type also for its receiver. */
const countings: Record<'all' | 'type', Counting> = {
  all: (kind) => (kind === 'RECEIVED' ? null : countings.type(kind)),
  type: (kind) => figures[kind],
}

/** Movements of portfolios' executions change the holdings but have no figure of their own; neither have returns. */
const figures: Record<MovementKind, ReturnType<Counting>> = {
  DEPOSIT: 'deposits',
  WITHDRAWAL: 'withdrawals',
  TRANSFER: 'transfers',
  SENT: 'transfers',
  RECEIVED: 'transfers',
  IN: null,
  OUT: null,
  RETURN: null,
}

async function readGroups(db: Db, from: string, to: string, { accountType, network: only }: Scope) {
  const all = newGroup()
  const assetGroups = new Map<string, Group>()
  const networkGroups = new Map<string, Group>()
  const groupsOf = (assetId: string, network: string) => [
    all,
    assetGroups.getOrInsertComputed(assetId, newGroup),
    networkGroups.getOrInsertComputed(normalNetwork(network), newGroup),
  ]
  const isWanted = (of: { accountType: string; network: string }) =>
    (accountType === undefined || of.accountType === accountType) &&
    (only === undefined || normalNetwork(of.network) === only)
  const counting = countings[accountType === undefined ? 'all' : 'type']
  const [totals, held, added] = await Promise.all([
    totalsSince(db).execute({ from }),
    allHoldings(db).execute(),
    unfolded(db),
  ])
  for (const total of [...totals, ...added.totals.filter(({ day }) => day >= from)].filter(isWanted)) {
    for (const group of groupsOf(total.assetId, total.network)) addTotal(group, total, to, counting)
  }
  for (const { assetId, network, amount } of [...held, ...added.holdings].filter(isWanted)) {
    for (const group of groupsOf(assetId, network)) add(group.held, assetId, 0, amount)
  }
  return { all, assetGroups, networkGroups }
}

async function assetsOf(db: Db, ids: string[]) {
  if (ids.length === 0) return []
  const { id, code, name, network, decimals } = assets
  return await db.select({ id, code, name, network, decimals }).from(assets).where(inArray(id, ids)).orderBy(code)
}

const totalsSince = prepared((db) =>
  db
    .select()
    .from(dailyTotals)
    .where(gte(dailyTotals.day, param('from'))),
)
const allHoldings = prepared((db) => db.select().from(holdings))
