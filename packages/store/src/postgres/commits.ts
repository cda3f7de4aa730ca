// Commits on a server. Bodies without a key in common run at the same time in one serializable transaction on one connection, so that
// they share its way to the server and its end; a body without a key runs alone. What they may do beside each other is
// guarded (guard.ts); where one leaves that, or throws, all are rolled back and run apart.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '@bursar/contracts/log'
import { type Attempt, answer, hasSucceeded, newAttempt, nothingWritten } from '../engine/commit-batch'
import { CommitFailedError, NestedCommitError, StoreClosedError, UnknownOutcomeError } from '../engine/errors'
import type { CommitOptions, Keys } from '../engine/store'
import type { Access, Answer } from '../statements/server'
import { LaneLeftError } from './guard'
import { stateOf } from './pool'
import { type Entry, laneBodies, laneTransaction, type TransactionOptions } from './transaction'

/** Bodies per transaction. */
const mostTogether = 64
/** Attempts at a transaction with conflicts. */
const mostRuns = 100
/** Attempts at a transaction that inserts an existing row: it may have been inserted meanwhile. */
const mostDoubles = 3
const longestPauseMs = 200

export interface LaneFigures {
  /** Transactions that were committed, and the bodies in them. */
  transactions: number
  bodies: number
  /** Transactions with conflicts. */
  conflicts: number
  /**
   * Transactions whose bodies were run apart afterwards, because one threw, or did what it may not do beside others.
   */
  left: number
  failures: number
}

export interface Commits<Tx, Event> {
  commit<T>(body: (tx: Tx) => Promise<T>, keys?: Keys, options?: CommitOptions): Promise<T>
  /** Runs a statement of the body that calls it. */
  run(text: string, values: readonly unknown[], access: Access): Promise<Answer>
  current(): Attempt<Event> | null
  figures(): LaneFigures
  /** Accepts no more commits, and resolves when all accepted ones are answered. */
  end(): Promise<void>
}

interface Options<Tx, Event> extends TransactionOptions<Tx, Event> {
  /** Concurrent transactions. */
  writers: number
  requestId: () => string | null
  committed: (attempts: readonly Attempt<Event>[]) => void
  log: Log
  /** For tests. */
  random?: () => number
}

export function laneCommits<Tx, Event>(options: Options<Tx, Event>): Commits<Tx, Event> {
  const bodies = laneBodies<Event>()
  const batches = batchRunner(options, bodies)
  const outside = AsyncLocalStorage.snapshot()
  const queue = keyedQueue<Entry<Tx, Event>>()
  let running = 0
  let idle = () => {}
  let end: Promise<void> | null = null

  function start() {
    while (running < options.writers) {
      const batch = queue.take(batches.size())
      if (batch.length === 0) return
      running += 1
      void batches.run(batch).then(() => {
        running -= 1
        queue.done(batch)
        if (queue.isEmpty() && running === 0) idle()
        else schedule()
      })
    }
  }
  const schedule = () => void setImmediate(outside, start)

  return {
    commit(body, named = [], { isUrgent = false } = {}) {
      if (end) return Promise.reject(new StoreClosedError('The store is closed'))
      if (bodies.attempt()) {
        return Promise.reject(new NestedCommitError('commit() was called inside a commit: pass its tx on instead'))
      }
      const within = AsyncLocalStorage.snapshot()
      const requestId = options.requestId()
      return new Promise((resolve, reject) => {
        const answer = resolve as (value: unknown) => void
        const keys = new Set(typeof named === 'string' ? [named] : named)
        const attempt = newAttempt<Event>(requestId)
        queue.put({ keys, body, requestId, within, resolve: answer, reject, attempt }, isUrgent)
        schedule()
      })
    },
    run: bodies.run,
    current: bodies.attempt,
    figures: batches.figures,
    end() {
      end ??= new Promise((resolve) => {
        if (queue.isEmpty() && running === 0) resolve()
        else idle = resolve
      })
      return end
    },
  }
}

