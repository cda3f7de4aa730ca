import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { hasFailed, hastenRecheck, hastenWork } from './work'

/** That it is broadcast is no hurry: where a chain is fast, its end comes meanwhile, and one question tells of both. */
const soon = (at: Date): Date => new Date(at.getTime() + 250)

/**
 * Hastens the next attempt at a withdrawal whose record at the wallet service changed. The event itself decides nothing;
 * that an order was accepted its own answer has said.
 */
export const withdrawalConsumers = ({ store, now, execution }: LedgerDeps): Consumer[] => [
  consumer(WithdrawalChanged, async (envelope) => {
    const { id, status } = envelope.data
    // That it was accepted is news only of one that failed here.
    if (status === 'accepted' && !(await hasFailed(store.read, id))) return
    await receive(store, envelope, async (tx) => {
      if (status !== 'accepted') await hastenWork(tx, id, status === 'broadcast' ? soon(now()) : now())
      if (status !== 'failed') await hastenRecheck(tx, id, now())
    })
    execution.wake()
  }),
]
