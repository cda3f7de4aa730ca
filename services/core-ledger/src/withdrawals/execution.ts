import { TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import type { Log } from '@bursar/contracts/log'
import { type Client, createWakes, type Metrics, type Siblings } from '@bursar/http'
import { type OpenStore, type OutboxEvent, type Worker, type WorkLoop, workOn } from '@bursar/store'
import {
  type ClaimedWork,
  type ExecutionQueue,
  executionQueue,
  type RetryTuning,
  retryTuning,
  type Settling,
} from '../movements/execution-queue'
import { backlogOf } from '../movements/read-work'
import type { WorkLane } from '../movements/work.table'
import { completions, withdrawals } from './attempts'
import { createOwners } from './owners'
import { rememberedMarks } from './refresh-account'

export interface ExecutionDeps {
  readonly store: OpenStore
  readonly client: Client
  readonly log: Log
  readonly metrics: Metrics
  /** The service's other instances, which are woken too. */
  readonly siblings?: Siblings
  readonly now: () => Date
  /** Nothing is carried out while the books are closed. */
  readonly books: { areClosed(): boolean }
}

export interface ExecutionTuning {
  now: () => Date
  retry: RetryTuning
  /** Concurrent withdrawals. Their calls to the wallet service are batched. */
  withdrawals: number
  /** Concurrent calls to the wallet service, per kind of call. */
  calls: number
  /** Deposits and transfers per batch: they share a commit, which should not delay others. */
  commits: number
  /** How long a stop waits for running attempts; an unfinished one is retried after the next start. */
  stoppingMs: number
}

const tuned: Omit<ExecutionTuning, 'now'> = {
  retry: retryTuning,
  withdrawals: 256,
  calls: 16,
  commits: 128,
  stoppingMs: 6000,
}

/** Concurrent handlers of a lane: a hanging one delays only its own rows. */
const mostPlaces = 4
const fewestInPlace = 64
/** The longest pause between checks for due work. */
const longestLookMs = 250

export type Execution = ReturnType<typeof createExecution>

/**
 * The worker over the queue of approved transactions. Withdrawals and the rest have lanes of their own, so that a slow
 * chain delays no deposit.
 */
export function createExecution(deps: ExecutionDeps, tuning: Partial<ExecutionTuning> = {}) {
  const { withdrawals: width, calls, commits, stoppingMs, now = deps.now, retry } = { ...tuned, ...tuning }
  const { store, log } = deps
  const queue = executionQueue(retry)
  const settling: Settling = { store, now, retry, queue }
  let loops: WorkLoop[] = []
  const wakes = createWakes(deps.siblings)
  wakes.on(() => {
    for (const loop of loops) void loop.wake()
  })
  const { wake } = wakes
  const loopOf = (lane: WorkLane, most: number, handle: (rows: readonly ClaimedWork[]) => Promise<void>): WorkLoop => {
    const places = Math.min(mostPlaces, Math.ceil(most / fewestInPlace))
    return workOn(whileOpen(queue, lane, deps.books), {
      store,
      now,
      log,
      name: lane === 'chain' ? 'The execution of withdrawals' : 'The execution of deposits and transfers',
      handle,
      reasonOf: () => 'It could not be carried out; the log says why',
      places,
      batch: Math.ceil(most / places),
      lookMs: Math.min(longestLookMs, retry.firstMs),
    })
  }
  return {
    /** Looks for due work. Does nothing before the start. */
    wake,
    /** Starts with all due work, then continues as commits approve more and timers expire. */
    start(): Worker {
      const owned = { owners: createOwners(deps.client), marks: rememberedMarks(store) }
      loops = [
        loopOf('ledger', commits, completions(owned, settling)),
        loopOf('chain', width, withdrawals({ ...deps, ...owned }, settling, calls)),
      ]
      const unsubscribe = store.onEvents((events) => {
        if (events.some(isApproval)) wake()
      })
      addGauges(deps, now)
      return {
        idle: () => loops.every((loop) => loop.idle?.() ?? true),
        async stop() {
          unsubscribe()
          await within(Promise.all(loops.map((loop) => loop.stop())), stoppingMs)
        },
      }
    },
  }
}

/** A lane of the queue, in which nothing is due while the books are closed. */
const whileOpen = (queue: ExecutionQueue, lane: WorkLane, books: ExecutionDeps['books']): ExecutionQueue => ({
  ...queue,
  claim: async (store, how) => (books.areClosed() ? [] : await queue.claim(store, { ...how, lane })),
  isDue: async (db, now) => !books.areClosed() && (await queue.lanesDue(db, { now, after: '' })).due.includes(lane),
})

const isApproval = ({ envelope }: OutboxEvent): boolean =>
  envelope.name === TransactionMoved.name && (envelope.data as TransactionState).status === 'APPROVED'

function addGauges({ store, metrics }: ExecutionDeps, now: () => Date): void {
  metrics.add({
    name: 'bursar_work_depth',
    help: 'Approved transactions that are not executed yet',
    read: async () => (await backlogOf(store.read)).depth,
  })
  metrics.add({
    name: 'bursar_work_oldest_seconds',
    help: 'Age of the oldest approved transaction',
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
