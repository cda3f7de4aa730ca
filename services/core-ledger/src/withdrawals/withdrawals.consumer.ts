import type { Envelope } from '@bursar/contracts/event'
import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { applyWalletEvents } from './settle'

/** Follows the wallet service's events; where an event is not enough, the wallet service is asked at once. */
export function withdrawalConsumers({ store, now, execution, books }: LedgerDeps): Consumer[] {
  const hear = receiveAll(
    store,
    (envelope) => eventData(envelope).id,
    (tx, envelopes) => applyWalletEvents(tx, envelopes.map(eventData), { now: now(), areClosed: books.areClosed() }),
  )
  return [
    consumer(WithdrawalChanged, async (envelope) => {
      if ((await hear(envelope))?.result) execution.wake()
    }),
  ]
}

const eventData = ({ data }: Envelope) => data as typeof WithdrawalChanged.payload.static
