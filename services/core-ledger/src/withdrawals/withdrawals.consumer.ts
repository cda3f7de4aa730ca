import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { wakeRecheck } from '../movements/work'
import { hearOfWithdrawal } from './settle'

/** Follows the wallet service's records, as far as events are believed; of the rest it is asked at once. */
export const withdrawalConsumers = ({ store, now, execution, books }: LedgerDeps): Consumer[] => [
  consumer(WithdrawalChanged, async (envelope) => {
    const { id, status } = envelope.data
    await receive(store, envelope, async (tx) => {
      const isUnderWay = await hearOfWithdrawal(tx, envelope.data, { now: now(), areClosed: books.areClosed() })
      if (!isUnderWay && status !== 'failed') await wakeRecheck(tx, id, now())
    })
    execution.wake()
  }),
]
