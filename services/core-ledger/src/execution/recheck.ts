import type { Log } from '@bursar/contracts/log'
import { getWithdrawal, type WithdrawalState } from '@bursar/contracts/wallet'
import { CallError, type Client, type Metrics, recordLog } from '@bursar/http'
import {
  and,
  asc,
  count,
  eq,
  every,
  gt,
  isNotNull,
  isNull,
  lte,
  or,
  param,
  prepared,
  type Store,
  type Tx,
  type Worker,
} from '@bursar/store'
import { isPaidByMovement } from '../executions/movements'
import { retryTuning } from './retry-delay'
import { failedWithdrawals } from './work.table'

interface Deps {
  readonly store: Store
  readonly client: Client
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => Date
}

/** Asks about withdrawals that failed once more. One that was paid after all is an alarm, until somebody has settled it. */
export interface Recheck {
  start(deps: Deps): Worker
  /** Asks about all that are due; for tests. */
  run(deps: Deps): Promise<void>
  /** A sentence while a failed withdrawal is known to be paid, else null; for the health. */
  waits(): Promise<string | null>
}

const everyMs = 30_000
const mostPerRun = 500

export function createRecheck(): Recheck {
  let alarms = 0
  async function run(deps: Deps): Promise<void> {
    const now = deps.now()
    const furthest = new Date(now.getTime() + retryTuning.longestMs)
    try {
      const due = await dueFailures(deps.store.read).execute({ now, furthest, limit: mostPerRun })
      for (const { id } of due) await recheck(deps, id)
    } finally {
      const [row] = await contradicted(deps.store.read).execute()
      alarms = row?.alarms ?? 0
    }
  }
  return {
    run,
    start(deps) {
      const help = 'Withdrawals that failed here and that the wallet service has paid'
      deps.metrics.add({ name: 'bursar_failed_but_paid', help, read: () => alarms })
      return every(everyMs, () => run(deps), { log: deps.log, name: 'The recheck of failed withdrawals', firstMs: 0 })
    },
    waits: async () => {
      if (alarms === 0) return null
      const which = alarms === 1 ? 'A withdrawal that failed was paid' : `${alarms} withdrawals that failed were paid`
      return `${which}: see GET /transactions/stuck`
    },
  }
}

async function recheck({ store, client, log, now }: Deps, id: string): Promise<void> {
  try {
    const state = await client.find(getWithdrawal, { params: { id } })
    const isBooked = state?.status === 'confirmed' && (await isPaidByMovement(store.read, id))
    if (!state || state.status === 'failed' || isBooked)
      return void (await store.commit((tx) => forget(tx).execute({ id })))
    const { status, txHash } = state
    log.error({ transactionId: id, status, txHash }, 'A withdrawal that failed here was paid by the wallet service')
    await store.commit((tx) => raiseAlarm(tx, state, now()))
  } catch (error) {
    // It stays due, for the next run.
    if (!(error instanceof CallError)) throw error
  }
}

async function raiseAlarm(tx: Tx, { id, status, txHash }: WithdrawalState, at: Date): Promise<void> {
  await contradict(tx).execute({ id, contradiction: txHash === null ? status : `${status} ${txHash}` })
  await recordLog(tx, {
    service: 'core-ledger',
    requestId: id,
    at,
    event_type: 'ERROR_OCCURRED',
    status: 'FAILURE',
    metadata: {
      transaction_id: id,
      message: 'A withdrawal that failed was paid',
      wallet_status: status,
      tx_hash: txHash,
    },
  })
}

/** A moment further away than any was set by a clock that has been put right since. */
const dueFailures = prepared((db) =>
  db
    .select({ id: failedWithdrawals.transactionId })
    .from(failedWithdrawals)
    .where(
      and(
        isNull(failedWithdrawals.contradiction),
        or(lte(failedWithdrawals.dueAt, param('now')), gt(failedWithdrawals.dueAt, param('furthest'))),
      ),
    )
    .orderBy(asc(failedWithdrawals.dueAt))
    .limit(param('limit')),
)
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
const forget = prepared((db) => db.delete(failedWithdrawals).where(isOne))