/** The waiting bodies, in order; one at a time per key. */
function keyedQueue<E extends { readonly keys: ReadonlySet<string> }>() {
  const waiting: E[] = []
  const busyKeys = new Set<string>()
  return {
    put: (entry: E, isUrgent: boolean) => void (isUrgent ? waiting.unshift(entry) : waiting.push(entry)),
    isEmpty: () => waiting.length === 0,
    /**
     * The next bodies to run together: the first of each key, at most `most`, up to the first body without a key, which
     * runs alone.
     */
    take(most: number): E[] {
      const batch: E[] = []
      // Nothing overtakes a body that waits for one of its keys.
      const passed = new Set<string>()
      const mustWait = (key: string) => busyKeys.has(key) || passed.has(key)
      for (let i = 0; i < waiting.length && batch.length < most; ) {
        const entry = waiting[i] as E
        if (entry.keys.size === 0) {
          if (batch.length > 0) break
          return waiting.splice(i, 1)
        }
        if ([...entry.keys].some(mustWait)) {
          for (const key of entry.keys) passed.add(key)
          i += 1
        } else {
          batch.push(entry)
          waiting.splice(i, 1)
          for (const key of entry.keys) busyKeys.add(key)
        }
      }
      return batch
    },
    done(batch: readonly E[]) {
      for (const { keys } of batch) for (const key of keys) busyKeys.delete(key)
    },
  }
}

/**
 * Those that threw by themselves run alone, and the others together: a refusal costs them one more run. All run alone where a
 * statement has failed, for those after it failed as well, or where the guard was left, for that takes two.
 */
function apart<Tx, Event>(batch: readonly Entry<Tx, Event>[]): (readonly Entry<Tx, Event>[])[] {
  const threw = batch.filter(({ attempt: { outcome } }) => outcome && 'error' in outcome)
  // A body may have swallowed a statement's failure: then none has thrown.
  const isClear =
    threw.length > 0 && threw.every(({ attempt: { outcome } }) => outcome && 'error' in outcome && isOwn(outcome.error))
  const alone = isClear ? threw : batch
  const others = batch.filter((entry) => !alone.includes(entry))
  return [...(others.length > 0 ? [others] : []), ...alone.map((entry) => [entry])]
}

/** Whether the body itself threw the error, not a statement or the guard. */
function isOwn(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof LaneLeftError) return false
  return stateOf(error) === null
}

/**
 * Runs batches until each body is answered. After a conflict fewer bodies share a transaction, then gradually more
 * again.
 */
function batchRunner<Tx, Event>(options: Options<Tx, Event>, bodies: ReturnType<typeof laneBodies<Event>>) {
  const { log, random = Math.random } = options
  const attemptAll = laneTransaction(options, bodies)
  const figures: LaneFigures = { transactions: 0, bodies: 0, conflicts: 0, left: 0, failures: 0 }
  let together = mostTogether

  /** Never rejects. */
  async function run(batch: readonly Entry<Tx, Event>[], runs = 1): Promise<void> {
    try {
      const outcome = await attemptAll(batch)
      if (outcome === 'committed') together = Math.min(mostTogether, together + 1)
      if (outcome === 'committed' || outcome === 'failed') settle(batch)
      else if (outcome === 'alone') {
        figures.left += 1
        for (const some of apart(batch)) await run(some)
      } else await again(batch, outcome, runs)
    } catch (error) {
      failed(batch, error)
    }
  }

  async function again(batch: readonly Entry<Tx, Event>[], why: 'conflict' | 'double', runs: number): Promise<void> {
    figures.conflicts += 1
    if (batch.length > 1) {
      together = Math.max(1, together >> 1)
      const half = batch.length >> 1
      await run(batch.slice(0, half), runs)
      return await run(batch.slice(half), runs)
    }
    if (runs >= (why === 'double' ? mostDoubles : mostRuns)) return giveUp(batch)
    await Bun.sleep(random() * Math.min(longestPauseMs, 2 ** Math.min(runs, 10)))
    await run(batch, runs + 1)
  }

  /** A body may have succeeded, and its COMMIT failed. */
  function giveUp(batch: readonly Entry<Tx, Event>[]) {
    for (const { attempt, reject } of batch) {
      const { outcome } = attempt
      const isOwn = outcome && 'error' in outcome
      reject(isOwn ? outcome.error : new CommitFailedError('The commit met others each time, and wrote nothing'))
    }
  }

  function settle(batch: readonly Entry<Tx, Event>[]) {
    const attempts = batch.map(({ attempt }) => attempt)
    if (attempts.every(hasSucceeded)) {
      figures.transactions += 1
      figures.bodies += batch.length
      options.committed(attempts)
    }
    for (const entry of batch) answer(entry)
  }

  function failed(batch: readonly Entry<Tx, Event>[], cause: unknown) {
    figures.failures += 1
    log.error({ err: cause, bodies: batch.length }, 'A batch of commits failed')
    const error = cause instanceof UnknownOutcomeError ? cause : nothingWritten(cause)
    for (const { reject } of batch) reject(error)
  }

  return { run, size: () => together, figures: () => ({ ...figures }) }
}
