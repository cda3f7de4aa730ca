import { SendChanged } from '@bursar/contracts/blockchain'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { applySend } from './apply-send'

/** Follows the blockchain service's orders. What is missed here the worker asks for. */
export const orderConsumers = (store: Store): Consumer[] => [
  consumer(SendChanged, async (envelope) => {
    await receive(store, envelope, async (tx) => void (await applySend(tx, envelope.data)))
  }),
]
