// What is measured on a PostgreSQL server: the ledger's process, one or two of them, and what they are compared with.
import { join } from 'node:path'
import { freePort, until } from '@bursar/testing'
import { atMost, onAllCores } from '../cores'
import { drive, type Figures, type Load } from '../drive'
import { cpuTimeUs, endWithUs, type Running, startProcess } from '../processes'
import type { Scenario, Subject } from '../scenario'
import { copyRows } from './copy-rows'
import type { PostgresServer } from './server'
import { callFunction } from './subject'

/** What subjects are made on. */
export interface Bench {
  server: PostgresServer
  redisUrl: string
  newFolder(): string
  /** How many hundredths of a core each process of a service gets at most; null for all of it. */
  share: number | null
}

const root = join(import.meta.dir, '../../..')
const seeded = 'seeded'
const stored = 'stored function by pgbench'
const service = 'service'
const perBody = 'a transaction for each'

const urlOf = (port: number, database: string) => `postgres://bench@127.0.0.1:${port}/${database}`

export async function ask(bench: Bench, text: string, database = 'postgres') {
  const client = new Bun.SQL(urlOf(bench.server.port, database), { max: 1 })
  try {
    return (await client.unsafe(text)) as Record<string, unknown>[]
  } finally {
    await client.close()
  }
}

/** A process of a service, with its tables in a database of that name. */
export async function startOn(
  bench: Bench,
  { name, slug, url }: { name: string; slug: string; url: string },
): Promise<Running> {
  const port = String(await freePort())
  const folder = bench.newFolder()
  return await startProcess({
    command: [
      ...(bench.share === null ? onAllCores : atMost(bench.share)),
      process.execPath,
      join(root, `services/${name}/src/main.ts`),
    ],
    env: {
      NODE_ENV: 'production',
      DATA_DIR: folder,
      DATABASE_URL: url,
      INTERNAL_SECRET: Buffer.alloc(32, 3).toString('base64'),
      [`${slug.toUpperCase()}_PORT`]: port,
      REDIS_URL: bench.redisUrl,
      // Nobody answers there: approved withdrawals wait.
      WALLET_URL: 'http://127.0.0.1:1',
    },
    readyUrls: [`http://127.0.0.1:${port}/health`],
    log: join(folder, 'service.log'),
  })
}

/** Makes a database with the rows of a service's SQLite file, by the migrations that its first start runs. */
export async function fillDatabase(
  bench: Bench,
  { database, file, ...of }: { database: string; file: string; name: string; slug: string },
): Promise<string> {
  await ask(bench, `CREATE DATABASE ${database}`)
  const url = urlOf(bench.server.port, database)
  const first = await startOn(bench, { ...of, url })
  await first.stop()
  await copyRows(file, url, of.slug)
  return url
}

/** The database that each subject gets a copy of. */
export const ledgerOn = (bench: Bench, folder: string): Promise<string> =>
  fillDatabase(bench, { database: seeded, file: join(folder, 'core.sqlite'), name: 'core-ledger', slug: 'core' })

let copies = 0

/** A copy of the ledger's database; `port` is another way to the server. */
async function copied(bench: Bench, port = bench.server.port): Promise<{ url: string; database: string }> {
  copies += 1
  const database = `copy${copies}`
  await ask(bench, `CREATE DATABASE ${database} TEMPLATE ${seeded}`)
  return { url: urlOf(port, database), database }
}

const withdrawal: Load = {
  path: '/transactions/withdrawal',
  script: 'ledger-withdrawal.lua',
  env: { ACCOUNTS: '5000' },
}

