// One transaction of bodies that run at the same time, from BEGIN to its end.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attempt, type Commit, hasSucceeded, newAttempt } from '../engine/commit-batch'
import { OutsideCommitError, UnknownOutcomeError } from '../engine/errors'
import type { Access, Answer } from '../statements/server'
import type { LaneGuard } from './guard'
import { isLost, type Pool, stateOf, type Taken } from './pool'

/** A waiting or running body, and the keys it contends for. */
export interface Entry<Tx, Event> extends Omit<Commit<Tx, Event>, 'isMadeUpFor' | 'callers'> {
  /** None: it contends with all others. */
  readonly keys: ReadonlySet<string>
}

/** A connection with an open transaction. */
interface Line extends Pick<Taken, 'run'> {
  /** The first statement's failure, after which the server refuses all others; null if there is none. */
  failure(): unknown
}

/** A body in its transaction. */
interface Lane {
  readonly line: Line
  readonly keys: ReadonlySet<string>
  /** Null if the body is alone. */
  readonly guard: LaneGuard | null
  readonly attempt: Attempt<unknown>
}

/**
 * `conflict`: another transaction kept this one from its end; `double`: the only body made a row that is there already;
 * `alone`: one of several threw, or did what it may not do beside others; `failed`: the only body threw.
 */
export type Outcome = 'committed' | 'conflict' | 'double' | 'alone' | 'failed'

export interface TransactionOptions<Tx, Event> {
  pool: Pool
  tx: () => Tx
  /** Writes the transaction's own rows about its bodies, by at most one statement: COMMIT is sent right behind it. */
  end: (tx: Tx, attempts: readonly Attempt<Event>[]) => Promise<unknown> | null
  guard: (keys: ReadonlySet<string>) => LaneGuard
}

/** The calling body. */
export function laneBodies<Event>() {
  const lanes = new AsyncLocalStorage<Lane>()
  const current = (): Lane | null => {
    const lane = lanes.getStore()
    return lane && lane.attempt.outcome === null ? lane : null
  }
  return {
    enter: <R>(lane: Lane, run: () => R): R => lanes.run(lane, run),
    attempt: () => (current()?.attempt as Attempt<Event> | undefined) ?? null,
    /** Runs a statement of the body that calls it. */
    async run(text: string, values: readonly unknown[], access: Access): Promise<Answer> {
      const lane = current()
      if (!lane) throw new OutsideCommitError('A tx was used outside its commit')
      if (access.writes !== null) lane.attempt.tables.add(access.writes)
      lane.guard?.check(lane.keys, access, values)
      return await lane.line.run(text, values)
    },
  }
}

/** Runs a transaction of bodies, and records the outcome of each. */
export const laneTransaction = <Tx, Event>(
  options: TransactionOptions<Tx, Event>,
  { enter }: Pick<ReturnType<typeof laneBodies<Event>>, 'enter'>,
) => {
  /** One transaction. Rejects if its outcome is unknown, or nothing can be done, with the error for all bodies. */
  async function attemptAll(batch: readonly Entry<Tx, Event>[]): Promise<Outcome> {
    const connection = await options.pool.take()
    let isOver = false
    try {
      const line = lineOn(connection)
      const begun = line.run('BEGIN ISOLATION LEVEL SERIALIZABLE')
      const outcome = await runBodies(batch, line, begun)
      if (outcome !== null) await connection.run('ROLLBACK')
      const ended = outcome ?? (await endOn(batch, line))
      isOver = true
      return ended
    } finally {
      if (isOver) connection.release()
      else connection.drop()
    }
  }

  /**
   * Runs all bodies; null if the transaction can be committed. Waits for all of them, also when one throws: they share
   * the connection.
   */
  async function runBodies(
    batch: readonly Entry<Tx, Event>[],
    line: Line,
    begun: Promise<unknown>,
  ): Promise<Outcome | null> {
    const isTogether = batch.length > 1
    const guard = isTogether ? options.guard(new Set(batch.flatMap(({ keys }) => [...keys]))) : null
    await Promise.all([begun, ...batch.map((entry) => runBody(entry, line, guard))])
    const failure = line.failure()
    if (failure === null && batch.every(({ attempt }) => hasSucceeded(attempt))) return null
    if (isLost(failure)) throw failure
    if (isConflict(failure)) return 'conflict'
    if (isTogether) return 'alone'
    if (failure !== null) putInstead(batch[0]?.attempt, failure)
    return stateOf(failure) === '23505' ? 'double' : 'failed'
  }

  /** Sends COMMIT behind the statement that ends the transaction: when that fails, the server rolls all back instead. */
  async function endOn(batch: readonly Entry<Tx, Event>[], line: Line): Promise<Outcome> {
    const attempt = newAttempt<Event>(null)
    const attempts = batch.map((entry) => entry.attempt)
    const lane = { line, keys: new Set<string>(), guard: null, attempt }
    const ending = enter(lane, () => options.end(options.tx(), attempts))
    // Later statements of the body would come after COMMIT.
    attempt.outcome = { value: null }
    const [ended, committed] = await Promise.allSettled([ending, commitOn(line)])
    if (committed.status === 'rejected') throw committed.reason
    if (ended.status === 'fulfilled') return committed.value
    if (isConflict(ended.reason)) return 'conflict'
    throw ended.reason
  }

  async function runBody(entry: Entry<Tx, Event>, line: Line, guard: LaneGuard | null): Promise<void> {
    const attempt = newAttempt<Event>(entry.requestId)
    entry.attempt = attempt
    const lane = { line, keys: entry.keys, guard, attempt }
    try {
      const value = await entry.within(() => enter(lane, async () => await entry.body(options.tx())))
      attempt.outcome = { value }
    } catch (error) {
      attempt.outcome = { error }
    }
  }

  return attemptAll
}

function lineOn(connection: Taken): Line {
  let failure: unknown = null
  return {
    async run(text, values) {
      try {
        return await connection.run(text, values)
      } catch (error) {
        failure ??= error
        throw error
      }
    },
    failure: () => failure,
  }
}

/** The error of a body whose statement failed: the cause, not the refusal of the statements behind it. */
function putInstead(attempt: Attempt<unknown> | undefined, failure: unknown): void {
  const { outcome } = attempt ?? {}
  const isRefused = outcome && 'error' in outcome && stateOf(outcome.error) === '25P02'
  if (attempt && (isRefused || (outcome && 'value' in outcome))) attempt.outcome = { error: failure }
}

async function commitOn(line: Line): Promise<Outcome> {
  try {
    await line.run('COMMIT')
    return 'committed'
  } catch (error) {
    if (isConflict(error)) return 'conflict'
    // The server may have done it before the connection was lost.
    if (isLost(error))
      throw new UnknownOutcomeError('The connection was lost while the commit was under way', { cause: error })
    throw error
  }
}

/** Another transaction kept this one from its end: serialization failure, deadlock. */
const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(stateOf(error) ?? '')
