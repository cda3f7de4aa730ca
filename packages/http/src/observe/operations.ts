import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Bus } from '@bursar/bus'
import { eventCatalogue } from '@bursar/contracts/event'
import type { DeadLetterRetry, DeadLetters, Operations as Figures, KeyState } from '@bursar/contracts/operations'
import type { ServiceName } from '@bursar/contracts/services'
import { namesInOutbox, type OpenStore, oldestEventAt, type Relay } from '@bursar/store'
import { failCommon } from '../errors/errors'
import type { Health } from './health'
import type { Metrics } from './metrics'
import { stamp } from './stamp'

/** What a running service offers operators. */
export type Operations = ReturnType<typeof createOperations>

/** Where the figures come from. */
interface OperationSources {
  name: ServiceName
  version: string
  health: Health
  metrics: Pick<Metrics, 'figures' | 'text'>
  relay: Pick<Relay, 'depth' | 'problem'>
  bus: Pick<Bus, 'depth' | 'deadLetters' | 'listDeadLetters' | 'retryDeadLetter'>
  store: Pick<OpenStore, 'read' | 'size'>
  /** The database file, or where it would be. */
  file: string
  /** The names of the events that it consumes. */
  consumers: () => readonly string[]
  keys?: () => KeyState[]
}

const mostListed = 100
const longestError = 500
const expired = 'The dead letter is older than 30 days: nobody knows whether it was acted on, and it is not retried'

export function createOperations(sources: OperationSources) {
  const { name, version, health, metrics, bus, store, file } = sources
  const startedAt = stamp()
  return {
    /** Its state. Figures that are not available now are null. */
    async read(): Promise<Figures> {
      const [{ checks, failures, waiting = [] }, figures, outbox, depth, deadLetters, database] = await Promise.all([
        health.read(),
        metrics.figures(),
        outboxOf(sources),
        orNull(bus.depth()),
        orNull(bus.deadLetters()),
        orNull(store.size()),
      ])
      return {
        service: name,
        version,
        startedAt,
        checks: [...checks],
        failures,
        waiting: [...waiting],
        figures: ownOf(figures),
        outbox,
        queue: { depth, deadLetters },
        consumers: [...sources.consumers()],
        database,
        diskFreeBytes: diskFree(dirname(file)),
      }
    },
    /** The answer of GET /metrics. */
    metrics: () => metrics.text(),
    /** Its keys, and whether what it keeps is sealed by the newest. */
    keys: () => sources.keys?.() ?? [],
    /** Its dead letters, newest first. Fails with 503 while Redis does not answer. */
    async deadLetters(): Promise<DeadLetters> {
      const [total, letters] = await answered(Promise.all([bus.deadLetters(), bus.listDeadLetters(mostListed)]))
      const items = letters.map(({ id, events, attempts, reason, failedAt }) => ({
        id,
        consumer: name,
        events: (events ?? []).map((event) => ({ id: String(event.id), name: String(event.name) })),
        attempts,
        error: reason.slice(0, longestError),
        at: failedAt,
      }))
      return { total, items }
    },
    /** Puts a dead letter back on the queue. Fails with 404 when there is none, or it is older than 30 days, 503 while Redis does not answer. */
    async retry(id: string): Promise<DeadLetterRetry> {
      const state = await answered(bus.retryDeadLetter(id))
      if (state === 'missing') throw failCommon('NOT_FOUND', { message: 'There is no such dead letter' })
      if (state === 'expired') throw failCommon('NOT_FOUND', { message: expired })
      return { id, state }
    },
  }
}

/** Checks that every service has, and that the answer reports elsewhere. */
const common = /^(process_|bursar_(outbox|queue|dead_letters|disk|commit_failures))/

const ownOf = (figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => !common.test(name)))

async function outboxOf({ relay, store }: OperationSources): Promise<Figures['outbox']> {
  const waiting = relay.depth()
  // Published events stay for some seconds and are not backlog.
  if (waiting === 0) return { waiting, oldestAt: null, problem: null, unknown: [] }
  const [oldest, names] = await Promise.all([oldestEventAt(store.read), namesInOutbox(store.read)])
  const unknown = names.filter((event) => !eventCatalogue.has(event.name))
  return {
    waiting,
    oldestAt: oldest?.toISOString() ?? null,
    problem: relay.problem()?.slice(0, longestError) ?? null,
    unknown: unknown.map((event) => ({ ...event, oldestAt: event.oldestAt.toISOString() })),
  }
}

const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null)

/** The answer of the bus; fails with 503 while Redis does not answer. */
const answered = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause: unknown) => {
    throw failCommon('SERVICE_UNAVAILABLE', { message: 'Redis does not answer right now', cause })
  })

/** The free bytes of a folder's disk; null if the system reports none. */
export function diskFree(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
