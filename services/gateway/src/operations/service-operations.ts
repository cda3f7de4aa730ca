import { getOperations, type Operations } from '@bursar/contracts/operations'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { isCallError } from '@bursar/http'
import { createLookUp } from '../bounded-cache'
import type { InstancesOf } from './instances'
import type { PlatformHealth } from './operations.model'

/** A service for operators. One with several instances is `ok` when all of them are. */
type ServiceOperations = PlatformHealth['services'][number]
/** What an instance has answered. */
type Asked = ServiceOperations['instances'][number] & Pick<ServiceOperations, 'operations'>

const keptMs = 1000
const timeoutMs = 1500
const mostBytes = 256 * 1024

/** Queries every service, at most once a second for all viewers. A hanging one does not delay the others. */
export function createPlatformOperations(
  instancesOf: InstancesOf,
  own: () => Promise<Operations>,
  now: () => number,
): () => Promise<PlatformHealth> {
  const ask = (name: ServiceName): Promise<Asked[]> => {
    if (name === 'gateway') return Promise.all([stateOf('', own())])
    const asked = instancesOf(name).map(({ address, client }) =>
      stateOf(address, client.call(getOperations(name), { timeoutMs, mostBytes })),
    )
    return Promise.all(asked)
  }
  const askAll = async () => ({
    at: new Date(now()).toISOString(),
    services: await Promise.all(serviceNames.map(async (name) => serviceOf(name, await ask(name)))),
  })
  const shared = createLookUp(askAll, { most: 1, now, keptMs: () => keptMs })
  return () => shared('all')
}

async function stateOf(address: string, asked: Promise<Operations>): Promise<Asked> {
  const started = performance.now()
  const state = await asked.then(stateIn, failed)
  return { address, ms: Math.round(performance.now() - started), ...state }
}

/** The service of these instances: while one works the others' problems are named with their addresses. */
function serviceOf(name: ServiceName, asked: readonly Asked[]): ServiceOperations {
  const { slug } = services[name]
  const { address: _, ...best } = asked.find(({ status }) => status === 'ok') ?? (asked[0] as Asked)
  if (asked.length === 1) return { name, slug, ...best, instances: [] }
  const instances = asked.map(({ operations: _, ...state }) => state)
  const broken = instances.filter(({ status }) => status !== 'ok')
  const status = broken.length === 0 ? 'ok' : best.status === 'ok' ? 'failing' : best.status
  const problems = broken.map(({ address, problem }) => `${address}: ${problem}`).join('; ')
  return { name, slug, ...best, status, problem: problems.slice(0, longestProblem) || null, instances }
}

type State = Pick<Asked, 'status' | 'problem' | 'operations'>

function stateIn(operations: Operations): State {
  const failures = Object.entries(operations.failures).map(([check, reason]) => `${check}: ${reason}`)
  if (failures.length === 0) return { status: 'ok', problem: null, operations }
  return { status: 'failing', problem: failures.join('; ').slice(0, longestProblem), operations }
}
const longestProblem = 500

function failed(error: unknown): State {
  const problem = isCallError(error) ? error.problem : 'broken'
  const status = problem === 'timeout' ? 'late' : problem === 'unreachable' ? 'away' : 'failing'
  const message = error instanceof Error ? error.message.slice(0, longestProblem) : 'It cannot be asked'
  return { status, problem: message, operations: null }
}
