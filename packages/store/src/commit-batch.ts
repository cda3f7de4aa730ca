import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '@bursar/contracts/log'
import { CommitFailedError, OutsideCommitError } from './errors'
import type { Guard } from './statements'

const slowBodyMs = 1000

/** One body on its way through the queue. `events` is what it has emitted so far. */
export interface Commit<Tx, Event> {
  readonly body: (tx: Tx) => Promise<unknown>
  readonly requestId: string | null
  /** Runs something in the caller's asynchronous context, so that what a body logs bears its request's id. */
  readonly within: <R>(run: () => R) => R
  readonly events: Event[]
  /** The tables it has written to. */
  readonly tables: Set<string>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  outcome: { value: unknown } | { error: unknown } | null
}

export interface BatchRunner<Tx, Event> {
  readonly tx: Tx
  /** Runs all bodies in one transaction and notes each one's outcome. Never rejects. */
  run(batch: readonly Commit<Tx, Event>[]): Promise<void>
  /** The commit whose body is running and called this; null when no body did. */
  current(): Commit<Tx, Event> | null
}

/**
 * Runs batches on the writing connection: BEGIN IMMEDIATE, the bodies one after another with a savepoint each, COMMIT.
 * `connect` makes what bodies write with; it calls `guard` before each statement, which throws outside a transaction.
 */
export function batchRunner<Tx, Event>(
  database: Database,
  connect: (guard: Guard) => Tx,
  log: Log,
): BatchRunner<Tx, Event> {
  const raw = statements(database)
  const context = new AsyncLocalStorage<Commit<Tx, Event>>()
  let running: Commit<Tx, Event> | null = null
  const current = () => (running && context.getStore() === running ? running : null)

  // A body may swallow the error with which SQLite ended the transaction (a full disk does): what it wrote then would be
  // committed, each statement by itself. And a call that a body forgot to await would write into its neighbour's part.
  const tx = connect((writesTo) => {
    const commit = current()
    if (!commit) throw new OutsideCommitError('A tx was used outside its commit')
    if (!database.inTransaction) throw new OutsideCommitError('The transaction has ended')
    if (writesTo !== null) commit.tables.add(writesTo)
  })

  async function runBody(entry: Commit<Tx, Event>) {
    const started = performance.now()
    raw.savepoint()
    running = entry
    try {
      entry.outcome = { value: await entry.within(() => context.run(entry, entry.body, tx)) }
    } catch (error) {
      // The whole transaction may be gone, and with it what the neighbours wrote.
      if (!database.inTransaction) throw error
      entry.outcome = { error }
      raw.rollbackTo()
    } finally {
      running = null
    }
    raw.release()
    const tookMs = Math.round(performance.now() - started)
    if (tookMs > slowBodyMs) log.warn({ tookMs, requestId: entry.requestId }, 'A commit body held the writer')
  }

  async function run(batch: readonly Commit<Tx, Event>[]) {
    try {
      raw.begin()
      for (const entry of batch) await runBody(entry)
      raw.commit()
    } catch (cause) {
      log.error({ err: cause, bodies: batch.length }, 'A batch of commits failed')
      fail(batch, cause)
      rollBack()
    }
  }

  function rollBack() {
    try {
      if (database.inTransaction) raw.rollback()
    } catch (error) {
      // The next BEGIN fails then, and says so to its callers.
      log.error({ err: error }, 'A failed batch could not be rolled back')
    }
  }

  return { tx, run, current }
}

function fail<Tx, Event>(batch: readonly Commit<Tx, Event>[], cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  for (const entry of batch) {
    entry.outcome = { error: new CommitFailedError(`The commit failed and wrote nothing: ${reason}`, { cause }) }
  }
}

/** Prepared once: these run for every batch and body. */
function statements(database: Database) {
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    return () => statement.run()
  }
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
    savepoint: prepare('SAVEPOINT body'),
    release: prepare('RELEASE body'),
    rollbackTo: prepare('ROLLBACK TO body'),
  }
}
