import { ValuationProcessed } from '@bursar/contracts/quote'
import { deleteBy, emitAwaited, insertInto, newId, type OutboxEvent, type Tx } from '@bursar/store'
import { bump, ratesOf } from '../counters/counters'
import { rates } from '../tables/rates.table'
import type { Price } from './find-price'
import type { CurrentRate, Rate } from './rates.model'
import type { Valuation } from './valuation-log'

/** A stored rate, with its event, which is to be delivered. */
export interface CreatedRate {
  rate: Rate
  isStatic: boolean
  event: OutboxEvent
}

/** Stores a rate and its event, which also carries the log tracker's message of the request. */
export async function createRate(
  tx: Tx,
  { isStatic, ...price }: Price,
  { at: requestedAt }: Valuation,
  now: Date,
): Promise<CreatedRate> {
  const rate = toRate(price, now)
  await insertRow(tx).execute({ ...rate, ...rate.data, timestamp: now })
  await countRate(tx, rate, 1)
  const data = { ...rate, isStatic, requestedAt: requestedAt.toISOString() }
  return { rate, isStatic, event: await emitAwaited(tx, ValuationProcessed, data, now) }
}

/** Deletes a rate whose event was not published. */
export async function deleteRate(tx: Tx, rate: Rate): Promise<void> {
  await deleteRow(tx).execute({ id: rate.id })
  await countRate(tx, rate, -1)
}

/** The rate as POST /rates returns it. */
export const toCurrentRate = ({ rate, isStatic }: CreatedRate): CurrentRate => ({
  rate: rate.rate,
  currency: rate.currency,
  isStatic,
})

const toRate = ({ asset, assetCode, rate, providers }: Omit<Price, 'isStatic'>, at: Date): Rate => ({
  id: newId(at),
  assetId: asset?.id ?? null,
  rate,
  currency: 'USD',
  timestamp: at.toISOString(),
  data: { assetCode, providers },
  asset,
})

async function countRate(tx: Tx, { assetId }: Rate, by: 1 | -1): Promise<void> {
  await bump(tx, 'rates', by)
  if (assetId) await bump(tx, ratesOf(assetId), by)
}

const insertRow = insertInto(rates)
const deleteRow = deleteBy(rates, 'id')
