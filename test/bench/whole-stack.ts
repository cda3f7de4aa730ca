// The services that carry a withdrawal out or are told of it, in as many processes as is asked for, on their own Redis.
import { Database } from 'bun:sqlite'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, testRedis, until } from '@bursar/testing'
import { withAllocator } from '../../scripts/stack/allocator'
import { freeAddresses } from '../addresses'

export const carriers = ['customer', 'account', 'core-ledger', 'wallet', 'blockchain', 'sanctions'] as const
const told = ['notification', 'log-tracker'] as const
export const names = [...carriers, ...told]
type Name = (typeof names)[number]

const asset = { code: 'ETH', name: 'Ether', decimalPlaces: 18, network: 'ethereum', address: 'native' }
const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

interface Options {
  /** The checkout whose services they are. */
  root: string
  /** What runs in one process each. */
  groups: readonly (readonly string[])[]
  accounts: number
  /** So many withdrawals are asked for at a time. */
  lanes: number
  /** CPU profiles are written there. */
  profiles: string | null
  settings: Record<string, string>
}

/** By process or what is counted. */
export type Figures = ReadonlyMap<string, number>

export interface WholeStack {
  /** Those that are measured, by the services in them: `wallet+blockchain`. */
  readonly processes: readonly string[]
  /** Makes so many withdrawals; resolves when they are COMPLETED and the log tracker has their lines. */
  payAll(times: number): Promise<void>
  /** Asks for one withdrawal, of the accounts in turn. */
  withdraw(): Promise<void>
  /** Of the withdrawals that were made in a while, in ms since 1970, those that are COMPLETED: the ms that each took, in order. */
  tookBetween(from: number, to: number): number[]
  /** Milliseconds of processor that each process has used, and Redis. */
  used(): Figures
  /** What the services count of themselves, and the milliseconds of processor of their threads. */
  counts(): Promise<Map<string, Record<string, number>>>
  /** MB that all processes hold: PSS, for they share Bun. */
  memory(): number
  stop(): Promise<void>
}

