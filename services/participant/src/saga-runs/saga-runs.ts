import { messageOf } from '@bursar/contracts/log'
import { CallError, createSingleFlight, type Deps, inRequest, isCallError } from '@bursar/http'
import {
  and,
  type Claimed,
  count,
  type Db,
  doubling,
  gte,
  isNotNull,
  LeaseLostError,
  prepared,
  type Store,
  type WorkLoop,
  type WorkQueue,
  workOn,
  workQueue,
} from '@bursar/store'
import { fail } from '../errors'
import { readSaga, type SagaRow } from '../sagas/saga'
import { sagas } from '../sagas/sagas.table'
import { createHold } from './hold'
import { resumeSaga } from './resume-saga'

/** Completes sagas, also when no caller waits for them any more. */
export interface Sagas {
  /**
   * The lease lets a process work on a saga without finishing a step for longer than the calls of a step can take.
   * After a crash the saga waits until the lease expires.
   */
  readonly queue: WorkQueue<SagaRow>
  /** How often the worker looks for sagas that are due. */
  readonly pollMs: number
  /**
   * Resumes a saga now, and resolves when its effect is stored. Rejects with the answer for its caller: why it failed,
   * or (502, 503, 504) that it has not ended yet and continues in the background.
   */
  result(id: string): Promise<void>
  /** Runs a leased saga once. Returns null when the saga has ended, else the error for which it will be retried. */
  attempt(saga: Claimed<SagaRow>): Promise<unknown>
  /** Starts no further steps, and resolves when the running ones have ended. */
  stop(): Promise<void>
}

export interface SagaTuning {
  /** How long a caller waits. Below the 10 s after which the server closes an idle connection. */
  waitMs: number
  /** The pause after the first failed attempt; it doubles with each up to `longestPauseMs`. */
  retryMs: number
  /** How often the worker looks for sagas that are due. */
  pollMs: number
}

const defaults: SagaTuning = { waitMs: 8000, retryMs: 1000, pollMs: 1000 }

/** Longer than the calls of a step can take together. */
const leaseMs = 30_000
/** The longest pause between two attempts. */
export const longestPauseMs = 30_000

/** The context of a request of which only the id is known. */
const ofNoRoute = { path: '', route: null, body: '' }

/** Of what the row keeps of a failure; the log has all of it. */
const longestReason = 500

/** Sagas that the worker resumes concurrently. */
const sagasAtOnce = 8

/** Another process has leased the saga, or this one is stopping. */
class SagaBusyError extends Error {
  override name = 'SagaBusyError'
}

type SagaDeps = Pick<Deps, 'store' | 'client' | 'log'> & { now: () => Date }

export function createSagas({ store, client, log, now }: SagaDeps, tuning?: Partial<SagaTuning>): Sagas {
  const { waitMs, retryMs, pollMs } = { ...defaults, ...tuning }
  // Each saga is its own lane, so that a waiting caller can claim it.
  const queue = workQueue(sagas, { id: 'id', lane: 'id', leaseMs, backoff: doubling(retryMs, longestPauseMs) })
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<string, Promise<unknown>>()
  // Concurrent callers that wait for a saga share its attempt.
  const share = createSingleFlight<void>()

  function attempt(saga: Claimed<SagaRow>): Promise<unknown> {
    const attempted = carryOut(saga).finally(() => underWay.delete(saga.id))
    underWay.set(saga.id, attempted)
    return attempted
  }

  async function carryOut(saga: Claimed<SagaRow>): Promise<unknown> {
    const { id, requestId } = saga
    const hold = createHold({ store, queue, now }, saga)
    // The calls and events of a saga carry the id of the request that started it.
    const work = () => resumeSaga({ store, client, signal, now, hold }, id)
    try {
      await (requestId === null ? work() : inRequest({ ...ofNoRoute, id: requestId }, work))
      return null
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      const level = isCallError(error) || error instanceof SagaBusyError ? 'warn' : 'error'
      const reason = messageOf(error).slice(0, longestReason)
      // Once for each reason: it is tried twice a minute.
      if (saga.lastError !== reason) log[level]({ saga: id, err: error }, 'A saga will be retried later')
      await hold.giveBack((tx, held) =>
        signal.aborted
          ? queue.finish(tx, [held], { dueAt: now() })
          : queue.reschedule(tx, held, { now: now(), error: reason }),
      )
      return error
    }
  }

  async function resume(id: string): Promise<void> {
    const { finishedAt, dueAt, leasedUntil } = await readSaga(store.read, id)
    if (finishedAt !== null) return
    if (signal.aborted) throw new SagaBusyError()
    // A waiting caller skips the pause after a failure.
    if (leasedUntil === null && dueAt !== null && dueAt > now()) await store.commit((tx) => queue.wake(tx, id, now()))
    const [saga] = await queue.claim(store, { now: now(), limit: 1, lane: id })
    const attempted = saga ? attempt(saga) : underWay.get(id)
    if (!attempted) throw new SagaBusyError()
    const problem = await attempted
    if (problem !== null) throw problem
  }

  return {
    queue,
    pollMs,
    attempt,
    async result(id) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new SagaBusyError()), waitMs)
      const problem = await Promise.race([share(id, () => resume(id)), late.promise])
        .then(() => null)
        .catch((error: unknown) => error)
      clearTimeout(timer)
      await throwFailure(store, id)
      if (problem !== null) throw withPromise(problem)
    },
    async stop() {
      stopping.abort(new SagaBusyError())
      await Promise.allSettled(underWay.values())
    },
  }
}

/** Resumes sagas left unfinished by an earlier run, and those that waited for another service. */
export function sagaWorker({ sagas, store, log, now }: SagaDeps & { sagas: Sagas }): WorkLoop {
  const loop = workOn(sagas.queue, {
    store,
    now,
    log,
    name: 'Resuming sagas',
    handle: async ([saga]) => {
      if (saga) await sagas.attempt(saga)
    },
    places: sagasAtOnce,
    batch: 1,
    lookMs: sagas.pollMs,
  })
  return {
    ...loop,
    async stop() {
      await Promise.all([sagas.stop(), loop.stop()])
    },
  }
}

/** Attempts of some minutes. */
const manyAttempts = 20

/** The health sentence about sagas that do not go on; null for none. Without their reasons, because health is public. */
export async function stuckSentence(db: Db): Promise<string | null> {
  const [{ sagas: stuck } = { sagas: 0 }] = await stuckSagas(db).execute()
  if (stuck === 0) return null
  const which = stuck === 1 ? '1 institution is' : `${stuck} institutions are`
  return `${which} not made or changed as asked, though it was tried ${manyAttempts} times: the log of this service says why`
}

const stuckSagas = prepared((db) =>
  db
    .select({ sagas: count() })
    .from(sagas)
    .where(and(isNotNull(sagas.dueAt), gte(sagas.attempts, manyAttempts))),
)

const kept = 'It is stored and continues in the background; repeat the request to get its result'

/** Throws why a saga failed, also while its records are being marked deleted. */
async function throwFailure(store: Store, id: string): Promise<void> {
  const { failure } = await readSaga(store.read, id)
  if (failure) throw fail(failure.code, { message: failure.message })
}

/** The answer for a caller whose result is not ready. */
function withPromise(problem: unknown): unknown {
  const isBusy = problem instanceof SagaBusyError || problem instanceof LeaseLostError
  if (isBusy) return fail('UPSTREAM_TIMEOUT', { message: `This takes long. ${kept}` })
  if (!isCallError(problem)) return problem
  return new CallError(problem.problem, problem.service, `${problem.message}. ${kept}`, problem.status)
}
