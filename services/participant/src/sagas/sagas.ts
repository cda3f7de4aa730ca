import { AppError, CallError, type Deps, failedCall, inRequest } from '@bursar/http'
import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { carryOn } from './carry-on'
import { readSaga, unfinishedSagas } from './saga'

/** Carries sagas to their end, also when nobody waits for them any more. */
export interface Sagas {
  /**
   * Goes on with a saga, now, and resolves when its effect is there. Rejects with what is to be told to the caller: why
   * it failed, or (502, 503, 504) that it is not done yet and goes on by itself.
   */
  result(id: string): Promise<void>
}

export interface SagaTuning {
  /** How long a caller waits. Below the 10 s after which the server ends a silent connection. */
  waitMs: number
  /** The pause after a first attempt that came to nothing; it doubles with each up to the longest. */
  retryMs: number
  longestRetryMs: number
}

const defaults: SagaTuning = { waitMs: 8000, retryMs: 1000, longestRetryMs: 30_000 }

/** Starts with what is unfinished in the store, and ends when that closes. */
export function startSagas(
  { store, client, log }: Pick<Deps, 'store' | 'client' | 'log'>,
  tuning?: Partial<SagaTuning>,
): Sagas {
  const { waitMs, retryMs, longestRetryMs } = { ...defaults, ...tuning }
  const underWay = new Map<string, Promise<void>>()
  const pauses = new Map<string, { timer: Timer | undefined; nextMs: number }>()
  let isOver = false
  store.onClose(() => {
    isOver = true
    for (const { timer } of pauses.values()) clearTimeout(timer)
  })

  /** Who comes while an attempt is under way shares it. */
  function attempt(id: string): Promise<void> {
    const known = underWay.get(id)
    if (known) return known
    clearTimeout(pauses.get(id)?.timer)
    const started = carryOnAsRequest(id).then(
      () => {
        underWay.delete(id)
        pauses.delete(id)
      },
      (error: unknown) => {
        underWay.delete(id)
        again(id, error)
        throw error
      },
    )
    underWay.set(id, started)
    return started
  }

  /** The events and calls of a saga are those of the request that began it. */
  async function carryOnAsRequest(id: string): Promise<void> {
    const { requestId } = await readSaga(store.read, id)
    const work = () => carryOn({ store, client }, id)
    await (requestId === null ? work() : inRequest({ id: requestId, path: '', route: null, body: '' }, work))
  }

  function again(id: string, error: unknown): void {
    if (isOver) return
    const pauseMs = pauses.get(id)?.nextMs ?? retryMs
    const level = error instanceof CallError ? 'warn' : 'error'
    log[level]({ saga: id, pauseMs, err: error }, 'a saga will be tried again')
    const timer = setTimeout(() => void attempt(id).catch(() => {}), pauseMs)
    pauses.set(id, { timer, nextMs: Math.min(pauseMs * 2, longestRetryMs) })
  }

  async function resume(): Promise<void> {
    for (const { id } of await unfinishedSagas(store.read)) {
      if (!isOver) await attempt(id).catch(() => {})
    }
  }
  resume().catch((error: unknown) => log.error({ err: error }, 'unfinished sagas could not be read'))

  return {
    async result(id) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(fail('UPSTREAM_TIMEOUT', { message: `This takes long. ${kept}` })),
        waitMs,
      )
      const problem = await Promise.race([attempt(id), late.promise])
        .then(() => null)
        .catch((error: unknown) => error)
      clearTimeout(timer)
      await throwFailure(store, id)
      if (problem !== null) throw notYet(problem)
    },
  }
}

const kept = 'What was begun is kept and goes on by itself; repeat the request to get its result'

/** Throws why a saga failed, also while its traces are still being removed. */
async function throwFailure(store: Store, id: string): Promise<void> {
  const { failure } = await readSaga(store.read, id)
  if (failure) throw fail(failure.code, { message: failure.message })
}

/** What a caller is told when the result has to wait. */
function notYet(problem: unknown): unknown {
  if (!(problem instanceof CallError)) return problem
  const error = failedCall(problem)
  if (!(error instanceof AppError)) return error
  return new AppError(error.code, error.status, `${error.message}. ${kept}`, { cause: problem })
}
