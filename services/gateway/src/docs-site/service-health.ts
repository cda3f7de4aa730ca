import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import { type ServiceName, services } from '@bursar/contracts/services'
import { type Client, createSingleFlight, isCallError } from '@bursar/http'

/** How a service fares: `ok`, `error` where something that it needs is not usable, `away` where it does not answer. */
export interface ServiceHealth {
  name: ServiceName
  slug: string
  status: 'ok' | 'error' | 'away'
  /** How long its answer took. */
  ms: number
}

const keptMs = 2000
const timeoutMs = 1500

/** The services behind the gateway. */
export const behind = (Object.keys(services) as ServiceName[]).filter((name) => name !== 'gateway')

/** Asks every service for its health; at most every two seconds, however many look. */
export function createHealthOverview(client: Client, now: () => number = Date.now): () => Promise<ServiceHealth[]> {
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
