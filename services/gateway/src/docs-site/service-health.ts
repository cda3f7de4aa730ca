import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import { type ServiceName, services } from '@bursar/contracts/services'
import { type Client, createSingleFlight, isCallError } from '@bursar/http'

/** The health of a service: `ok`, `error` if a dependency is unusable, `away` if it does not answer. */
export interface ServiceHealth {
  name: ServiceName
  slug: string
  status: 'ok' | 'error' | 'away'
  /** The duration of its answer. */
  ms: number
}

const keptMs = 2000
const timeoutMs = 1500

/** The services behind the gateway. */
export const behind = (Object.keys(services) as ServiceName[]).filter((name) => name !== 'gateway')

/** Queries every service's health, at most every two seconds for all viewers. */
export function createHealthOverview(client: Client, now: () => number): () => Promise<ServiceHealth[]> {
  const once = createSingleFlight<ServiceHealth[]>()
  let last: { at: number; found: ServiceHealth[] } | undefined
  return async () => {
    if (last && now() - last.at < keptMs) return last.found
    return await once('all', async () => {
      const found = await Promise.all(behind.map((name) => healthOf(client, name)))
      last = { at: now(), found }
      return found
    })
  }
}

async function healthOf(client: Client, name: ServiceName): Promise<ServiceHealth> {
  const started = performance.now()
  const status = await client.call(readCall(name, 'GET', '/health', t.Unknown()), { timeoutMs }).then(
    () => 'ok' as const,
    (error: unknown) => (isCallError(error) && error.problem === 'refused' ? 'error' : 'away'),
  )
  return { name, slug: services[name].slug, status, ms: Math.round(performance.now() - started) }
}
