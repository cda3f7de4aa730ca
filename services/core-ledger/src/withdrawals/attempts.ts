import type { Log } from '@bursar/contracts/log'
import type { Client } from '@bursar/http'
import { partiesOf } from '../movements/obstacle'
import type { ClaimedWork, Settling } from '../movements/queue'
import { transactionById } from '../movements/read-transactions'
import { orderOf } from '../movements/read-work'
import { askWallet } from './ask-wallet'
import { type Attempt, beginAttempt } from './begin-attempt'
import type { Owners } from './owners'
import { refreshAccounts, sharedRefresh } from './refresh-account'
import { completeHere, settleWithdrawal } from './settle'
import { createWallet } from './wallet-calls'

interface Deps {
  readonly client: Client
  readonly log: Log
  readonly owners: Owners
}

/** Carries a deposit or transfer out; the state of a transfer's accounts is fetched from their owners first. */
export const completions =
  (owners: Owners, settling: Settling) =>
  async (row: ClaimedWork): Promise<void> => {
    const { store } = settling
    const transaction = await transactionById(store.read, row.transactionId)
    const unknown =
      transaction.type === 'TRANSFER' ? await refreshAccounts({ store, owners }, partiesOf(transaction)) : null
    await store.commit((tx) => completeHere(tx, settling, row, unknown))
  }

/**
 * One attempt at a withdrawal. Logs once that the wallet service is unreachable, and once that it is back. At most
 * `calls` of each question to it are under way at a time.
 */
export function withdrawals({ client, log, owners }: Deps, settling: Settling, calls: number) {
  const { store } = settling
  const refresh = sharedRefresh({ store, owners })
  const wallet = createWallet(client, calls)
  let isAway = false

  async function begin(row: ClaimedWork): Promise<Attempt | null> {
    const order = await orderOf(store.read, row.transactionId)
    if (!order) return null
    if (row.acceptedAt !== null) return { ask: 'record', order, reason: null }
    // A return belongs to no account.
    const unknown = order.returns === null ? await refresh(order.accountId) : null
    return await store.commit((tx) => beginAttempt(tx, settling, row, unknown))
  }

  return async (row: ClaimedWork): Promise<void> => {
    const attempt = await begin(row)
    if (!attempt) return
    const { id } = attempt.order
    const finding = await askWallet(wallet, attempt)
    if (finding.is === 'unknown' && !isAway) {
      const { reason } = finding
      log.warn({ transactionId: id, reason }, 'A withdrawal got no clear answer; its state is fetched again')
    }
    if (finding.is !== 'unknown' && isAway) log.info({ transactionId: id }, 'The wallet service answers again')
    isAway = finding.is === 'unknown'
    await store.commit((tx) => settleWithdrawal(tx, settling, row, finding))
  }
}
