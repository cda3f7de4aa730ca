import { SendChanged } from '@bursar/contracts/blockchain'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { hearOfSend } from './apply-send'

/** Follows the blockchain service's orders. The worker polls for missed events. */
export const orderConsumers = ({ store, clock, wakes }: WalletDeps): Consumer[] => [
  consumer(SendChanged, async (envelope) => {
    let asks = false
    await receive(store, envelope, async (tx) => {
      asks = await hearOfSend(tx, envelope.data, clock())
    })
    if (asks) wakes.wake()
  }),
]
