import { SendChanged } from '@bursar/contracts/blockchain'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { applySend, isNews } from './apply-send'

/** Follows the blockchain service's orders. What is missed here the worker asks for. */
export const orderConsumers = (store: Store): Consumer[] => [
  consumer(SendChanged, async (envelope) => {
    // Most that it took an order: its own answer has said so.
    if (envelope.data.status === 'accepted' && !(await isNews(store.read, envelope.data))) return
    await receive(store, envelope, (tx) => applySend(tx, envelope.data))
  }),
]
