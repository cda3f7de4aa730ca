// The last result of the reconciliation, in the database: every instance answers it, and goes on with it.
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
  /** Where the next round goes on in the wallet service's records, and how many have gone on since all were read. */
  place: { epoch: number; after: number; rounds: number }
  holdings: HoldingsLine[]
  /** Those whose addresses hold less than their balances. */
  portfolios: PortfolioLine[]
  /** By `nameOf`: what was short in this round, and what was short in the one before as well: not a momentary difference. */
  short: string[]
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
  short: [],
  shortTwice: [],
}
const name = 'reconciliation'

export async function lastRound(db: Db): Promise<LastRound> {
  const text = await metaValue(db, name)
  return text === undefined ? noRound : (JSON.parse(text, toAmount) as LastRound)
}

export const keepRound = (tx: Tx, round: LastRound): Promise<unknown> =>
  putMetaValue(tx, name, JSON.stringify(round, fromAmount))

/** Amounts are no numbers of JSON. */
const fromAmount = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? { amount: `${value}` } : value)

function toAmount(_: string, value: unknown): unknown {
  const isAmount = typeof value === 'object' && value !== null && Object.keys(value).join() === 'amount'
  return isAmount ? BigInt((value as { amount: string }).amount) : value
}
