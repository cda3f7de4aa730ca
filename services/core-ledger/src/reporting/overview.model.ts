import { exampleToken } from '@bursar/contracts/examples'
import { about, isIsoTime, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'
import { Kind, TypeRegistry } from '@sinclair/typebox'

const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isIsoTime(value)
TypeRegistry.Set('CalendarDay', (_schema, value) => isDay(value))

/** A calendar day, YYYY-MM-DD; `2026-02-30` is not one. */
const day = () =>
  t.Unsafe<string>({
    [Kind]: 'CalendarDay',
    type: 'string',
    format: 'date',
    problem: (value: unknown) => (isDay(value) ? null : 'must be a valid date in the form YYYY-MM-DD'),
  })

/** Spec 2, Overview: both days inclusive, in UTC; the last 30 days by default. */
export const OverviewQuery = t.Object({
  from: t.Optional(day()),
  to: t.Optional(day()),
  granularity: t.Optional(oneOf(['day'])),
  unpriced: t.Optional(
    about('`skip`: USD values leave out assets without a rate, instead of being null', oneOf(['skip'])),
  ),
})
export type OverviewQuery = Static<typeof OverviewQuery>

/** At the rates of `asOf`; null if a rate is unavailable. */
const usdValue = () => nullable(t.Number())
const amount = () => about('A decimal string: the sum of the units of all assets in the group', t.String())
const Movements = t.Object({ count: t.Integer(), amount: amount(), usdValue: usdValue() }, { title: 'Movements' })

/**
 * Completed movements and holdings: at the end of a day in a series, else now. `amount` adds units of all assets in the
 * group; only `usdValue` is comparable across assets.
 */
const Figures = t.Object(
  {
    deposits: Movements,
    withdrawals: Movements,
    transfers: Movements,
    balances: t.Object({ amount: amount(), usdValue: usdValue() }, { title: 'Holdings' }),
  },
  { title: 'Figures' },
)
export type Figures = Static<typeof Figures>

const DayFigures = t.Object({ date: t.String({ format: 'date' }), ...Figures.properties }, { title: 'DayFigures' })
export type DayFigures = Static<typeof DayFigures>

const asset = {
  assetId: t.String(),
  assetCode: t.String(),
  assetName: t.String(),
  network: t.String(),
  /** USD for one unit of the asset. */
  usdRate: usdValue(),
}
const common = {
  from: t.String({ format: 'date' }),
  to: t.String({ format: 'date' }),
  granularity: t.Literal('day'),
  currency: t.Literal('USD'),
  asOf: timestamp(),
  /** Codes of the assets that have no rate now. */
  unpriced: t.Array(t.String()),
  totals: Figures,
}
const series = t.Array(DayFigures)

/** GET /api/v1/core/overview/digital-assets (decisions, Overview). */
export const Overview = t.Object(
  {
    ...common,
    byAsset: t.Array(t.Object({ ...asset, ...Figures.properties }, { title: 'AssetFigures' })),
    byNetwork: t.Array(t.Object({ network: t.String(), ...Figures.properties }, { title: 'NetworkFigures' })),
    series,
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>

/** The same for portfolio accounts only, with a series for each asset and network. */
export const PortfolioOverview = t.Object(
  {
    ...common,
    byAsset: t.Array(t.Object({ ...asset, ...Figures.properties, series }, { title: 'AssetSeries' })),
    byNetwork: t.Array(t.Object({ network: t.String(), ...Figures.properties, series }, { title: 'NetworkSeries' })),
    series,
  },
  { title: 'PortfolioOverview' },
)
export type PortfolioOverview = Static<typeof PortfolioOverview>

/** The part of one network. */
export const NetworkOverview = t.Object(
  { network: t.String(), ...PortfolioOverview.properties },
  { title: 'NetworkOverview' },
)
export type NetworkOverview = Static<typeof NetworkOverview>

export const ByNetwork = t.Object({
  network: t.String({ minLength: 1, maxLength: 128, examples: [exampleToken.network] }),
})
