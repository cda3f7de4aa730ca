import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Log, messageOf } from '@bursar/contracts/log'
import type { Guard } from '../statements/statements'
import { CommitFailedError, OutsideCommitError } from './errors'

const slowBodyMs = 1000
/** After a failure this many batches run with savepoints, because failures cluster. */
const carefulBatches = 8

/** One run of a body. A body that runs again gets a new one. */
export interface Attempt<Event> {
  readonly requestId: string | null
  /** What the body has emitted so far. */
  readonly events: Event[]
  /** The tables it has written to. */
  readonly tables: Set<string>
  /** On a server: the numbers of rows that it has added, by follower and kind (followers/arrivals.ts). */
  readonly arrived: Map<string, Map<string, number[]>>
  outcome: { value: unknown } | { error: unknown } | null
}

/** The body that the running code belongs to. */
const bodies = new AsyncLocalStorage<Pick<Attempt<unknown>, 'outcome'>>()

/** Whether the caller is a running body. */
export const isInBody = (): boolean => bodies.getStore()?.outcome === null

/** One body on its way through the queue. */
export interface Commit<Tx, Event> {
  readonly body: (tx: Tx) => Promise<unknown>
  readonly requestId: string | null
  /** Needs no sync of its own (store.ts). */
  readonly isMadeUpFor: boolean
  /** The number of its callers, read after its body has run. */
  readonly callers: () => number
  /** Runs something in the caller's asynchronous context, so that the body's log lines have its request's id. */
  readonly within: <R>(run: () => R) => R
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** The latest run of the body. */
  attempt: Attempt<Event>
}

export type BatchRunner<Tx, Event> = ReturnType<typeof batchRunner<Tx, Event>>

/**
 * Runs batches on the writing connection: BEGIN IMMEDIATE and the bodies one after another. Few bodies throw, so they
 * run without savepoints first. When one throws, the transaction is rolled back and all bodies run again with a savepoint
 * each, which takes back what a failing body wrote and nothing else.
 * `connect` makes what bodies write with; it calls `guard` before each statement, which throws outside a transaction.
 */
export function batchRunner<Tx, Event>(database: Database, connect: (guard: Guard) => Tx, log: Log) {
  let failures = 0
  const raw = statements(database)
  let running: Attempt<Event> | null = null
  let careful = 0
  let changes = raw.totalChanges()
  /** The attempt whose body is running and called this; null when no body did. */
  const current = () => (running && bodies.getStore() === running ? running : null)

  // A body may swallow the error with which SQLite ended the transaction (as a full disk does); its further writes
  // would then be committed one by one. And a call that a body forgot to await would write into its neighbour's part,
  // or into the body's own second run.
  const tx = connect((writesTo) => {
    const attempt = current()
    if (!attempt) throw new OutsideCommitError('A tx was used outside its commit')
    if (!database.inTransaction) throw new OutsideCommitError('The transaction has ended')
    if (writesTo !== null) attempt.tables.add(writesTo)
  })

  /** False when the body threw. Rejects when the transaction is gone, and with it what the neighbours wrote. */
  async function runBody(entry: Commit<Tx, Event>): Promise<boolean> {
    const attempt = newAttempt<Event>(entry.requestId)
    entry.attempt = attempt
    running = attempt
    const started = performance.now()
    try {
      attempt.outcome = { value: await entry.within(() => bodies.run(attempt, entry.body, tx)) }
      return true
    } catch (error) {
      if (!database.inTransaction) throw error
      attempt.outcome = { error }
      return false
    } finally {
      running = null
      const tookMs = Math.round(performance.now() - started)
      if (tookMs > slowBodyMs) log.warn({ tookMs, requestId: entry.requestId }, 'A commit body held the writer')
    }
  }

  /** Stops at the first body that throws. */
  async function allSucceed(batch: readonly Commit<Tx, Event>[]): Promise<boolean> {
    for (const entry of batch) if (!(await runBody(entry))) return false
    return true
  }

  async function runWithSavepoints(batch: readonly Commit<Tx, Event>[]) {
    for (const entry of batch) {
      raw.savepoint()
      if (!(await runBody(entry))) raw.rollbackTo()
      raw.release()
    }
  }

  /**
   * Runs all bodies in one transaction, which stays open, and records each outcome. Never rejects. False when there is
   * nothing to commit: the transaction failed, or the only body did.
   */
  async function run(batch: readonly Commit<Tx, Event>[]): Promise<boolean> {
    try {
      raw.begin()
      if (careful === 0) {
        if (await allSucceed(batch)) return true
        raw.rollback()
        if (batch.length === 1) return false
        careful = carefulBatches
        raw.begin()
      }
      careful -= 1
      await runWithSavepoints(batch)
      return true
    } catch (cause) {
      failed(batch, cause)
      return false
    }
  }

  /** Commits the open transaction. When that fails: false, and each outcome is the failure. */
  function commit(batch: readonly Commit<Tx, Event>[]): boolean {
    try {
      raw.commit()
      return true
    } catch (cause) {
      failed(batch, cause)
      return false
    }
  }

  function failed(batch: readonly Commit<Tx, Event>[], cause: unknown) {
    failures += 1
    log.error({ err: cause, bodies: batch.length }, 'A batch of commits failed')
    rejectAll(batch, cause)
    try {
      if (database.inTransaction) raw.rollback()
    } catch (error) {
      // The next BEGIN fails then, and its callers are rejected.
      log.error({ err: error }, 'A failed batch could not be rolled back')
    }
  }

  /** True when the open transaction has changed rows. */
  function changed(): boolean {
    const before = changes
    changes = raw.totalChanges()
    return changes !== before
  }

  /** `failures`: batches that could not be committed. */
  return { tx, run, changed, commit, current, failures: () => failures }
}

function rejectAll(batch: readonly Commit<never, unknown>[], cause: unknown): void {
  for (const { attempt } of batch) attempt.outcome = { error: nothingWritten(cause) }
}

/** What a commit rejects with when its transaction was lost for this reason. */
export const nothingWritten = (cause: unknown): CommitFailedError =>
  new CommitFailedError(`The commit failed and wrote nothing: ${messageOf(cause)}`, { cause })

export const newAttempt = <Event>(requestId: string | null): Attempt<Event> => ({
  requestId,
  events: [],
  tables: new Set(),
  arrived: new Map(),
  outcome: null,
})

export const hasSucceeded = ({ outcome }: Attempt<unknown>): boolean => outcome !== null && 'value' in outcome

/** Tells a body's caller its outcome. */
export function answer({ attempt: { outcome }, resolve, reject }: Pick<Commit<never, unknown>, Told>): void {
  if (outcome && 'value' in outcome) resolve(outcome.value)
  else reject(outcome?.error)
}
type Told = 'attempt' | 'resolve' | 'reject'

/** Prepared once: these run for every batch and body. */
function statements(database: Database) {
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    return () => statement.run()
  }
  const totalChanges = database.prepare<[number], []>('SELECT total_changes()')
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
    savepoint: prepare('SAVEPOINT body'),
    release: prepare('RELEASE body'),
    rollbackTo: prepare('ROLLBACK TO body'),
    totalChanges: () => totalChanges.values()[0]?.[0],
  }
}
