import type { Log } from '@bursar/contracts/log'
import { ValuationProcessed } from '@bursar/contracts/quote'
import { AppError } from '@bursar/http'
import { emit, param, params, prepared, type Relay, type Store, type Tx, unemit } from '@bursar/store'
import { eq } from 'drizzle-orm'
import { bump, ratesOf } from '../counters/counters'
import { fail } from '../errors'
import { findPrice, type Price, type PriceDeps } from './find-price'
import type { CurrentRate, Rate } from './rates.model'
import { rates } from './rates.table'
import { recordFailure, recordWithdrawal, type Valuation } from './valuation-log'

export interface RateDeps extends PriceDeps {
  store: Store
  relay: Pick<Relay, 'delivered' | 'withdraw'>
  log: Log
}

/** How long the broker may take to accept the event (decisions, Publishing VALUATION_PROCESSED). */
const publishMs = 2000

/**
 * Finds the current rate, stores it and announces it (spec 1, Rate calculation): the answer is given once the broker
 * has the event. `once` is the store whose commit also keeps the answer for a repeat of the request.
 * Fails as findPrice does, and with 500 `Failed to create rate` when storing or publishing fails; then there is no rate.
 */
export async function createRate(deps: RateDeps, once: Store, valuation: Valuation): Promise<CurrentRate> {
  const price = await findPrice(valuation.assetCode, deps).catch(async (error: unknown) => {
    await recordFailure(deps, valuation, error)
    throw error
  })
  const rate = toRate(price, new Date())
  const { answer, eventId } = await storeRate(once, rate, price.isStatic, valuation).catch(async (cause: unknown) => {
    // A repeat of a request that was faster: nothing failed.
    if (cause instanceof AppError) throw cause
    const error = fail('RATE_NOT_CREATED', { cause })
    await recordFailure(deps, valuation, error)
    throw error
  })
  await deps.relay.delivered(eventId, publishMs).catch(async (cause: unknown) => {
    await takeBack(deps, rate, eventId, valuation)
    throw fail('RATE_NOT_CREATED', { cause })
  })
  return answer
}

const toRate = ({ asset, assetCode, rate, providers }: Price, at: Date): Rate => ({
  id: Bun.randomUUIDv7('hex', at),
  assetId: asset?.id ?? null,
  rate,
  currency: 'USD',
  timestamp: at.toISOString(),
  data: { assetCode, providers },
  asset,
})

/** The rate and its event, which also tells the log tracker that it was asked for, in one commit. */
async function storeRate(once: Store, rate: Rate, isStatic: boolean, { at }: Valuation) {
  let eventId = ''
  const answer = await once.commit(async (tx): Promise<CurrentRate> => {
    await insertRate(tx).execute(toRow(rate))
    await countRate(tx, rate, 1)
    const data = { ...rate, isStatic, requestedAt: at.toISOString() }
    eventId = (await emit(tx, ValuationProcessed, data, new Date(rate.timestamp))).id
    return { rate: rate.rate, currency: rate.currency, isStatic }
  })
  return { answer, eventId }
}

/** The broker did not take the event: as if there had never been a rate. Never rejects. */
async function takeBack(
  { store, relay, log }: Pick<RateDeps, 'store' | 'relay' | 'log'>,
  rate: Rate,
  eventId: string,
  valuation: Valuation,
): Promise<void> {
  relay.withdraw(eventId)
  const taken = store.commit(async (tx) => {
    await unemit(tx, eventId)
    await deleteRate(tx).execute({ id: rate.id })
    await countRate(tx, rate, -1)
    await recordWithdrawal(tx, valuation)
  })
  await taken.catch((error: unknown) =>
    log.error({ err: error, rateId: rate.id }, 'A rate that was not published could not be taken back'),
  )
}

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

const insertRate = prepared((db) => db.insert(rates).values(params(rates)))
const deleteRate = prepared((db) => db.delete(rates).where(eq(rates.id, param('id'))))
