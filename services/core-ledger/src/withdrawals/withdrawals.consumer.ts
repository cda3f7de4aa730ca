import type { Envelope } from '@bursar/contracts/event'
import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { hearOfWithdrawals } from './settle'

/** Follows the wallet service's records, as far as events are believed; of the rest it is asked at once. */
export function withdrawalConsumers({ store, now, execution, books }: LedgerDeps): Consumer[] {
  const hear = receiveAll(
    store,
    (envelope) => told(envelope).id,
    (tx, envelopes) => hearOfWithdrawals(tx, envelopes.map(told), { now: now(), areClosed: books.areClosed() }),
  )
  return [
    consumer(WithdrawalChanged, async (envelope) => {
      if ((await hear(envelope))?.result) execution.wake()
    }),
  ]
}

const told = ({ data }: Envelope) => data as typeof WithdrawalChanged.payload.static
