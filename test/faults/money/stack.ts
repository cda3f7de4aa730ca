// The whole platform as processes of their own over one data folder, with a Redis and a node of its own; each of them can
// be killed, frozen, set to another time, and have its disk filled.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import { makeCheapSeed } from '../../cheap-seed'
import { programOfCommand } from '../../commands'
import { type LossyProxy, lossyProxy } from './lossy-proxy'
import { chainId, type Node, startNode } from './node'
import { clock, type Processes, processesWith, root, type Unit } from './processes'
import type { Random } from './random'

/** Services whose answers to others may be lost on their way. */
export const proxied: readonly ServiceName[] = ['core-ledger', 'wallet', 'blockchain', 'account', 'sanctions']
export const ethereumConfirmations = 3

export interface Stack extends Processes {
  dataDir: string
  logs: string
  env: Record<string, string>
  redis: TestRedis
  node: Node
  units: readonly Unit[]
  proxies: ReadonlyMap<ServiceName, LossyProxy>
  url(service: ServiceName): string
  /** The process of a service. */
  unitOf(service: ServiceName): Unit
  /** Resolves once all its services answer to /health, well or not; false when they do not within `timeoutMs`. */
  answers(unit: Unit, timeoutMs?: number): Promise<boolean>
  /** One of the project's scripts, by the wallet service's clock: what it proves of itself must be of its time. */
  run(script: string, args?: string[]): Promise<{ code: number; said: string }>
  /** The database file of a service. */
  file(service: ServiceName): string
  close(): Promise<void>
}

/** A process for each service. */
export const sixteen = (): Unit[] => builtServices().map((name) => ({ name, services: [name] }))

/** A process each for those that are named, and one for all others: for machines that are busy. */
export function together(apart: readonly ServiceName[]): Unit[] {
  const rest = builtServices().filter((name) => !apart.includes(name))
  return [...apart.map((name) => ({ name, services: [name] })), { name: 'the others', services: rest }]
}

interface StackOptions {
  units: readonly Unit[]
  random: Random
  blockMs: number
  /** Keeps the logs there; else they go nowhere. */
  logs?: string
}

export async function startStack({ units, random, blockMs, logs }: StackOptions): Promise<Stack> {
  const [redis, node] = await Promise.all([testRedis(), startNode(blockMs)])
  const dataDir = join(tempDir(), 'data')
  const kept = logs ?? join(tempDir(), 'logs')
  mkdirSync(dataDir, { mode: 0o700 })
  mkdirSync(kept, { recursive: true })
  await makeCheapSeed(dataDir)
  const { env, ports, proxies } = await settingsOf({ redis, node, dataDir, random })
  const url = (service: ServiceName) => `http://127.0.0.1:${ports.get(service)}`

  const processes = processesWith(env, kept, logs !== undefined)
  const stack: Stack = {
    ...processes,
    dataDir,
    logs: kept,
    env,
    redis,
    node,
    units,
    proxies,
    url,
    unitOf: (service) => units.find((unit) => unit.services.includes(service)) as Unit,
    answers: (unit, timeoutMs = 180_000) =>
      until(async () => await allAnswer(unit.services.map(url)), { timeoutMs, what: unit.name }).catch(() => false),
    async run(script, args = []) {
      const itsClock = { ...clock, CLOCK_FILE: processes.clockFile(stack.unitOf('wallet')) }
      const place = { cwd: root, env: { ...env, ...itsClock }, stdout: 'pipe', stderr: 'pipe' } as const
      const program = script.includes('/') ? script : await programOfCommand(script)
      const child = Bun.spawn([process.execPath, program, ...args], place)
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, said: (out + err).trim() }
    },
    file: (service) => join(dataDir, `${services[service].slug}.sqlite`),
    async close() {
      await Promise.all(units.map((unit) => processes.end(unit)))
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
      await Promise.all([redis.stop(), node.stop()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  for (const unit of units) {
    processes.setClock(unit, 0)
    processes.start(unit)
  }
  for (const unit of units) if (!(await stack.answers(unit))) throw new Error(`${unit.name} did not start; see ${kept}`)
  return stack
}

async function allAnswer(urls: string[]): Promise<boolean> {
  const answers = await Promise.all(urls.map((url) => fetch(`${url}/health`, { signal: AbortSignal.timeout(3000) })))
  return answers.every(({ status }) => status > 0)
}

const setting = (name: ServiceName, what: 'PORT' | 'URL') => `${services[name].slug.toUpperCase()}_${what}`

interface Grounds {
  redis: TestRedis
  node: Node
  dataDir: string
  random: Random
}

/** Each service listens on a port of its own; the others reach some of them through a proxy. */
async function settingsOf({ redis, node, dataDir, random }: Grounds) {
  const ports = new Map<ServiceName, number>()
  const proxies = new Map<ServiceName, LossyProxy>()
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    SCREENING: 'sanctions',
    ADMIN_EMAIL: 'admin@bursar.example',
    ADMIN_PASSWORD: 'an administrator of the tests',
    NETWORK_POLL_MS: '100',
    ETHEREUM_RPC_URLS: node.front.url,
    ETHEREUM_CHAIN_ID: String(chainId),
    ETHEREUM_CONFIRMATIONS: String(ethereumConfirmations),
    BLOCKCHAIN_TOKENS: `ethereum:TUSD:${node.token}:6`,
    NODE_TIMEOUT_MS: '3000',
    STUCK_AFTER_SECONDS: '20',
    REDEMPTION_ADDRESSES: `polygon:${redemption},ethereum:${redemption}`,
  }
  for (const name of serviceNames) {
    const port = await freePort()
    ports.set(name, port)
    env[setting(name, 'PORT')] = String(port)
    const proxy = proxied.includes(name) ? await lossyProxy(await freePort(), port, random) : null
    if (proxy) proxies.set(name, proxy)
    env[setting(name, 'URL')] = `http://127.0.0.1:${proxy?.port ?? port}`
  }
  return { env, ports, proxies }
}

/** Where institutions' payments to banks go on the chains. */
export const redemption = '0x00000000000000000000000000000000000b4a4c'

/** Removes what SQLite keeps beside a database. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) rmSync(file + end)
}
