import type { Log } from '@bursar/contracts/log'
import { asRequest, type Client } from '@bursar/http'
import { batched, sideBySide } from '@bursar/store'
import type { ClaimedWork, Settling } from '../movements/execution-queue'
import { partiesOf } from '../movements/obstacle'
import { queuedTransactions } from '../movements/read-transactions'
import { type Order, ordersOf } from '../movements/read-work'
import { askWallet, type Finding } from './ask-wallet'
import { type Attempt, type Beginning, beginAttempts } from './begin-attempt'
import { type Owned, refreshAccounts, sharedRefresh } from './refresh-account'
import { type Completion, completeDepositsAndTransfers, type Found, settleWithdrawals } from './settle'
import { createWallet } from './wallet-calls'

interface Deps extends Owned {
  readonly client: Client
  readonly log: Log
}

type Handler = (rows: readonly ClaimedWork[]) => Promise<void>

/**
 * Runs each attempt independently, under its transaction's id as request id; their simultaneous commits share a body.
 */
const each = (rows: readonly ClaimedWork[], attempt: (row: ClaimedWork) => Promise<unknown>): Promise<void> =>
  sideBySide(rows, (row) => asRequest(row.transactionId, () => attempt(row)))

const nameOf = ({ row }: { row: ClaimedWork }): string => row.transactionId
const idsOf = (rows: readonly ClaimedWork[]): string[] => rows.map(({ transactionId }) => transactionId)

/** Carries out deposits and transfers, after fetching the states of a transfer's accounts from their owners. */
export function completions(owned: Owned, settling: Settling): Handler {
  const { store } = settling
  const complete = batched(nameOf, (tx, all: readonly Completion[]) => completeDepositsAndTransfers(tx, settling, all))
  return async (rows) => {
    const queued = await queuedTransactions(store.read, idsOf(rows))
    await each(rows, async (row) => {
      const transaction = queued.get(row.transactionId)
      if (!transaction) return
      const unknown =
        transaction.type === 'TRANSFER' ? await refreshAccounts({ store, ...owned }, partiesOf(transaction)) : null
      await complete(store, { row, unknown })
    })
  }
}

/** Attempts at withdrawals. At most `calls` calls of each kind are under way at a time. */
export function withdrawals({ client, log, owners, marks }: Deps, settling: Settling, calls: number): Handler {
  const { store } = settling
  const refresh = sharedRefresh({ store, owners, marks })
  const wallet = createWallet(client, calls)
  const begin = batched(nameOf, (tx, all: readonly Beginning[]) => beginAttempts(tx, settling, all))
  const settle = batched(nameOf, (tx, all: readonly Found[]) => settleWithdrawals(tx, settling, all))
  let isAway = false

  /** Once that the wallet service is away, and once that it is back; what else is unclear once for each reason. */
  function tell({ transactionId, lastError }: ClaimedWork, finding: Finding) {
    const isGone = finding.is === 'unknown' && finding.isAway === true
    if (finding.is === 'unknown' && (isGone ? !isAway : lastError !== finding.reason)) {
      const { reason } = finding
      log.warn({ transactionId, reason }, 'A withdrawal got no clear answer; its state is fetched again')
    }
    if (!isGone && isAway) log.info({ transactionId }, 'The wallet service answers again')
    isAway = isGone
  }

  async function begun(row: ClaimedWork, order: Order): Promise<Attempt | null> {
    if (row.acceptedAt !== null) return { ask: 'record', order, reason: null }
    // A return belongs to no account.
    const unknown = order.returns === null ? await refresh(order.accountId) : null
    return await begin(store, { row, order, unknown })
  }

  async function attempt(row: ClaimedWork, order: Order | undefined): Promise<void> {
    if (!order) return
    const attempt = await begun(row, order)
    if (!attempt) return
    const finding = await askWallet(wallet, attempt)
    tell(row, finding)
    await settle(store, { row, finding })
  }

  return async (rows) => {
    const orders = await ordersOf(store.read, idsOf(rows))
    await each(rows, (row) => attempt(row, orders.get(row.transactionId)))
  }
}
