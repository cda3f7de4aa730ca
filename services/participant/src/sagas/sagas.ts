import { CallError, createSingleFlight, type Deps, inRequest } from '@bursar/http'
import { every, type Store, type Worker } from '@bursar/store'
import { fail } from '../errors'
import { claimSaga, dueSagas, longestPauseMs, releaseSaga } from './leases'
import { resumeSaga } from './resume-saga'
import { readSaga } from './saga'

/** Carries sagas to their end, also when no caller waits for them any more. */
export interface Sagas {
  /** How often the worker looks for sagas that are due. */
  readonly pollMs: number
  /**
   * Resumes a saga now, and resolves when its effect is stored. Rejects with the answer for its caller: why it failed, or
   * (502, 503, 504) that it has not ended yet and goes on by itself.
   */
  result(id: string): Promise<void>
  /** Resumes all sagas that are due and that no process works on, each once. */
  resumeDue(): Promise<void>
  /** Begins no more steps, and resolves when those under way have ended. */
  stop(): Promise<void>
}

export interface SagaTuning {
  /** How long a caller waits. Below the 10 s after which the server ends a silent connection. */
  waitMs: number
  /** The pause after the first failed attempt; it doubles with each up to `longestPauseMs`. */
  retryMs: number
  /** How often the worker looks for sagas that are due. */
  pollMs: number
}

const defaults: SagaTuning = { waitMs: 8000, retryMs: 1000, pollMs: 1000 }

/** The context of a request of which the id alone is known. */
const ofNoRoute = { path: '', route: null, body: '' }

/** How many sagas the worker resumes at once. */
const sagasAtOnce = 8

/** The saga is another process's at the moment, or this one is stopping. */
class SagaBusyError extends Error {
  override name = 'SagaBusyError'
}

export function createSagas(
  { store, client, log }: Pick<Deps, 'store' | 'client' | 'log'>,
  tuning?: Partial<SagaTuning>,
): Sagas {
  const { waitMs, retryMs, pollMs } = { ...defaults, ...tuning }
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()
  // All that want a saga's end at the same time share its attempt.
  const share = createSingleFlight<void>()

  function attempt(id: string): Promise<void> {
    const shared = share(id, () => runAttempt(id))
    underWay.add(shared)
    const forget = () => underWay.delete(shared)
    shared.then(forget, forget)
    return shared
  }

  async function runAttempt(id: string): Promise<void> {
    const { attempts, requestId, finishedAt } = await readSaga(store.read, id)
    if (finishedAt !== null) return
    if (signal.aborted || !(await store.commit((tx) => claimSaga(tx, id)))) throw new SagaBusyError()
    // The calls and events of a saga carry the id of the request that began it.
    const work = () => resumeSaga({ store, client, signal }, id)
    try {
      await (requestId === null ? work() : inRequest({ ...ofNoRoute, id: requestId }, work))
    } catch (error) {
      const pauseMs = signal.aborted ? 0 : Math.min(retryMs * 2 ** attempts, longestPauseMs)
      const level = error instanceof CallError || error instanceof SagaBusyError ? 'warn' : 'error'
      log[level]({ saga: id, pauseMs, err: error }, 'A saga is resumed later')
      await store.commit((tx) => releaseSaga(tx, id, { attempts: attempts + 1, pauseMs }))
      throw error
    }
  }

  return {
    pollMs,
    async resumeDue() {
      for (let isMore = true; isMore && !signal.aborted; ) {
        const due = await dueSagas(store.read, sagasAtOnce)
        const attempts = await Promise.allSettled(due.map(({ id }) => attempt(id)))
        // Where none succeeds (another service is away, the disk is full) the next look is after a pause.
        isMore = due.length === sagasAtOnce && attempts.some(({ status }) => status === 'fulfilled')
      }
    },
    async result(id) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new SagaBusyError()), waitMs)
      const problem = await Promise.race([attempt(id), late.promise])
        .then(() => null)
        .catch((error: unknown) => error)
      clearTimeout(timer)
      await throwFailure(store, id)
      if (problem !== null) throw withPromise(problem)
    },
    async stop() {
      stopping.abort(new SagaBusyError())
      await Promise.allSettled(underWay)
    },
  }
}

/** Resumes what an earlier run left unfinished, and what had to wait for another service. */
export function sagaWorker({ sagas, log }: Pick<Deps, 'log'> & { sagas: Sagas }): Worker {
  const loop = every(sagas.pollMs, () => sagas.resumeDue(), { log, name: 'The resumption of sagas', firstMs: 0 })
  return {
    async stop() {
      await Promise.all([sagas.stop(), loop.stop()])
    },
  }
}

const kept = 'What was begun is kept and goes on by itself; repeat the request to get its result'

/** Throws why a saga failed, also while its records are being marked deleted. */
async function throwFailure(store: Store, id: string): Promise<void> {
  const { failure } = await readSaga(store.read, id)
  if (failure) throw fail(failure.code, { message: failure.message })
}

/** The answer for a caller whose result has to wait. */
function withPromise(problem: unknown): unknown {
  if (problem instanceof SagaBusyError) return fail('UPSTREAM_TIMEOUT', { message: `This takes long. ${kept}` })
  if (!(problem instanceof CallError)) return problem
  return new CallError(problem.problem, problem.service, `${problem.message}. ${kept}`, problem.status)
}