export async function startStack(options: Options): Promise<WholeStack> {
  const { accounts, lanes } = options
  const dataDir = tempDir()
  const redis = await testRedis()
  const redisPid = pidListeningIn(redis)
  const { env, urls } = await settingsOf(options, dataDir, redis.url)
  const running = startProcesses(options, dataDir, env)
  const processes = [...running.keys()]
  const pidOf = (name: string) => running.get(name)?.pid ?? 0
  for (const name of names) {
    await until(async () => (await fetch(`${urls.get(name)}/health`)).status === 200, {
      what: `${name} to be healthy`,
      timeoutMs: 60_000,
    })
  }

  const ask: Ask = async (name, method, path, body) => {
    const answer = await fetch(`${urls.get(name)}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string; address: string }
  }

  const countIn = (file: string, where: string): (() => number) => {
    const query = new Database(join(dataDir, file), { readonly: true }).query(`SELECT count(*) AS n FROM ${where}`)
    return () => (query.get() as { n: number }).n
  }
  const reached = (count: () => number, wanted: number, what: string) =>
    until(() => count() >= wanted, { what: `${wanted} ${what}`, timeoutMs: 300_000 })
  const completed = (type: string) =>
    countIn('core.sqlite', `transactions WHERE status = 'COMPLETED' AND type = '${type}'`)

  const { assetId, accountIds } = await payIn(ask, accounts)
  await reached(completed('DEPOSIT'), accounts, 'deposits to be completed')
  const withdrawn = completed('WITHDRAWAL')
  // All that is told of them is taken: what comes later belongs to nobody's round.
  const lines = countIn('tracker.sqlite', 'log_messages')

  let turn = 0
  async function withdraw(): Promise<void> {
    const accountId = accountIds[turn++ % accounts]
    const body = { network: 'ethereum', assetId, amount: '0.5', destinationAddress: to, accountId }
    await ask('core-ledger', 'POST', '/transactions/withdrawal', body)
  }

  let paid = 0
  async function payAll(times: number): Promise<void> {
    const before = lines()
    let next = 0
    const lane = async () => {
      while (next++ < times) await withdraw()
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    paid += times
    await reached(withdrawn, paid, 'withdrawals to be completed')
    await reached(lines, before + 3 * times, 'lines of the tracker')
  }

  async function counts(): Promise<Map<string, Record<string, number>>> {
    const all = new Map<string, Record<string, number>>()
    for (const name of names) {
      const text = await fetch(`${urls.get(name)}/metrics`).then((answer) => answer.text())
      all.set(name, countsIn(text))
    }
    for (const name of processes) all.set(name, { ...all.get(name), ...threadsOf(pidOf(name)) })
    return all
  }

  return {
    processes,
    payAll,
    withdraw,
    tookBetween: tookIn(join(dataDir, 'core.sqlite')),
    counts,
    used: () => new Map([...processes.map((name) => [name, cpuMs(pidOf(name))] as const), ['redis', cpuMs(redisPid)]]),
    memory: () => processes.reduce((sum, name) => sum + pssMb(pidOf(name)), 0),
    async stop() {
      for (const child of running.values()) child.kill('SIGTERM')
      await Promise.all([...running.values()].map(({ exited }) => exited))
    },
  }
}

function tookIn(file: string): WholeStack['tookBetween'] {
  const query = new Database(file, { readonly: true }).query<{ ms: number }, [number, number]>(
    `SELECT executed_at - created_at AS ms FROM transactions
     WHERE type = 'WITHDRAWAL' AND status = 'COMPLETED' AND created_at >= ? AND created_at < ? ORDER BY ms`,
  )
  return (from, until) => query.all(from, until).map(({ ms }) => ms)
}

type Ask = (name: Name, method: string, path: string, body?: unknown) => Promise<{ id: string; address: string }>

/** Where each service answers, and what they are told. */
async function settingsOf({ settings }: Options, dataDir: string, redisUrl: string) {
  const { urls, settings: addresses } = await freeAddresses(names)
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    REDIS_URL: redisUrl,
    SCREENING: 'sanctions',
    SANCTIONS_SANDBOX: 'on',
    ...settings,
    ...addresses,
  }
  return { env, urls }
}

/** The groups that an option names, `ledger,sanctions;wallet`, and each other service by itself. */
export function groupsOf(text: string): string[][] {
  const groups = text.split(';').map((group) => group.split(',').filter(Boolean))
  const named = groups.flat()
  return [...groups, ...names.filter((name) => !named.includes(name)).map((name) => [name])].filter(
    ({ length }) => length > 0,
  )
}

/** By name. They end with this process. */
function startProcesses({ root, groups, profiles }: Options, dataDir: string, env: Record<string, string>) {
  const running = new Map<string, Bun.Subprocess>()
  process.on('exit', () => {
    for (const child of running.values()) child.kill('SIGKILL')
  })
  for (const group of groups) {
    const name = group.join('+')
    const profiling = profiles === null ? [] : ['--cpu-prof', '--cpu-prof-md', '--cpu-prof-dir', join(profiles, name)]
    const program = group.length > 1 ? ['scripts/all.ts', ...group] : [`services/${name}/src/main.ts`]
    const output = openSync(join(dataDir, `${name}.log`), 'w')
    const command = [process.execPath, '--no-env-file', ...profiling, ...program]
    running.set(
      name,
      Bun.spawn(command, { cwd: root, env: withAllocator(env), stdin: 'ignore', stdout: output, stderr: output }),
    )
    closeSync(output)
  }
  return running
}

/** Accounts of customers with money on the chain. */
async function payIn(ask: Ask, accounts: number): Promise<{ assetId: string; accountIds: string[] }> {
  const { id: assetId } = await ask('core-ledger', 'POST', '/assets', asset)
  const accountIds: string[] = []
  for (let i = 0; i < accounts; i++) {
    const { id: customerId } = await ask('customer', 'POST', '/customers', { externalId: `${i}`, status: 'active' })
    const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId }
    const { id } = await ask('account', 'POST', '/accounts', account)
    const path = `/wallets/account/${id}/network/ethereum?createIfNotExists=true`
    const { address } = await ask('wallet', 'GET', path)
    await ask('blockchain', 'POST', '/simulated/ethereum/deposits', { address, asset: 'ETH', amount: '1000000' })
    accountIds.push(id)
  }
  return { assetId, accountIds }
}

/** What a service counts of itself. */
function countsIn(metrics: string): Record<string, number> {
  const figure = (metric: string) => Number(new RegExp(`^${metric}(?:\\{.*\\})? (\\d+)$`, 'm').exec(metrics)?.[1])
  const requests = [...metrics.matchAll(/^http_requests_total\{.*\} (\d+)$/gm)]
  return {
    statements: figure('bursar_statements'),
    bodies: figure('bursar_commit_bodies'),
    events: figure('bursar_events_published'),
    requests: requests.reduce((sum, [, n]) => sum + Number(n), 0),
  }
}

/** Processor time that a process has used. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Milliseconds of processor that the threads of a process have used, by their names; `main` is the first one. */
function threadsOf(pid: number): Record<string, number> {
  const used: Record<string, number> = {}
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8')
      .trim()
      .replace(/\W?\d+$/, '')
    const what = Number(id) === pid ? 'main' : name
    const [ns] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')
    used[what] = (used[what] ?? 0) + Number(ns) / 1e6
  }
  return used
}

function pssMb(pid: number): number {
  const [, kb] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kb) / 1024
}

/** The Redis whose configuration stands in a folder. */
function pidListeningIn({ dir, port }: { dir: string; port: number }): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      // It names its port in its title once it has started.
      if (/^\S*(redis|valkey)/.test(command) && [dir, `:${port}`].some((mark) => command.includes(mark))) {
        return Number(pid)
      }
    } catch {
      // That process has ended meanwhile.
    }
  }
  throw new Error('The process of Redis was not found')
}
