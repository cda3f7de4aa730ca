// A stack with a story of money that was killed in the middle of its work, and what is done with copies of its data folder.
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { serviceConfig } from '@bursar/http'
import { tempDir, testRedis, until } from '@bursar/testing'
import { type PostgresServer, startPostgres } from '@bursar/testing/postgres'
import { ask, get, type Platform } from '../../scripts/seed/platform'
import { seed } from '../../scripts/seed/seed'
import { withAllocator } from '../../scripts/stack/allocator'
import { freeAddresses } from '../addresses'
import { lineOfServices, runCommand } from '../commands'

export const root = join(import.meta.dir, '../..')
export const slugs: string[] = serviceNames.map((name) => services[name].slug)

export type Env = Record<string, string>

/** What goes on by itself, is counted with the open withdrawals, or is known to a process alone. */
const changing =
  /^\/(health|transactions\/stuck|networks|rates|events|log-messages|providers\/answers|webhooks\/deliver(y\/.*|ies)|transactions\/(open|counts))$/

/** So many days from now. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const core = (dataDir: string) => join(dataDir, 'core.sqlite')
export function write(file: string, sql: string): void {
  using database = new Database(file)
  database.run(sql)
}

/** What the followers of the ledger have not acted on, as a server lists it. */
export function waitingIn(file: string): unknown[] {
  using database = new Database(file, { readonly: true })
  const one = (sql: string) => database.query<{ value: string }, []>(sql).get()?.value
  const all: [string, Record<string, string>][] = [
    ['seals', { entries: 'journal', keys: 'idempotency_keys', decisions: 'decisions', assets: 'asset_terms' }],
    ['sums', { entries: 'journal' }],
    ['transaction keys', { entries: 'journal' }],
  ]
  return all.flatMap(([follower, kinds]) => {
    const places = JSON.parse(one(`SELECT value FROM meta WHERE key = 'place of ${follower}'`) ?? '{}')
    const rows = Object.entries(kinds).flatMap(([kind, table]) => {
      const from = (places[kind] ?? 0) + 1
      // Of idempotency keys those alone that are kept for ever.
      const to =
        table === 'idempotency_keys'
          ? `SELECT max(seq) AS value FROM ${table} WHERE expires_at IS NULL`
          : `SELECT seq AS value FROM sqlite_sequence WHERE name = '${table}'`
      const last = Number(one(to) ?? 0)
      return last < from ? [] : [[kind, [[from, last]]] as const]
    })
    return rows.length === 0 ? [] : [[follower, Object.fromEntries(rows)]]
  })
}

/** Contents of all databases and their logs, by file. */
export const hashes = (dataDir: string) =>
  Object.fromEntries(
    slugs.flatMap((slug) =>
      ['', '-wal'].map((end) => {
        const file = join(dataDir, `${slug}.sqlite${end}`)
        return [file, existsSync(file) && statSync(file).size > 0 ? Bun.SHA256.hash(readFileSync(file), 'hex') : null]
      }),
    ),
  )

/** Days that an overview is of: those that it takes by itself change at midnight. */
const overview = `from=${day(-29)}&to=${day(0)}`

/** Null where it cannot be asked so. Without these records, and what goes by the time of the answer. */
async function listOf(url: string, without: readonly string[]): Promise<unknown> {
  const controller = new AbortController()
  const answer = await fetch(url, { signal: controller.signal })
  const isJson = answer.status === 200 && answer.headers.get('content-type')?.startsWith('application/json')
  if (!isJson) controller.abort()
  const isLeft = (item: unknown) => !without.includes((item as { id: string } | null)?.id ?? '')
  const plain = (key: string, value: unknown) => {
    if (key === 'asOf' || key === 'ageHours' || (key === 'detail' && /^Attempt/.test(String(value)))) return null
    return Array.isArray(value) ? value.filter(isLeft) : value
  }
  return isJson ? JSON.parse(JSON.stringify(await answer.json()), plain) : null
}

/** A route that is read. */
interface Route {
  name: ServiceName
  path: string
}

/** Each route of each service that needs no more than its path, and does not change by itself. */
async function routesOf({ urls }: Platform): Promise<Route[]> {
  const found = serviceNames.map(async (name) => {
    const document = (await (await fetch(`${urls[name]}/swagger/json`)).json()) as {
      paths: Record<string, { get?: object }>
    }
    const paths = Object.keys(document.paths).filter((path) => document.paths[path]?.get && !path.includes('{'))
    return paths.filter((path) => !changing.test(path)).map((path) => ({ name, path }))
  })
  return (await Promise.all(found)).flat()
}

/** What callers see there. */
async function viewOf({ urls }: Platform, routes: readonly Route[], without: readonly string[]) {
  const answers = routes.map(async ({ name, path }) => {
    const query = path.includes('/overview/') ? `?${overview}` : ''
    const answer = await listOf(`${urls[name]}${path}${query}`, without)
    return answer === null ? [] : [[`${name} ${path}`, answer] as const]
  })
  return new Map<string, unknown>((await Promise.all(answers)).flat())
}

/** Nothing is due that callers did not wait for: no event is under way, and each participant was handed over. */
async function isSettled({ urls }: Platform, dataDir: string): Promise<boolean> {
  const texts = await Promise.all(serviceNames.map(async (name) => (await fetch(`${urls[name]}/metrics`)).text()))
  const sum = (figure: string) =>
    texts.reduce((total, text) => total + Number(new RegExp(`^${figure}\\S* (\\d+)$`, 'm').exec(text)?.[1]), 0)
  using main = new Database(join(dataDir, 'main.sqlite'), { readonly: true })
  const pending = main.query("SELECT 1 FROM handovers WHERE status = 'pending'").all()
  return pending.length + sum('bursar_outbox_depth') + sum('bursar_queue_depth') === 0
}

