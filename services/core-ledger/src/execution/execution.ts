import { TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import type { Log } from '@bursar/contracts/log'
import { asRequest, type Client, type Metrics } from '@bursar/http'
import { type OpenStore, type OutboxEvent, StoreClosedError, type Worker } from '@bursar/store'
import type { Books } from '../books/books'
import { completions, withdrawals } from './attempts'
import { type Lane, startLane } from './lane'
import { createOwners } from './owners'
import { putOffBroken, type Settling } from './put-off'
import { backlogOf, dueWork, nextDueAt } from './read-work'
import { type RetryTuning, retryTuning } from './retry-delay'
import type { WorkLane } from './work.table'

/** Carries approved transactions out. */
export interface Execution {
  /** Starts with everything that is due now, then goes on with what commits approve and timers bring. */
  start(): Worker
  /** Looks for due work. Does nothing before the start. */
  wake(): void
}

export interface ExecutionDeps {
  readonly store: OpenStore
  readonly client: Client
  readonly log: Log
  readonly metrics: Metrics
  /** While they are closed nothing is carried out. */
  readonly books: Pick<Books, 'areClosed'>
}

export interface ExecutionTuning {
  now: () => Date
  retry: RetryTuning
  /** Withdrawals at a time. What they ask of the wallet service goes in few calls. */
  withdrawals: number
  /** Calls to the wallet service at a time, of each question. */
  calls: number
  /** Deposits and transfers at a time: they share a commit, which should not hold the others up. */
  commits: number
  /** How long a stop waits for what is under way; an attempt that it leaves is repeated after the next start. */
  stoppingMs: number
}

const tuned: ExecutionTuning = {
  now: () => new Date(),
  retry: retryTuning,
  withdrawals: 256,
  calls: 16,
  commits: 64,
  stoppingMs: 6000,
}

/**
 * The worker over the queue of approved transactions. Withdrawals and the rest have lanes of their own, so that a slow
 * chain delays no deposit.
 */
export function createExecution(deps: ExecutionDeps, tuning: Partial<ExecutionTuning> = {}): Execution {
  const { withdrawals: width, calls, commits, stoppingMs, ...settings } = { ...tuned, ...tuning }
  const settling: Settling = { store: deps.store, ...settings }
  let lanes: Lane[] = []
  let stopped = false
  const wake = () => {
    for (const each of lanes) each.wake()
  }
  const laneOf = (name: WorkLane, width: number, work: (id: string) => Promise<void>): Lane =>
    startLane({
      due: async (now, limit) =>
        deps.books.areClosed()
          ? []
          : await dueWork(deps.store.read, name, { now, limit, longestMs: settings.retry.longestMs }),
      nextDueAt: async (at) => (deps.books.areClosed() ? null : await nextDueAt(deps.store.read, name, at)),
      run: guarded(deps, settling, () => stopped, work),
      width,
      now: settling.now,
      log: deps.log,
    })
  return {
    wake,
    start() {
      const owners = createOwners(deps.client)
      lanes = [
        laneOf('ledger', commits, completions(owners, settling)),
        laneOf('chain', width, withdrawals({ ...deps, owners }, settling, calls)),
      ]
      const unsubscribe = deps.store.onEvents((events) => {
        if (events.some(isApproval)) wake()
      })
      addGauges(deps, settling.now)
      wake()
      return {
        async stop() {
          stopped = true
          unsubscribe()
          await within(Promise.all(lanes.map((each) => each.stop())), stoppingMs)
        },
      }
    },
  }
}

/** Runs the work under the transaction's own id, in place of a request's; what fails for a reason of ours is put off. */
const guarded =
  ({ log }: ExecutionDeps, settling: Settling, isStopped: () => boolean, work: (id: string) => Promise<void>) =>
  (id: string): Promise<void> =>
    asRequest(id, async () => {
      try {
        await work(id)
      } catch (error) {
        if (isStopped() && error instanceof StoreClosedError) return
        log.error({ err: error, transactionId: id }, 'An approved transaction could not be carried out')
        await settling.store.commit((tx) => putOffBroken(tx, settling, id))
      }
    })

const isApproval = ({ envelope }: OutboxEvent): boolean =>
  envelope.name === TransactionMoved.name && (envelope.data as TransactionState).status === 'APPROVED'

function addGauges({ store, metrics }: ExecutionDeps, now: () => Date): void {
  metrics.add({
    name: 'bursar_work_depth',
    help: 'Approved transactions that are not carried out yet',
    read: async () => (await backlogOf(store.read)).depth,
  })
  metrics.add({
    name: 'bursar_work_oldest_seconds',
    help: 'How long the oldest approved transaction has waited',
    read: async () => {
      const { oldestAt } = await backlogOf(store.read)
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
