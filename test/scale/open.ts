import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@bursar/contracts/call'
import type { ServiceName } from '@bursar/contracts/services'
import { CallError, type Client, type Deps, type Environment, type ServiceDefinition } from '@bursar/http'
import { type TestService, testService } from '@bursar/testing/service'
import { type AppRoute, type Operation, operationsOf } from './operations'
import { type Answered, type Asked, unknownTo, type Values } from './requests'
import { emptyTables, fileOf, type Seed } from './seed'

/** A service over a database that was filled. */
export interface Opened {
  name: ServiceName
  seed: Seed
  file: string
  service: TestService
  /** Those that are asked. */
  operations: Operation[]
  values: Values
  /** Operations that the seed leaves out; it fails for those that do not exist. */
  leftOut: { name: string; isKnown: boolean }[]
  /** The answer as it comes, its body unread. */
  fetch(url: string, participantId?: string): Promise<Response>
  close(): Promise<void>
}

interface Modules {
  config(env: Environment): unknown
  definition(config: unknown): ServiceDefinition<Deps>
}

/**
 * Fills a service's database unless the folder has it, and opens the service on it, in this process and without its
 * workers. Throws when a table that grows is empty, and when there is an operation that it does not know what to ask.
 */
export async function openFilled(name: ServiceName, seed: Seed, folder: string, rows: number): Promise<Opened> {
  const file = fileOf(folder, name)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file)) await seed.make(folder, rows)
  const values = valuesOf(name, seed, file, rows)
  const source = join(import.meta.dir, '../../services', name, 'src')
  const [{ config }, { definition }] = (await Promise.all([
    import(join(source, 'config.ts')),
    import(join(source, 'service.ts')),
  ])) as [Pick<Modules, 'config'>, Pick<Modules, 'definition'>]
  const made = definition(config({ DATA_DIR: folder, REDIS_URL: 'redis://127.0.0.1:1', ...seed.env }))
  let routes: readonly AppRoute[] = []
  const app = (deps: Deps) => {
    const whole = seed.app?.(deps) ?? made.app(deps)
    routes = (whole as unknown as { routes: AppRoute[] }).routes
    return whole
  }
  const definitionOf = { ...made, app }
  const client = () => clientOf(seed)
  const service = await testService({ name, dataDir: folder, prefix: '', definition: definitionOf, client })
  const all = await operationsOf(service, routes)
  const { apart = {} } = seed
  const operations = all.filter((each) => !(each.name in apart))
  requireKnown(name, operations, values)
  const staff = renewed(() => service.as({ kind: 'user', roles: ['admin'] }))
  const internal = renewed(() => service.asService('gateway'))
  return {
    name,
    seed,
    file,
    service,
    operations,
    values,
    leftOut: Object.keys(apart).map((left) => ({ name: left, isKnown: all.some((each) => each.name === left) })),
    async fetch(url, participantId) {
      const own = participantId ? service.asParticipant(participantId) : seed.caller?.(service, url)
      const headers = (await own) ?? (await (url.startsWith('/internal/') ? internal : staff)())
      return await service.fetch(new Request(`http://localhost${url}`, { headers }))
    },
    async close() {
      await seed.end?.(service.deps)
      await service.close()
    },
  }
}

/** Its peers, with the answers of the seed. */
function clientOf({ peers = {} }: Seed): Client {
  const call = async ({ service, path }: Call) => {
    if (path in peers) return peers[path]
    throw new CallError('unreachable', service, `The ${service} service cannot be reached`)
  }
  return { call, find: call } as Client
}

/** Proofs of a caller hold for a minute. */
function renewed<T>(make: () => Promise<T>): () => Promise<T> {
  let [made, at] = [make(), performance.now()]
  return () => {
    if (performance.now() - at > 30_000) [made, at] = [make(), performance.now()]
    return made
  }
}

/** Throws when a table that grows is empty. */
function valuesOf(name: ServiceName, seed: Seed, file: string, rows: number): Values {
  const db = new Database(file)
  try {
    const empty = emptyTables(db, seed)
    if (empty.length > 0) throw new Error(`${name}: nothing fills ${empty.join(', ')} (test/scale/seeds/${name}.ts)`)
    return seed.values(rows, db)
  } finally {
    db.close()
  }
}

function requireKnown(name: ServiceName, operations: readonly Operation[], values: Values) {
  const unknown = operations.flatMap((operation) =>
    unknownTo(operation, values).map((parameter) => `${operation.name} ${parameter}`),
  )
  if (unknown.length > 0) {
    throw new Error(`${name}: there is no value for ${unknown.join(', ')} (test/scale/seeds/${name}.ts)`)
  }
}

/** Larger bodies are read and dropped. */
const mostKept = 4 * 1024 * 1024

/** Reads an answer: to its end, or for so many milliseconds. */
export async function readAnswer(response: Response, mostMs: number): Promise<Answered & { bytes: number }> {
  const { status, headers } = response
  const until = performance.now() + mostMs
  const kept: Uint8Array[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) break
    bytes += value.length
    if (bytes <= mostKept) kept.push(value)
    if (performance.now() < until) continue
    await reader?.cancel()
    return { status, headers, body: null, bytes }
  }
  const isJson = bytes <= mostKept && bytes > 0 && /\bjson\b/.test(headers.get('content-type') ?? '')
  return { status, headers, body: isJson ? JSON.parse(Buffer.concat(kept).toString()) : null, bytes }
}

export const shown = ({ operation, url }: Pick<Asked, 'operation' | 'url'>): string => {
  const query = url.split('?')[1]
  return query ? `${operation.name} ?${decodeURIComponent(query).slice(0, 160)}` : operation.name
}
