import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { hasFailed, hastenRecheck } from '../movements/work'
import { believeWallet } from './settle'

/**
 * Follows the wallet service's records. What is final, or on its way, its event says; of anything else it is asked at
 * once. That an order was accepted its own answer has said.
 */
export const withdrawalConsumers = ({ store, now, execution, books }: LedgerDeps): Consumer[] => [
  consumer(WithdrawalChanged, async (envelope) => {
    const { id, status } = envelope.data
    // `accepted` matters only for a withdrawal that failed here.
    if (status === 'accepted' && !(await hasFailed(store.read, id))) return
    await receive(store, envelope, async (tx) => {
      const isUnderWay = await believeWallet(tx, envelope.data, { now: now(), areClosed: books.areClosed() })
      if (!isUnderWay && status !== 'failed') await hastenRecheck(tx, id, now())
    })
    execution.wake()
  }),
]
