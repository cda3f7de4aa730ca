// One transaction of bodies that run at the same time, from BEGIN to its end.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attempt, type Commit, newAttempt } from '../engine/commit-batch'
import { OutsideCommitError, UnknownOutcomeError } from '../engine/errors'
import type { Access, Answer } from '../statements/server'
import type { LaneGuard } from './guard'
import { isLost, type Pool, stateOf, type Taken } from './pool'

/** A body on its way, and what it contends for. */
export interface Entry<Tx, Event> extends Omit<Commit<Tx, Event>, 'isMadeUpFor' | 'callers'> {
  /** None: with everything. */
  readonly keys: ReadonlySet<string>
}

/** A body in its transaction. */
interface Lane {
  readonly connection: Taken
  readonly keys: ReadonlySet<string>
  /** Null where the body is alone. */
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
  /** Writes what the transaction says of its bodies; null when there is nothing to say. */
  end: (tx: Tx, attempts: readonly Attempt<Event>[]) => Promise<unknown> | null
  guard: (keys: ReadonlySet<string>) => LaneGuard
}

/** The body that calls. */
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
      return await lane.connection.run(text, values)
    },
  }
}

/** Runs a transaction of bodies; each has its outcome then. */
export const laneTransaction = <Tx, Event>(
  options: TransactionOptions<Tx, Event>,
  { enter }: Pick<ReturnType<typeof laneBodies<Event>>, 'enter'>,
) => {
  /** One transaction. Rejects when nobody can know, or nothing can be done: with what all are rejected with. */
  async function attemptAll(batch: readonly Entry<Tx, Event>[]): Promise<Outcome> {
    const connection = await options.pool.take()
    let isOver = false
    try {
      const begun = connection.run('BEGIN ISOLATION LEVEL SERIALIZABLE')
      const outcome = await runBodies(batch, connection, begun)
      if (outcome !== null) {
        await connection.run('ROLLBACK')
        isOver = true
        return outcome
      }
      const committed = await commitOn(connection)
      isOver = true
      return committed
    } finally {
      if (isOver) connection.release()
      else connection.drop()
    }
  }

  /** Null when the transaction can be committed. Waits for all bodies, also when one throws: they share the connection. */
  async function runBodies(
    batch: readonly Entry<Tx, Event>[],
    connection: Taken,
    begun: Promise<unknown>,
  ): Promise<Outcome | null> {
    const isTogether = batch.length > 1
    const guard = isTogether ? options.guard(new Set(batch.flatMap(({ keys }) => [...keys]))) : null
    await Promise.all([begun, ...batch.map((entry) => runBody(entry, connection, guard))])
    const errors = batch.flatMap(({ attempt: { outcome } }) => (outcome && 'error' in outcome ? [outcome.error] : []))
    if (errors.some(isLost)) throw errors.find(isLost)
    if (errors.length === 0) return await runEnd(batch, connection)
    if (errors.some(isConflict)) return 'conflict'
    if (isTogether) return 'alone'
    if (errors.some((error) => stateOf(error) === '23505')) return 'double'
    return 'failed'
  }

  async function runEnd(batch: readonly Entry<Tx, Event>[], connection: Taken): Promise<Outcome | null> {
    const attempt = newAttempt<Event>(null)
    const attempts = batch.map((entry) => entry.attempt)
    try {
      await enter({ connection, keys: new Set(), guard: null, attempt }, async () =>
        options.end(options.tx(), attempts),
      )
      return null
    } catch (error) {
      if (isConflict(error)) return 'conflict'
      throw error
    }
  }

  async function runBody(entry: Entry<Tx, Event>, connection: Taken, guard: LaneGuard | null): Promise<void> {
    const attempt = newAttempt<Event>(entry.requestId)
    entry.attempt = attempt
    const lane = { connection, keys: entry.keys, guard, attempt }
    try {
      const value = await entry.within(() => enter(lane, async () => await entry.body(options.tx())))
      attempt.outcome = { value }
    } catch (error) {
      attempt.outcome = { error }
    }
  }

  return attemptAll
}

async function commitOn(connection: Taken): Promise<Outcome> {
  try {
    await connection.run('COMMIT')
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
