// The last result of the reconciliation, in the database, so that every instance can show it and continue from it.
import { type Db, metaValue, putMetaValue, type Tx } from '@bursar/store'
import type { HoldingsLine, PortfolioLine } from './reconcile-holdings'
import type { OrderDifference } from './reconcile-orders'

export interface LastRound {
  /** The end of the last complete round, ISO 8601; null before the first. */
  at: string | null
  /** Why the last round was incomplete; null if it was complete. */
  failure: { at: string; message: string } | null
  orders: OrderDifference[]
  /** Completed withdrawals that the wallet service has not confirmed. */
  missing: number
  /**
   * The position in the wallet service's records where the next round continues, and the number of rounds since all
   * were read.
   */
  place: { epoch: number; after: number; rounds: number }
  holdings: HoldingsLine[]
  /** The portfolios whose addresses hold less than their balances. */
  portfolios: PortfolioLine[]
  /** By `nameOf`: what is short, and since which round. */
  shortSince: Record<string, string>
  /** Of those, what was short in two rounds as far apart as they usually are: not a momentary difference. */
  shortTwice: string[]
}

const noRound: LastRound = {
  at: null,
  failure: null,
  orders: [],
  missing: 0,
  place: { epoch: 0, after: 0, rounds: 0 },
  holdings: [],
  portfolios: [],
  shortSince: {},
  shortTwice: [],
}
const name = 'reconciliation'

export async function lastRound(db: Db): Promise<LastRound> {
  const text = await metaValue(db, name)
  return text === undefined ? noRound : { ...noRound, ...(JSON.parse(text, toAmount) as LastRound) }
}

export const keepRound = (tx: Tx, round: LastRound): Promise<unknown> =>
  putMetaValue(tx, name, JSON.stringify(round, fromAmount))

/** JSON numbers cannot hold amounts. */
const fromAmount = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? { amount: `${value}` } : value)

function toAmount(_: string, value: unknown): unknown {
  const isAmount = typeof value === 'object' && value !== null && Object.keys(value).join() === 'amount'
  return isAmount ? BigInt((value as { amount: string }).amount) : value
}
