import { SendChanged } from '@bursar/contracts/blockchain'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { applySend, isNews } from './apply-send'

/** Follows the blockchain service's orders. What is missed here the worker asks for. */
export const orderConsumers = ({ store, clock }: WalletDeps): Consumer[] => [
  consumer(SendChanged, async (envelope) => {
    // Most that it took an order: its own answer has said so.
    if (envelope.data.status === 'accepted' && !(await isNews(store.read, envelope.data, clock()))) return
    await receive(store, envelope, (tx) => applySend(tx, envelope.data, clock()))
  }),
]
