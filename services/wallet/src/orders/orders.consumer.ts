import { SendChanged } from '@bursar/contracts/blockchain'
import type { Envelope } from '@bursar/contracts/event'
import type { Static } from '@bursar/contracts/schema'
import { type Consumer, consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { hearOfSends } from './apply-send'

/** Follows the blockchain service's orders. The worker polls for missed events. */
export function orderConsumers({ store, clock, wakes }: WalletDeps): Consumer[] {
  const hear = receiveAll(
    store,
    (envelope) => sendOf(envelope).id,
    (tx, envelopes) => hearOfSends(tx, envelopes.map(sendOf), clock()),
  )
  return [
    consumer(SendChanged, async (envelope) => {
      const heard = await hear(envelope)
      if (heard?.result) wakes.wake()
    }),
  ]
}

const sendOf = ({ data }: Envelope) => data as Static<typeof SendChanged.payload>
