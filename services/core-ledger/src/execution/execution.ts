import type { Log } from '@bursar/contracts/log'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import type { Client, Metrics } from '@bursar/http'
import { type OpenStore, type OutboxEvent, StoreClosedError } from '@bursar/store'
import { askWallet } from './ask-wallet'
import { type Lane, startLane } from './lane'
import { backlogOf, dueWork, nextDueAt, orderOf } from './read-work'
import { type RetryTuning, retryTuning } from './retry-delay'
import { completeHere, putOffBroken, type Settling, settleWithdrawal } from './settle'
import type { WorkLane } from './work.table'

/** Carries approved transactions out. */
export interface Execution {
  /** Looks for due work; commits that approve something and timers do this by themselves. */
  wake(): void
  /** Takes nothing more and waits for what is under way, but not longer than this. More calls change nothing. */
  stop(timeoutMs?: number): Promise<void>
}

export interface ExecutionDeps {
  readonly store: OpenStore
  readonly client: Client
  readonly log: Log
  readonly metrics: Metrics
}

export interface ExecutionTuning {
  now: () => Date
  retry: RetryTuning
  mostRefusals: number
  /** Calls to the wallet service at a time. */
  calls: number
  /** Deposits and transfers at a time: they share a commit, which should not hold the others up. */
  completions: number
}

const tuned: ExecutionTuning = {
  now: () => new Date(),
  retry: retryTuning,
  mostRefusals: 3,
  calls: 16,
  completions: 64,
}

/** Longer than a call to the wallet service may take. */
const stoppingMs = 6000

/**
 * Starts the worker over the queue of approved transactions: everything that is due now, then whatever commits approve
 * and timers bring. Withdrawals and the rest have lanes of their own, so that a slow chain delays no deposit.
 */
export function startExecution(deps: ExecutionDeps, tuning: Partial<ExecutionTuning> = {}): Execution {
  const { store, log } = deps
  const { calls, completions, ...settings } = { ...tuned, ...tuning }
  const settling: Settling = { store, ...settings }
  let ended = false
  const guarded = (work: (id: string) => Promise<void>) => async (id: string) => {
    try {
      await work(id)
    } catch (error) {
      if (ended && error instanceof StoreClosedError) return
      log.error({ err: error, transactionId: id }, 'An approved transaction could not be carried out')
      await putOffBroken(settling, id)
    }
  }
  const lane = (name: WorkLane, width: number, work: (id: string) => Promise<void>): Lane =>
    startLane({
      due: (at, limit) => dueWork(store, name, at, limit),
      nextDueAt: (at) => nextDueAt(store, name, at),
      run: guarded(work),
      width,
      now: settling.now,
      log,
    })
  const lanes = [
    lane('ledger', completions, (id) => completeHere(settling, id)),
    lane('chain', calls, withdrawals(deps, settling)),
  ]
  const wake = () => {
    for (const each of lanes) each.wake()
  }
  const forget = store.onEvents((events) => {
    if (events.some(isApproval)) wake()
  })
  let stopping: Promise<unknown> | undefined
  const halt = () => {
    ended = true
    forget()
    stopping ??= Promise.all(lanes.map((each) => each.stop()))
    return stopping
  }
  store.onClose(() => void halt())
  addGauges(deps, settling.now)
  wake()
  return {
    wake,
    async stop(timeoutMs = stoppingMs) {
      await within(halt(), timeoutMs)
    },
  }
}

/** One attempt at a withdrawal. Says once that the wallet service is away, and once that it is back. */
function withdrawals({ store, client, log }: ExecutionDeps, settling: Settling) {
  let isAway = false
  return async (id: string) => {
    const order = await orderOf(store, id)
    if (!order) return
    const finding = await askWallet(client, order)
    if (finding.is === 'open' && !isAway) {
      log.warn({ transactionId: id, reason: finding.reason }, 'A withdrawal got no clear answer; asking on')
    }
    if (finding.is !== 'open' && isAway) log.info({ transactionId: id }, 'The wallet service answers again')
    isAway = finding.is === 'open'
    await settleWithdrawal(settling, order.work, finding)
  }
}

/** Every move of a transaction has its line for the tracker in the same commit. */
const isApproval = ({ envelope }: OutboxEvent): boolean =>
  envelope.name === LogRecorded.name && (envelope.data as LogEntry).metadata.transaction_status === 'APPROVED'

function addGauges({ store, metrics }: ExecutionDeps, now: () => Date): void {
  metrics.add({
    name: 'bursar_work_depth',
    help: 'Approved transactions that are not carried out yet',
    read: async () => (await backlogOf(store)).depth,
  })
  metrics.add({
    name: 'bursar_work_oldest_seconds',
    help: 'How long the oldest approved transaction has waited',
    read: async () => {
      const { oldestAt } = await backlogOf(store)
      return oldestAt ? Math.max(0, (now().getTime() - oldestAt.getTime()) / 1000) : 0
    },
  })
}

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: Timer | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
