import type { Log } from '@bursar/contracts/log'
import { AppError } from '@bursar/http'
import type { Relay, Store, Tx } from '@bursar/store'
import { fail } from '../errors'
import { type CreatedRate, createRate, takeBackRate } from './create-rate'
import { findPrice, type PriceDeps } from './find-price'
import { recordFailure, recordWithdrawal, type Valuation } from './valuation-log'

export interface RateDeps extends PriceDeps {
  store: Store
  relay: Pick<Relay, 'delivered' | 'withdraw'>
  log: Log
}

/** How long the broker may take to accept the event (decisions, Publishing VALUATION_PROCESSED). */
const publishMs = 2000

/**
 * Finds the current rate, stores it and publishes it (spec 1, Rate calculation). `toAnswer` runs in the rate's commit;
 * its result is returned once the broker has the event. Fails as findPrice does, and with 500 `Failed to create rate`
 * when storing or publishing fails; the rate is then taken back.
 */
export async function publishRate<A>(
  deps: RateDeps,
  valuation: Valuation,
  toAnswer: (tx: Tx, created: CreatedRate) => Promise<A>,
): Promise<A> {
  const price = await findPrice(valuation.assetCode, deps).catch(async (error: unknown) => {
    await recordFailure(deps, valuation, error)
    throw error
  })
  const stored = deps.store.commit(async (tx) => {
    const created = await createRate(tx, price, valuation, deps.quoting.now())
    return { created, answer: await toAnswer(tx, created) }
  })
  const { created, answer } = await stored.catch(async (cause: unknown) => {
    // A repeat of the request finished first: nothing failed.
    if (cause instanceof AppError) throw cause
    const error = fail('RATE_NOT_CREATED', { cause })
    await recordFailure(deps, valuation, error)
    throw error
  })
  await deps.relay.delivered(created.eventId, publishMs).catch(async (cause: unknown) => {
    await takeBack(deps, created, valuation)
    throw fail('RATE_NOT_CREATED', { cause })
  })
  return answer
}

/** Deletes a rate whose event the broker did not accept. Never rejects. */
async function takeBack(
  { store, relay, log }: Pick<RateDeps, 'store' | 'relay' | 'log'>,
  created: CreatedRate,
  valuation: Valuation,
): Promise<void> {
  relay.withdraw(created.eventId)
  const taken = store.commit(async (tx) => {
    await takeBackRate(tx, created)
    await recordWithdrawal(tx, valuation)
  })
  await taken.catch((error: unknown) =>
    log.error({ err: error, rateId: created.rate.id }, 'A rate that was not published could not be taken back'),
  )
}
