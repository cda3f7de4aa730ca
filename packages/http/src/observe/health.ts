import { messageOf } from '@bursar/contracts/log'
import { t } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import { response } from '../routes/response'
import { stamp } from './stamp'

/** What a service needs to do its work: each resolves when usable and rejects with the reason when not. */
export type Checks = Record<string, () => Promise<void>>

/** A check for work that needs a person: a sentence with the command to use, or null. */
export type Waits = Record<string, () => Promise<string | null>>

export interface Health {
  /** Runs every check; never rejects. */
  read(): Promise<HealthResult>
  /** The body in the service's own form. */
  body(result: HealthResult): Record<string, unknown>
}

interface HealthResult {
  healthy: boolean
  /** The names of all checks. */
  checks: readonly string[]
  /** The reasons of those that failed, by their names. */
  failures: Record<string, string>
  /** Sentences about work that needs a person; the service keeps working. */
  waiting?: readonly string[]
  /** The names of the waits that they are of, in the same order. */
  kinds?: readonly string[]
  /** The errors of those that could not be read, by their names. They are for the log: health is public. */
  unread?: Readonly<Record<string, unknown>>
}

/** Runs all checks concurrently; those that fail are in the order of the checks. */
export async function runChecks(checks: Checks, waits: Waits = {}): Promise<HealthResult> {
  const names = Object.keys(checks)
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
  const failures = Object.fromEntries(
    results.flatMap((result, i) => (result.status === 'rejected' ? [[names[i], messageOf(result.reason)]] : [])),
  )
  const healthy = Object.keys(failures).length === 0
  return { healthy, checks: names, failures, ...(healthy ? await waitingNow(waits) : {}) }
}

/** What cannot be read may wait. */
async function waitingNow(waits: Waits): Promise<Pick<HealthResult, 'waiting' | 'kinds' | 'unread'>> {
  const unread: Record<string, unknown> = {}
  const sentenceOf = (name: string, read: Waits[string]) =>
    read().catch((error: unknown) => {
      unread[name] = error
      return `Whether something waits for a person cannot be read (${name}): the log says why`
    })
  const found = await Promise.all(
    Object.entries(waits).map(async ([kind, read]) => ({ kind, sentence: await sentenceOf(kind, read) })),
  )
  const told = found.flatMap(({ kind, sentence }) => (sentence === null ? [] : [{ kind, sentence }]))
  return { waiting: told.map(({ sentence }) => sentence), kinds: told.map(({ kind }) => kind), unread }
}

/**
 * The form of all services but the tracker (decisions, Health): `{status, timestamp, service, version, error?}`; what
 * waits for a person makes it `degraded`, with `waiting`.
 */
export const plainHealth = (service: string, version: string, checks: Checks, waits: Waits = {}): Health => ({
  read: () => runChecks(checks, waits),
  body: ({ healthy, failures, waiting = [] }) => {
    const base = { timestamp: stamp(), service, version }
    if (!healthy) return { status: 'error', ...base, error: inWords(failures) }
    return waiting.length > 0 ? { status: 'degraded', ...base, waiting } : { status: 'ok', ...base }
  },
})

const inWords = (failures: Record<string, string>): string =>
  Object.entries(failures)
    .map(([name, reason]) => `${name}: ${reason}`)
    .join('; ')

const HealthBody = t.Object(
  {
    status: t.String({
      description:
        '`ok`; `degraded` where something waits for a person (`waiting`); `error` where something that it needs is not usable',
    }),
    timestamp: t.String(),
  },
  { additionalProperties: t.Unknown(), title: 'Health' },
)

/** `log-tracker` → `getLogTrackerHealth`: operation ids are unique across services. */
const operationIdOf = (service: string): string =>
  `get-${service}-health`.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** The routes that a service answers about its health. */
export const healthPaths: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready'])

/**
 * GET /health: 200 when everything is usable, else 503. For whoever starts and balances services: GET /health/live is
 * 200 as soon as the process answers, GET /health/ready is 200 while `ready` passes, else 503.
 */
export const healthRoutes = (health: Health, ready: Checks | undefined, service: string) =>
  new Elysia({ tags: ['Operation'] })
    .get(
      '/health',
      async ({ status }) => {
        const result = await health.read()
        return status(result.healthy ? 200 : 503, health.body(result) as { status: string; timestamp: string })
      },
      {
        response: { 200: response(HealthBody), 503: response(HealthBody) },
        detail: { operationId: operationIdOf(service), summary: 'Whether the service can do its work' },
      },
    )
    .get('/health/live', () => ({ status: 'ok', timestamp: stamp() }), hidden)
    .get(
      '/health/ready',
      async ({ status }) => {
        const { healthy, failures } = await (ready ? runChecks(ready) : health.read())
        const timestamp = stamp()
        return healthy
          ? { status: 'ok', timestamp }
          : status(503, { status: 'error', timestamp, error: inWords(failures) })
      },
      hidden,
    )

const hidden = { detail: { hide: true } }
