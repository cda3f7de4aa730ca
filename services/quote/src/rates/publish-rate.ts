import type { Log } from '@bursar/contracts/log'
import { AppError } from '@bursar/http'
import type { Relay, Store, Tx } from '@bursar/store'
import { fail } from '../errors'
import { type CreatedRate, createRate, deleteRate } from './create-rate'
import { findPrice, type PriceDeps } from './find-price'
import { recordFailure, recordWithdrawal, type Valuation } from './valuation-log'

export interface RateDeps extends PriceDeps {
  store: Store
  relay: Pick<Relay, 'deliver'>
  log: Log
}

/**
 * Finds the current rate, stores it and publishes it (spec 1, Rate calculation). `toAnswer` runs in the rate's commit;
 * its result is returned once the broker has the event. Fails as findPrice does, and with 500 `Failed to create rate`
 * when storing or publishing fails; the rate is then taken back (decisions, Publishing VALUATION_PROCESSED).
 */
export async function publishRate<A>(
  deps: RateDeps,
  valuation: Valuation,
  toAnswer: (tx: Tx, created: CreatedRate) => Promise<A>,
): Promise<A> {
  const price = await findPrice(valuation.assetCode, deps).catch(async (error: unknown) => {
    await recordFailure(deps, valuation, error, deps.quoting.now())
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
    await recordFailure(deps, valuation, error, deps.quoting.now())
    throw error
  })
  const undo = async (tx: Tx) => {
    await deleteRate(tx, created.rate)
    await recordWithdrawal(tx, valuation, deps.quoting.now())
  }
  await deps.relay.deliver(created.event, undo).catch((cause: unknown) => {
    throw fail('RATE_NOT_CREATED', { cause })
  })
  return answer
}
