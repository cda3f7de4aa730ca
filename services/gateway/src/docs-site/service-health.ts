import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { type Client, isCallError } from '@bursar/http'
import { createLookUp } from '../bounded-cache'
import type { InstancesOf } from '../operations/instances'

/**
 * The health of a service: `ok`, `error` if a dependency is unusable, `away` if it does not answer. Of several instances
 * the best one's.
 */
export interface ServiceHealth {
  name: ServiceName
  slug: string
  status: 'ok' | 'error' | 'away'
  /** The duration of its answer. */
  ms: number
  /** How many instances there are, and how many of them are `ok`. The page is public: it names no addresses. */
  instances: number
  healthyInstances: number
}

const keptMs = 2000
const timeoutMs = 1500

/** The services behind the gateway. */
export const behind = serviceNames.filter((name) => name !== 'gateway')

/** Queries every service's health, at most every two seconds for all viewers. */
export function createHealthOverview(instancesOf: InstancesOf, now: () => number): () => Promise<ServiceHealth[]> {
  const askAll = () => Promise.all(behind.map((name) => healthOf(name, instancesOf)))
  const shared = createLookUp(askAll, { most: 1, now, keptMs: () => keptMs })
  return () => shared('all')
}

async function healthOf(name: ServiceName, instancesOf: InstancesOf): Promise<ServiceHealth> {
  const found = await Promise.all(instancesOf(name).map(({ client }) => stateOf(client, name)))
  const [best = { status: 'away' as const, ms: 0 }] = found.toSorted(
    (a, b) => worst.indexOf(b.status) - worst.indexOf(a.status),
  )
  const healthyInstances = found.filter(({ status }) => status === 'ok').length
  return { name, slug: services[name].slug, ...best, instances: found.length, healthyInstances }
}

const worst: readonly ServiceHealth['status'][] = ['away', 'error', 'ok']

async function stateOf(client: Client, name: ServiceName): Promise<Pick<ServiceHealth, 'status' | 'ms'>> {
  const started = performance.now()
  const status = await client.call(readCall(name, 'GET', '/health', t.Unknown()), { timeoutMs }).then(
    () => 'ok' as const,
    (error: unknown) => (isCallError(error) && error.problem === 'refused' ? 'error' : 'away'),
  )
  return { status, ms: Math.round(performance.now() - started) }
}
