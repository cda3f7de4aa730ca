import type { SingleFlight } from '@bursar/http'
import { mean, median } from '@bursar/money'
import Big from 'big.js'
import { ProviderFailure } from './adapters/provider-failure'
import { type AskedProvider, type QueryDeps, queryProvider } from './adapters/query-provider'

/** The result of one round of queries. */
export interface Quote {
  /** USD, the mean of `providers`; null when none is left. */
  rate: number | null
  /** The answers that count, by slug. */
  providers: Record<string, number>
  /** Why the others do not count, by slug, worded for the caller; outliers are included. */
  failures: Record<string, string>
  /** Answers too far from the median to count, by slug. */
  leftOut: Record<string, number>
  /** True when at least one provider was asked and none knows the code. */
  unknownEverywhere: boolean
}

export interface QuotingDeps extends QueryDeps {
  flight: SingleFlight<Quote>
  /** The maximum deviation from the median of three or more answers, in percent; undefined: no limit. */
  maxDeviationPct?: number
  /** Called once per round, however many callers share it. */
  asked?: (code: string, quote: Quote) => void
}

type Outcome = { slug: string } & ({ price: Big } | { failure: ProviderFailure })
type Answered = { slug: string; price: Big }

/**
 * Queries all providers in parallel for the USD price of a code and takes the mean (spec 1, rate calculation 5
 * and 6). Concurrent callers with the same code and providers share the round. Does not reject.
 */
export function quoteCode(providers: readonly AskedProvider[], code: string, deps: QuotingDeps): Promise<Quote> {
  const asked = providers.map(({ slug, config }) => [slug, config] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return deps.flight(JSON.stringify([code, asked]), async () => {
    const outcomes = await Promise.all(providers.map((provider) => outcome(provider, code, deps)))
    const quote = summarise(outcomes, deps.maxDeviationPct)
    deps.asked?.(code, quote)
    return quote
  })
}

async function outcome(provider: AskedProvider, code: string, deps: QueryDeps): Promise<Outcome> {
  const { slug } = provider
  try {
    return { slug, price: new Big((await queryProvider(provider, code, deps)).price) }
  } catch (error) {
    if (error instanceof ProviderFailure) return { slug, failure: error }
    throw error
  }
}

function summarise(outcomes: readonly Outcome[], maxDeviationPct: number | undefined): Quote {
  const answered = outcomes.filter((each) => 'price' in each)
  const failed = outcomes.filter((each) => 'failure' in each)
  const unit = smallestUnit(answered)
  const isFar = farFromMedian(answered, unit, maxDeviationPct)
  const kept = answered.filter((each) => !isFar(each.price))
  const far = answered.filter((each) => isFar(each.price))
  return {
    rate: kept.length > 0 ? mean(inUnits(kept, unit)).times(unit).toNumber() : null,
    providers: bySlug(kept, (each) => each.price.toNumber()),
    failures: {
      ...bySlug(failed, (each) => each.failure.message),
      ...bySlug(far, () => `is further than ${maxDeviationPct} % from the median`),
    },
    leftOut: bySlug(far, (each) => each.price.toNumber()),
    unknownEverywhere: failed.length > 0 && failed.length === outcomes.length && failed.every(isUnknown),
  }
}

/** At least three answers: the median of two says nothing about either. */
function farFromMedian(answered: readonly Answered[], unit: Big, percent: number | undefined): (price: Big) => boolean {
  if (percent === undefined || answered.length < 3) return () => false
  const middle = median(inUnits(answered, unit)).times(unit)
  return (price) => price.minus(middle).abs().times(100).gt(middle.times(percent))
}

/**
 * The power of ten of the lowest price, at most 1. Mean and median keep 18 decimals: in this unit, a token
 * that costs a trillionth of a dollar keeps its digits too.
 */
const smallestUnit = (answered: readonly Answered[]): Big =>
  new Big(`1e${Math.min(0, ...answered.map(({ price }) => price.e))}`)

const inUnits = (answered: readonly Answered[], unit: Big): Big[] =>
  answered.map(({ price }) => price.times(`1e${-unit.e}`))

const isUnknown = (each: { failure: ProviderFailure }) => each.failure.kind === 'unknown-symbol'

const bySlug = <E extends { slug: string }, V>(entries: readonly E[], value: (entry: E) => V): Record<string, V> =>
  Object.fromEntries(entries.map((entry) => [entry.slug, value(entry)]))