/** Starts all services in one process. */
async function startAll(env: Env, { urls }: Platform) {
  const child = Bun.spawn(lineOfServices(...serviceNames), {
    cwd: root,
    env: withAllocator(env),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const answers = async (name: ServiceName) => child.exitCode !== null || (await fetch(`${urls[name]}/health/live`)).ok
  try {
    await Promise.all(serviceNames.map((name) => until(() => answers(name), { what: name })))
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  if (child.exitCode !== null) throw new Error(await child.stderr.text())
  return {
    async end(signal: 'SIGTERM' | 'SIGKILL') {
      child.kill(signal)
      return await child.exited
    },
  }
}

function databasesOn(server: string) {
  let databases = 0
  async function onServer(text: string, url = server): Promise<unknown[][]> {
    const client = new Bun.SQL(url, { max: 1 })
    try {
      return await client.unsafe(text).values()
    } finally {
      await client.close()
    }
  }
  return {
    onServer,
    /** A new one, which is empty. */
    async database(): Promise<string> {
      databases += 1
      await onServer(`CREATE DATABASE moved${databases}`)
      return server.replace(/\/postgres$/, `/moved${databases}`)
    },
    schemasIn: async (url: string) =>
      (await onServer('SELECT nspname::text FROM pg_namespace ORDER BY 1', url))
        .map(([name]) => String(name))
        .filter((name) => slugs.some((slug) => name === slug || name === `moving_${slug}`)),
  }
}

/** All of it, on a PostgreSQL server whose programs lie in the folder. */
export async function killedStack(folder: string) {
  const server = await startPostgres(folder)
  try {
    return await killedBeside(server)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function killedBeside(server: PostgresServer) {
  const redis = await testRedis()
  const { settings } = await freeAddresses(serviceNames)
  const platform: Platform = { urls: serviceConfig(settings, 'quote').urls, say: () => {} }
  /** Where the stack was killed. */
  const dataDir = tempDir()
  const environmentOf = (more: Env): Env => ({
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    REDIS_URL: redis.url,
    ADMIN_PASSWORD: 'an administrator of the tests',
    NETWORK_POLL_MS: '100',
    ...settings,
    ...more,
  })
  const start = (env: Env) => startAll(environmentOf(env), platform)
  const tell = async () => {
    await seed(platform)
    // An act of a person, for the audit trail.
    await runCommand('rotate', ['tokens'], { env: environmentOf({ DATA_DIR: dataDir }) })
    return await storyOn(platform, dataDir)
  }
  const stack = await start({ DATA_DIR: dataDir })
  const story = await tell().finally(() => stack.end('SIGKILL'))

  return {
    platform,
    ...story,
    ...databasesOn(server.url),
    environmentOf,
    start,
    move: (to: string, from: string) =>
      runCommand('move', ['--to', to, '--data-dir', from], { env: environmentOf({}) }),
    /** The folder once more, to be spoilt. */
    copied(spoil: (dataDir: string) => void = () => {}): string {
      const copy = tempDir()
      cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('/sockets') })
      spoil(copy)
      return copy
    },
    async end() {
      await server.stop()
      await redis.stop()
    },
  }
}

/** What callers see of a seeded stack, which has withdrawals under way in the end. */
async function storyOn(platform: Platform, dataDir: string) {
  const [holder] = await get<{ accountId: string; assetId: string }[]>(
    platform,
    'core-ledger',
    'transactions?type=WITHDRAWAL&status=COMPLETED',
  )
  const { accountId = '', assetId = '' } = holder ?? {}
  async function withdraw(key: string): Promise<string> {
    const body = { accountId, network: 'polygon', assetId, amount: '1', destinationAddress: `0x${'ab'.repeat(20)}` }
    const asked = { body, headers: { 'idempotency-key': key } }
    const made = await ask<{ id: string }>(platform, 'core-ledger', 'POST /transactions/withdrawal', asked)
    return made.body.id
  }
  const period = `from=${day(-1)}&to=${day(1)}`
  const statement = () => get(platform, 'core-ledger', `balances/account/${accountId}/statement?${period}`)
  const routes = await routesOf(platform)
  let seen = new Map<string, unknown>()
  const isSame = async () => {
    const before = seen
    seen = await viewOf(platform, routes, [])
    return Bun.deepEquals(before, seen)
  }
  // What the seeding has set off has ended.
  await until(async () => (await isSettled(platform, dataDir)) && (await isSame()), {
    what: 'the same twice',
  })
  // Its last commits are neither sealed, counted nor published, and lie in the logs of the files.
  const open = await Promise.all([0, 1, 2].map((i) => withdraw(`open-${i}`)))
  const statementBefore = await statement()
  /** What they see once it is as before; else in the end. A service that has just started may not have found the others yet. */
  async function view() {
    let shown = new Map<string, unknown>()
    const isAsBefore = async () => {
      shown = await viewOf(platform, routes, open)
      return Bun.deepEquals(shown, seen)
    }
    await until(isAsBefore, { what: 'the same answers' }).catch(() => {})
    return shown
  }
  return { seen, open, statementBefore, withdraw, statement, view }
}