/** Runs a load, with the processor time of the database server added to that of the services. */
async function onServer(
  bench: Bench,
  all: readonly Running[],
  load: Load,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Figures> {
  const before = await cpuTimeUs(bench.server.pid)
  const each = Math.max(1, Math.floor(connections / all.length))
  const figures = await Promise.all(all.map((one) => drive(one, load, each, seconds)))
  const server = (await cpuTimeUs(bench.server.pid)) - before
  const requestsPerSecond = figures.reduce((sum, one) => sum + one.requestsPerSecond, 0)
  const own = figures.reduce((sum, one) => sum + one.cpuUs * one.requestsPerSecond, 0) / requestsPerSecond
  return {
    requestsPerSecond,
    p50Ms: Math.max(...figures.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...figures.map(({ p99Ms }) => p99Ms)),
    cpuUs: own + server / (requestsPerSecond * seconds),
  }
}

const together = (bench: Bench, all: readonly Running[], load = withdrawal): Running => {
  const [first] = all as [Running]
  return {
    ...first,
    drive: (connections, seconds) => onServer(bench, all, load, { connections, seconds }),
    stop: async () => {
      for (const one of all) await one.stop()
    },
  }
}

/** So many instances of the ledger on one database. */
const ledgers = (bench: Bench, name: string, count: number, way?: () => number): Subject => ({
  name,
  async start() {
    const { url } = await copied(bench, way?.())
    const all: Running[] = []
    for (let i = 0; i < count; i++) all.push(await startOn(bench, { name: 'core-ledger', slug: 'core', url }))
    return together(bench, all)
  },
})

/** The ledger's statements with a transaction for each withdrawal. */
const transactions = (bench: Bench, name: string, way?: () => number): Subject => ({
  name,
  floor: true,
  async start() {
    const { url } = await copied(bench, way?.())
    const port = String(await freePort())
    const one = await startProcess({
      command: [...onAllCores, process.execPath, join(import.meta.dir, '../floors/per-body.ts'), port],
      env: { NODE_ENV: 'production', DATABASE_URL: url },
      readyUrls: [`http://127.0.0.1:${port}/`],
      log: join(bench.newFolder(), 'floor.log'),
    })
    return together(bench, [one])
  },
})

const functions = (bench: Bench, name: string, way?: () => number): Subject => ({
  name,
  floor: true,
  start: async () => ({
    url: '',
    pid: bench.server.pid,
    readyMs: Number.NaN,
    drive: (connections, seconds) => {
      const other = way ? ['-h', '127.0.0.1', '-p', String(way())] : []
      return callFunction(bench.server, { pinned: onAllCores, connections, seconds, way: other })
    },
    stop: async () => {},
  }),
})

/** Deposits that are approved, until the last of them is COMPLETED. */
const completions = (bench: Bench): Subject => ({
  name: 'deposits completed',
  async start() {
    const { url, database } = await copied(bench)
    const one = await startOn(bench, { name: 'core-ledger', slug: 'core', url })
    const counter = join(bench.newFolder(), 'counter')
    const env = { COUNTER: counter, APPROVED: 'yes' }
    const load: Load = { path: '/transactions/complete-screening', script: 'ledger-screening.lua', env }
    const count = async (status: string) => {
      const where = `type = 'DEPOSIT' AND status = '${status}'`
      const [row] = await ask(bench, `SELECT count(*)::int AS n FROM core.transactions WHERE ${where}`, database)
      return Number(row?.n)
    }
    return {
      ...one,
      async drive(connections, seconds) {
        const before = await count('COMPLETED')
        const started = performance.now()
        const figures = await onServer(bench, [one], load, { connections, seconds })
        await until(async () => (await count('APPROVED')) === 0, {
          timeoutMs: 120_000,
          what: 'deposits to be completed',
        })
        const took = (performance.now() - started) / 1000
        return { ...figures, requestsPerSecond: ((await count('COMPLETED')) - before) / took }
      },
    }
  },
})

/** A way to the server that takes so long there and back. */
function network(bench: Bench, delayMs: number) {
  let port = 0
  return {
    port: () => port,
    async begin() {
      port = await freePort()
      const words = [port, bench.server.port, delayMs].map(String)
      const proxy = Bun.spawn([process.execPath, join(import.meta.dir, 'delay-proxy.ts'), ...words])
      endWithUs(proxy)
      const client = new Bun.SQL(urlOf(port, 'postgres'), { max: 1 })
      await until(() => client.unsafe('SELECT 1').then(() => true), { timeoutMs: 20_000, what: 'the network' })
      const times: number[] = []
      for (let i = 0; i < 20; i++) {
        const before = performance.now()
        await client.unsafe('SELECT 1')
        times.push(performance.now() - before)
      }
      await client.close()
      return times.sort((a, b) => a - b)[10] ?? Number.NaN
    },
  }
}

export interface Wanted {
  connections: number
  network: number
}

export function withdrawalScenario(bench: Bench, { connections, network: delayMs }: Wanted): Scenario {
  const far = network(bench, delayMs)
  const through = (name: string) => `${name}, through ${delayMs} ms`
  const farService = ledgers(bench, through(service), 1, far.port)
  const share = (of: string, wanted: number, against: string) => ({ of, connections, share: wanted, against })
  const common = {
    name: 'postgres-withdrawals',
    title: 'withdrawals on PostgreSQL',
    load: withdrawal,
    connections: [connections],
  }
  const one = ledgers(bench, service, 1)
  const two = ledgers(bench, 'two instances', 2)
  const twoForOne = share('two instances', 1.6, service)
  if (bench.share !== null) return { ...common, subjects: [one, two], goals: [twoForOne] }
  return {
    ...common,
    subjects: [
      one,
      {
        ...farService,
        async start(...given) {
          const took = await far.begin()
          console.error(`A statement through the network takes ${took.toFixed(2)} ms`)
          return await farService.start(...given)
        },
      },
      two,
      completions(bench),
      functions(bench, stored),
      transactions(bench, perBody),
      functions(bench, through(stored), far.port),
      transactions(bench, through(perBody), far.port),
      ledgers(bench, through('two instances'), 2, far.port),
    ],
    goals: [
      share(service, 0.8, stored),
      share(service, 2, perBody),
      share(through(service), 0.5, service),
      twoForOne,
      share(through('two instances'), 1.6, through(service)),
      share('deposits completed', 0.5, service),
    ],
  }
}
