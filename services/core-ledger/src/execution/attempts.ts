import type { Log } from '@bursar/contracts/log'
import type { Client } from '@bursar/http'
import { partiesOf } from '../transactions/obstacle'
import { transactionById } from '../transactions/read-transactions'
import { askWallet } from './ask-wallet'
import { beginAttempt } from './begin-attempt'
import type { Owners } from './owners'
import type { Settling } from './put-off'
import { orderOf } from './read-work'
import { refreshAccounts, sharedRefresh } from './refresh-account'
import { completeHere, settleWithdrawal } from './settle'
import { createWallet } from './wallet-calls'

interface Deps {
  readonly client: Client
  readonly log: Log
  readonly owners: Owners
}

/** Carries a deposit or transfer out; the owners are asked for the state of a transfer's accounts first. */
export const completions =
  (owners: Owners, settling: Settling) =>
  async (id: string): Promise<void> => {
    const { store } = settling
    const transaction = await transactionById(store.read, id)
    const unknown =
      transaction.type === 'TRANSFER' ? await refreshAccounts({ store, owners }, partiesOf(transaction)) : null
    await store.commit((tx) => completeHere(tx, settling, id, unknown))
  }

/**
 * One attempt at a withdrawal. Logs once that the wallet service is away, and once that it is back. At most `calls` of
 * each question to it are under way at a time.
 */
export function withdrawals({ client, log, owners }: Deps, settling: Settling, calls: number) {
  const { store } = settling
  const refresh = sharedRefresh({ store, owners })
  const wallet = createWallet(client, calls)
  let isAway = false
  return async (id: string): Promise<void> => {
    const order = await orderOf(store.read, id)
    if (!order) return
    // What is returned is no account's.
    const isAsked = order.work.acceptedAt === null && order.returns === null
    const unknown = isAsked ? await refresh(order.accountId) : null
    const attempt = await store.commit((tx) => beginAttempt(tx, settling, id, unknown))
    if (!attempt) return
    const finding = await askWallet(wallet, attempt)
    if (finding.is === 'unknown' && !isAway) {
      const { reason } = finding
      log.warn({ transactionId: id, reason }, 'A withdrawal got no clear answer; it is asked about again')
    }
    if (finding.is !== 'unknown' && isAway) log.info({ transactionId: id }, 'The wallet service answers again')
    isAway = finding.is === 'unknown'
    await store.commit((tx) => settleWithdrawal(tx, settling, attempt.order.work, finding))
  }
}
