import { ValuationProcessed } from '@bursar/contracts/quote'
import { deleteBy, emit, insertInto, type Tx, unemit } from '@bursar/store'
import { bump, ratesOf } from '../counters/counters'
import { rates } from '../tables/rates.table'
import type { Price } from './find-price'
import type { CurrentRate, Rate } from './rates.model'
import type { Valuation } from './valuation-log'

/** A stored rate, with its event in the outbox. */
export interface CreatedRate {
  rate: Rate
  isStatic: boolean
  eventId: string
}

/** Stores a rate and its event, which also carries the log tracker's message of the request. */
export async function createRate(
  tx: Tx,
  { isStatic, ...price }: Price,
  { at: requestedAt }: Valuation,
  now: Date,
): Promise<CreatedRate> {
  const rate = toRate(price, now)
  await insertRate(tx).execute(toRow(rate))
  await countRate(tx, rate, 1)
  const event = await emit(tx, ValuationProcessed, { ...rate, isStatic, requestedAt: requestedAt.toISOString() }, now)
  return { rate, isStatic, eventId: event.id }
}

/** Deletes a rate whose event was not published, and the event. */
export async function takeBackRate(tx: Tx, { rate, eventId }: CreatedRate): Promise<void> {
  await unemit(tx, eventId)
  await deleteRate(tx).execute({ id: rate.id })
  await countRate(tx, rate, -1)
}

/** The rate as POST /rates returns it. */
export const toCurrentRate = ({ rate, isStatic }: CreatedRate): CurrentRate => ({
  rate: rate.rate,
  currency: rate.currency,
  isStatic,
})

const toRate = ({ asset, assetCode, rate, providers }: Omit<Price, 'isStatic'>, at: Date): Rate => ({
  id: Bun.randomUUIDv7('hex', at),
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

const toRow = ({ id, assetId, rate, timestamp, data }: Rate): typeof rates.$inferInsert => ({
  id,
  assetId,
  assetCode: data.assetCode,
  rate,
  providers: data.providers,
  timestamp: new Date(timestamp),
})

const insertRate = insertInto(rates)
const deleteRate = deleteBy(rates, 'id')
