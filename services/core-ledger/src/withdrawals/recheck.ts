import { mostInBatch } from '@bursar/contracts/batch'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { type Deps as Common, isCallError } from '@bursar/http'
import {
  and,
  type Claimed,
  count,
  type Db,
  doubling,
  eq,
  isNotNull,
  isNull,
  param,
  prepared,
  sideBySide,
  sql,
  type Tx,
  type Worker,
  workOn,
  workQueue,
} from '@bursar/store'
import { retryTuning } from '../movements/execution-queue'
import { recordAlarm } from '../movements/record-alarm'
import { failedWithdrawals } from '../movements/work.table'
import { isPaidOtherwise } from '../portfolios/own-withdrawals'
import { createWallet, type Wallet } from './wallet-calls'

type Deps = Pick<Common, 'store' | 'client' | 'log' | 'metrics' | 'now'>

const everyMs = 30_000
const calls = 4

/** Nothing is due further ahead than the wait after a failure. */
const recheckQueue = workQueue(failedWithdrawals, {
  id: 'transactionId',
  leaseMs: 60_000,
  backoff: doubling(everyMs, retryTuning.longestMs),
})
type Failed = Claimed<typeof failedWithdrawals.$inferSelect>

/**
 * Checks failed withdrawals once more at the wallet service. One that was paid after all is an alarm until somebody has
 * settled it.
 */
export function createRecheck() {
  let read: Db | undefined
  const alarms = async () => (read ? ((await contradicted(read).execute())[0]?.alarms ?? 0) : 0)
  const handler = (deps: Deps) => {
    read = deps.store.read
    const wallet = createWallet(deps.client, calls)
    return (rows: readonly Failed[]) => sideBySide(rows, (row) => recheck(deps, wallet, row))
  }
  return {
    /** Checks all that are due; for tests. */
    async run(deps: Deps): Promise<void> {
      const handle = handler(deps)
      for (;;) {
        const rows = await recheckQueue.claim(deps.store, { now: deps.now(), limit: mostInBatch })
        if (rows.length === 0) return
        await handle(rows)
      }
    },
    start(deps: Deps): Worker {
      const { store, now, log } = deps
      const help = 'Withdrawals that failed here and that the wallet service has paid'
      deps.metrics.add({ name: 'bursar_failed_but_paid', help, read: alarms })
      const name = 'The recheck of failed withdrawals'
      return workOn(recheckQueue, { store, now, log, name, handle: handler(deps), places: 1, lookMs: everyMs })
    },
    /** A sentence while a failed withdrawal is known to be paid, else null; for the health. */
    waits: async () => {
      const count = await alarms()
      if (count === 0) return null
      const which = count === 1 ? 'A withdrawal that failed was paid' : `${count} withdrawals that failed were paid`
      return `${which}: see GET /transactions/stuck`
    },
  }
}

async function recheck({ store, log, now }: Deps, wallet: Wallet, row: Failed): Promise<void> {
  const { transactionId: id, contradiction } = row
  let state: WithdrawalState | null
  try {
    state = await wallet.find(id)
  } catch (error) {
    if (!isCallError(error)) throw error
    return await store.commit((tx) => recheckQueue.reschedule(tx, row, { now: now(), error: error.message }))
  }
  const isBooked = state?.status === 'confirmed' && (await isPaidOtherwise(store.read, state))
  // A withdrawal that was sent, and that the wallet service has forgotten, may be paid.
  const isUnpaid = state ? state.status === 'failed' : contradiction === null
  if (isUnpaid || isBooked) {
    return await store.commit(async (tx) => {
      await recheckQueue.finish(tx, [row])
      await forget(tx).execute({ id, contradiction: contradiction ?? '' })
    })
  }
  const news = state && wordsOf(state) !== contradiction ? state : null
  if (news) {
    const { status, txHash } = news
    log.error({ transactionId: id, status, txHash }, 'A withdrawal that failed here was paid by the wallet service')
  }
  await store.commit(async (tx) => {
    if (state?.status === 'confirmed') await recheckQueue.finish(tx, [row])
    // It may still fail; then nobody has anything to settle.
    else await recheckQueue.reschedule(tx, row, { now: now(), error: null })
    if (news) await raiseAlarm(tx, news, now())
  })
}

const wordsOf = ({ status, txHash }: WithdrawalState): string => (txHash === null ? status : `${status} ${txHash}`)

async function raiseAlarm(tx: Tx, state: WithdrawalState, at: Date): Promise<void> {
  const { id, status, txHash } = state
  await contradict(tx).execute({ id, contradiction: wordsOf(state) })
  await recordAlarm(
    tx,
    { requestId: id, at },
    {
      transaction_id: id,
      message: 'A withdrawal that failed was paid',
      wallet_status: status,
      tx_hash: txHash,
    },
  )
}

const contradicted = prepared((db) =>
  db.select({ alarms: count() }).from(failedWithdrawals).where(isNotNull(failedWithdrawals.contradiction)),
)
const isOne = eq(failedWithdrawals.transactionId, param('id'))
const contradict = prepared((db) =>
  db
    .update(failedWithdrawals)
    .set({ contradiction: param('contradiction') })
    .where(isOne),
)
/** Only if no event meanwhile said that it is or may be paid: that is an alarm, or a reason to ask again. */
const isAsAsked = and(
  isNull(failedWithdrawals.dueAt),
  eq(failedWithdrawals.otherTerms, false),
  sql`coalesce(${failedWithdrawals.contradiction}, '') = ${param('contradiction')}`,
)
const forget = prepared((db) => db.delete(failedWithdrawals).where(and(isOne, isAsAsked)))
