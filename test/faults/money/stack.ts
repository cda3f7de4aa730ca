// The whole platform as processes of their own over one data folder, with a Redis and a node of its own; each of them can
// be killed, frozen, set to another time, and have its disk filled.
import { existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import type { Random } from '../hour/random'
import { type LossyProxy, lossyProxy } from './lossy-proxy'
import { chainId, type Node, startNode } from './node'

const root = join(import.meta.dir, '../../..')
/** Services whose answers to others may be lost on their way. */
export const proxied: readonly ServiceName[] = ['core-ledger', 'wallet', 'blockchain', 'account', 'sanctions']
export const ethereumConfirmations = 3
const restartMs = 500

/** One process, with the services that run in it. */
export interface Unit {
  name: string
  services: readonly ServiceName[]
}

export interface Stack {
  dataDir: string
  logs: string
  env: Record<string, string>
  redis: TestRedis
  node: Node
  units: readonly Unit[]
  /** How often a process ended unasked, by its name and exit code. */
  ends: Readonly<Record<string, number>>
  proxies: ReadonlyMap<ServiceName, LossyProxy>
  url(service: ServiceName): string
  /** The process of a service. */
  unitOf(service: ServiceName): Unit
  /** Starts it where it does not run. */
  start(unit: Unit, env?: Record<string, string>): void
  /** Resolves once all its services answer to /health, well or not; false when they do not within `timeoutMs`. */
  answers(unit: Unit, timeoutMs?: number): Promise<boolean>
  end(unit: Unit, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  signal(unit: Unit, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void
  /** Sets the process' clock off by so many milliseconds, at once and over its restarts. */
  setClock(unit: Unit, offMs: number): void
  /** No file of it grows any more, as on a full disk; false ends that. */
  fillDisk(unit: Unit, isFull: boolean): void
  /** One of the project's scripts. */
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
  const { env, ports, proxies } = await settingsOf({ redis, node, dataDir, random })
  const running = new Map<string, Bun.Subprocess>()
  const ends: Record<string, number> = {}
  const unwanted = new Set<string>()
  const clockOf = (unit: Unit) => join(kept, `${unit.name.replaceAll(' ', '-')}.clock`)
  const url = (service: ServiceName) => `http://127.0.0.1:${ports.get(service)}`

  function start(unit: Unit, more: Record<string, string> = {}): void {
    unwanted.delete(unit.name)
    if (running.has(unit.name)) return
    const output = logs ? openSync(join(kept, `${unit.name.replaceAll(' ', '-')}.log`), 'a') : ('ignore' as const)
    const child = Bun.spawn(commandOf(unit), {
      cwd: root,
      env: { ...env, ...more, CLOCK_FILE: clockOf(unit) },
      stdin: 'ignore',
      stdout: output,
      stderr: output,
    })
    running.set(unit.name, child)
    const guard = guardOf(child.pid)
    void child.exited.then(async (code) => {
      guard.kill('SIGKILL')
      if (running.get(unit.name) !== child) return
      // Nobody has asked for that: it is started again, as a supervisor does.
      running.delete(unit.name)
      ends[`${unit.name} ${code}`] = (ends[`${unit.name} ${code}`] ?? 0) + 1
      await Bun.sleep(restartMs)
      if (!unwanted.has(unit.name)) start(unit, more)
    })
  }
  const stack: Stack = {
    dataDir,
    logs: kept,
    env,
    redis,
    node,
    units,
    ends,
    proxies,
    url,
    unitOf: (service) => units.find((unit) => unit.services.includes(service)) as Unit,
    start,
    answers: (unit, timeoutMs = 60_000) =>
      until(async () => await allAnswer(unit.services.map(url)), { timeoutMs, what: unit.name }).catch(() => false),
    async end(unit, signal = 'SIGKILL') {
      unwanted.add(unit.name)
      const child = running.get(unit.name)
      if (!child) return
      running.delete(unit.name)
      child.kill('SIGCONT')
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await child.exited
      clearTimeout(late)
    },
    signal: (unit, signal) => void running.get(unit.name)?.kill(signal),
    setClock(unit, offMs) {
      writeFileSync(clockOf(unit), String(offMs))
      stack.signal(unit, 'SIGUSR2')
    },
    fillDisk(unit, isFull) {
      const child = running.get(unit.name)
      const limit = `--fsize=${isFull ? '0' : 'unlimited'}:unlimited`
      if (child) Bun.spawnSync(['prlimit', `--pid=${child.pid}`, limit])
    },
    async run(script, args = []) {
      const command = [process.execPath, '--no-env-file', `scripts/${script}.ts`, ...args]
      const child = Bun.spawn(command, { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, said: (out + err).trim() }
    },
    file: (service) => join(dataDir, `${services[service].slug}.sqlite`),
    async close() {
      await Promise.all(units.map((unit) => stack.end(unit)))
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
      await Promise.all([redis.stop(), node.stop()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  for (const unit of units) start(unit)
  for (const unit of units)
    if (!(await stack.answers(unit, 90_000))) throw new Error(`${unit.name} did not start; see ${kept}`)
  return stack
}

/** The signal that goes with a full disk would end the process; a service's answer to it is what matters. */
function commandOf({ services: names }: Unit): string[] {
  const main = names.length === 1 ? [`services/${names[0]}/src/main.ts`] : ['scripts/all.ts', ...names]
  const bun = [process.execPath, '--no-env-file', '--preload', join(import.meta.dir, 'clock.ts'), ...main]
  return ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh', ...bun]
}

/** Keeps the guards from being collected: each takes the end of its input for the end of this process. */
const guards = new Set<Bun.Subprocess>()

/** Ends a service when this process is gone, also when it was itself killed. */
function guardOf(pid: number): Bun.Subprocess {
  const script = `trap '' INT TERM HUP; read -r _; kill -9 ${pid} 2>/dev/null`
  const guard = Bun.spawn(['/bin/sh', '-c', script], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  guard.unref()
  guards.add(guard)
  void guard.exited.then(() => guards.delete(guard))
  return guard
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
  for (const name of Object.keys(services) as ServiceName[]) {
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
