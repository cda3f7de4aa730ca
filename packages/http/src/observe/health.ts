import { t } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import { response } from '../routes/response'

/** What a service needs to do its work: each resolves when usable and rejects with the reason when not. */
export type Checks = Record<string, () => Promise<void>>

export interface Health {
  /** Asks every check; never rejects. */
  read(): Promise<HealthResult>
  /** The body in the service's own form. */
  body(result: HealthResult): Record<string, unknown>
}

export interface HealthResult {
  healthy: boolean
  /** The names of all checks. */
  checks: readonly string[]
  /** The reasons of those that failed, by their names. */
  failures: Record<string, string>
}

/** Runs all checks side by side. */
export async function runChecks(checks: Checks): Promise<HealthResult> {
  const failures: Record<string, string> = {}
  await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check().catch((error: unknown) => {
        failures[name] = error instanceof Error ? error.message : String(error)
      }),
    ),
  )
  return { healthy: Object.keys(failures).length === 0, checks: Object.keys(checks), failures }
}

/** The form of all services but the tracker (decisions, Health): `{status, timestamp, service, version, error?}`. */
export const plainHealth = (service: string, version: string, checks: Checks): Health => ({
  read: () => runChecks(checks),
  body: ({ healthy, failures }) => ({
    status: healthy ? 'ok' : 'error',
    timestamp: new Date().toISOString(),
    service,
    version,
    ...(healthy
      ? {}
      : {
          error: Object.entries(failures)
            .map(([name, reason]) => `${name}: ${reason}`)
            .join('; '),
        }),
  }),
})

const HealthBody = t.Object(
  {
    status: t.String({ description: '`ok`, or `error` where something that the service needs is not usable' }),
    timestamp: t.String(),
  },
  { additionalProperties: t.Unknown(), title: 'Health' },
)

/** `log-tracker` → `getLogTrackerHealth`: no two services have an operation of one name. */
const operationIdOf = (service: string): string =>
  `get-${service}-health`.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** GET /health: 200 when everything is usable, else 503. */
export const healthRoute = (health: Health, service: string) =>
  new Elysia({ tags: ['Operation'] }).get(
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
