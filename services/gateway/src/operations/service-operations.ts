import { getOperations, type Operations } from '@bursar/contracts/operations'
import { type ServiceName, services } from '@bursar/contracts/services'
import { type Client, createSingleFlight, isCallError } from '@bursar/http'

/**
 * The state of a service: `ok`; `failing` if one of its checks fails or its answer cannot be used; `late` if it does
 * not answer in time; `away` if it cannot be reached.
 */
export const serviceStates = ['ok', 'failing', 'late', 'away'] as const

/** A service for operators. */
export interface ServiceOperations {
  name: ServiceName
  slug: string
  status: (typeof serviceStates)[number]
  /** The duration of its answer. */
  ms: number
  /** The problem, in a sentence; null for none. */
  problem: string | null
  /** Null without a usable answer. */
  operations: Operations | null
}

/** All services, as queried at `at`. */
export interface PlatformOperations {
  at: string
  services: ServiceOperations[]
}

const keptMs = 1000
const timeoutMs = 1500
const mostBytes = 256 * 1024
const names = Object.keys(services) as ServiceName[]

/** Queries every service, at most once a second for all viewers. A hanging one does not delay the others. */
export function createPlatformOperations(
  client: Client,
  own: () => Promise<Operations>,
  now: () => number,
): () => Promise<PlatformOperations> {
  const once = createSingleFlight<PlatformOperations>()
  let last: { at: number; found: PlatformOperations } | undefined
  const ask = (name: ServiceName): Promise<Operations> =>
    name === 'gateway' ? own() : client.call(getOperations(name), { timeoutMs, mostBytes })
  return async () => {
    if (last && now() - last.at < keptMs) return last.found
    return await once('all', async () => {
      const at = now()
      const found = {
        at: new Date(at).toISOString(),
        services: await Promise.all(names.map((name) => stateOf(name, ask(name)))),
      }
      last = { at, found }
      return found
    })
  }
}

async function stateOf(name: ServiceName, asked: Promise<Operations>): Promise<ServiceOperations> {
  const started = performance.now()
  const state = await asked.then(stateIn, failed)
  return { name, slug: services[name].slug, ms: Math.round(performance.now() - started), ...state }
}

type State = Pick<ServiceOperations, 'status' | 'problem' | 'operations'>

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
