// A whole withdrawal, screening included: `bun test/bench/whole.ts [withdrawals] [rounds]` (2000, 3). The processor time of
// all its services, of those that are told of it and of Redis, beside the floor (floors/withdrawal.ts), in one run and in turn.
// With `--accounts N` they are of so many accounts (50), with `--one-process` all services share a process, with `--profile DIR`
// CPU profiles are written there, with `--of DIR` the services are those of another checkout.
import { Database } from 'bun:sqlite'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { withdrawalFloor } from './floors/withdrawal'
import { hottest } from './profile'

const { values, positionals } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    'one-process': { type: 'boolean', default: false },
    profile: { type: 'string' },
    of: { type: 'string' },
  },
  allowPositionals: true,
})
const root = values.of ?? join(import.meta.dir, '../..')
const [count = 2000, rounds = 3] = positionals.map(Number)
const profiles = values.profile ?? null
const carriers = ['customer', 'account', 'core-ledger', 'wallet', 'blockchain', 'sanctions'] as const
const told = ['notification', 'log-tracker'] as const
const names = [...carriers, ...told]
type Name = (typeof names)[number]
/** Those that are measured: a service each, or one for all. */
const processes: readonly string[] = values['one-process'] ? ['all'] : names
const accounts = Number(values.accounts)
const batch = 64
const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

const redis = await testRedis()
const redisPid = pidListeningIn(redis.dir)
const dataDir = tempDir()
const urls = new Map<string, string>()
const env: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  REDIS_URL: redis.url,
  SCREENING: 'sanctions',
  SANCTIONS_SANDBOX: 'on',
}
for (const name of Object.keys(services) as ServiceName[]) {
  const port = (names as readonly string[]).includes(name) ? await freePort() : 9
  urls.set(name, `http://127.0.0.1:${port}`)
  env[`${services[name].slug.toUpperCase()}_PORT`] = String(port)
  env[`${services[name].slug.toUpperCase()}_URL`] = `http://127.0.0.1:${port}`
}
const running = new Map<string, Bun.Subprocess>()
process.on('exit', () => {
  for (const child of running.values()) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

for (const name of processes) {
  const profiling = profiles === null ? [] : ['--cpu-prof', '--cpu-prof-md', '--cpu-prof-dir', join(profiles, name)]
  const program = name === 'all' ? ['scripts/all.ts', ...names] : [`services/${name}/src/main.ts`]
  const output = openSync(join(dataDir, `${name}.log`), 'w')
  const command = [process.execPath, '--no-env-file', ...profiling, ...program]
  running.set(name, Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: output, stderr: output }))
  closeSync(output)
}
for (const name of names) {
  await until(async () => (await fetch(`${urls.get(name)}/health`)).status === 200, {
    what: `${name} to be healthy`,
    timeoutMs: 60_000,
  })
}

async function ask<Body = { id: string }>(name: Name, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await fetch(`${urls.get(name)}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const asset = { code: 'ETH', name: 'Ether', decimalPlaces: 18, network: 'ethereum', address: 'native' }
const { id: assetId } = await ask('core-ledger', 'POST', '/assets', asset)
const accountIds: string[] = []
for (let i = 0; i < accounts; i++) {
  const { id: customerId } = await ask('customer', 'POST', '/customers', { externalId: `${i}`, status: 'active' })
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId }
  const { id } = await ask('account', 'POST', '/accounts', account)
  const path = `/wallets/account/${id}/network/ethereum?createIfNotExists=true`
  const { address } = await ask<{ address: string }>('wallet', 'GET', path)
  await ask('blockchain', 'POST', '/simulated/ethereum/deposits', { address, asset: 'ETH', amount: '1000000' })
  accountIds.push(id)
}
const ledgerFile = new Database(join(dataDir, 'core.sqlite'), { readonly: true })
const ended = ledgerFile.query('SELECT count(*) AS n FROM transactions WHERE status = ? AND type = ?')
const reached = (type: string, wanted: number) =>
  until(() => (ended.get('COMPLETED', type) as { n: number }).n >= wanted, {
    what: `${wanted} of ${type} to be completed`,
    timeoutMs: 300_000,
  })
await reached('DEPOSIT', accounts)
// All that is told of them is taken: what comes later belongs to nobody's round.
const trackerFile = new Database(join(dataDir, 'tracker.sqlite'), { readonly: true })
const lines = trackerFile.query('SELECT count(*) AS n FROM log_messages')
const linesNow = () => (lines.get() as { n: number }).n

let paid = 0
async function payAll(times: number): Promise<void> {
  const before = linesNow()
  let next = 0
  const lane = async () => {
    while (next < times) {
      const accountId = accountIds[next++ % accounts]
      const body = { network: 'ethereum', assetId, amount: '0.5', destinationAddress: to, accountId }
      await ask('core-ledger', 'POST', '/transactions/withdrawal', body)
    }
  }
  await Promise.all(Array.from({ length: batch }, lane))
  paid += times
  await reached('WITHDRAWAL', paid)
  await until(() => linesNow() >= before + 3 * times, { what: 'the tracker to have its lines', timeoutMs: 60_000 })
}

const floor = withdrawalFloor(tempDir())
floor(count, batch)
await payAll(count)
console.log(`${count} withdrawals a round, ${accounts} accounts, ${batch} lanes; ms of processor for each`)
const countsBefore = await counts()
const sums = new Map<string, number>()
for (let round = 1; round <= rounds; round++) {
  const before = figures()
  const started = performance.now()
  await payAll(count)
  const seconds = (performance.now() - started) / 1000
  const after = figures()
  const each = new Map(processes.map((name) => [name, (cpuOf(after, name) - cpuOf(before, name)) / count]))
  each.set('redis', (cpuOf(after, 'redis') - cpuOf(before, 'redis')) / count)
  const startedFloor = process.cpuUsage()
  floor(count, batch)
  const usedByFloor = process.cpuUsage(startedFloor)
  each.set('floor', (usedByFloor.user + usedByFloor.system) / 1000 / count)
  for (const [name, ms] of each) sums.set(name, (sums.get(name) ?? 0) + ms / rounds)
  tell(`round ${round}, ${Math.round(count / seconds)} a second`, each)
}
tell('mean', sums)
for (const [name, after] of await counts()) {
  const before = countsBefore.get(name) ?? {}
  const parts = Object.entries(after).map(
    ([what, n]) => `${what} ${((n - (before[what] ?? 0)) / count / rounds).toFixed(2)}`,
  )
  console.log(`  ${name}: ${parts.join(', ')}`)
}
if (profiles !== null) {
  for (const name of processes) {
    running.get(name)?.kill('SIGTERM')
    await running.get(name)?.exited
    console.log(`${name}\n${await hottest(join(profiles, name))}`)
  }
}
process.exit(0)

function tell(what: string, each: ReadonlyMap<string, number>): void {
  const of = (all: readonly string[]) => all.reduce((sum, name) => sum + (each.get(name) ?? 0), 0)
  const [carried, all] = [of([...carriers, 'redis']), of([...processes, 'redis'])]
  const least = each.get('floor') ?? Number.NaN
  const parts = [...processes, 'redis'].map((name) => `${name} ${(each.get(name) ?? 0).toFixed(3)}`)
  const untold = values['one-process']
    ? ''
    : `; without those that are told ${carried.toFixed(3)} = ${(carried / least).toFixed(1)} times`
  console.log(
    `${what}: ${all.toFixed(3)} = ${(all / least).toFixed(1)} times the floor of ${least.toFixed(3)}${untold} ` +
      `(${parts.join(', ')})`,
  )
}

function figures(): Map<string, number> {
  const used = new Map<string, number>()
  for (const name of processes) used.set(name, cpuMs(running.get(name)?.pid ?? 0))
  used.set('redis', cpuMs(redisPid))
  return used
}

function cpuOf(used: ReadonlyMap<string, number>, name: string): number {
  return used.get(name) ?? Number.NaN
}

/** Processor time that a process has used, of all its threads or of its first. */
function cpuMs(pid: number, isMainAlone = false): number {
  const file = isMainAlone ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** What the services count of themselves, and the time of their first threads, for each withdrawal. */
async function counts(): Promise<Map<string, Record<string, number>>> {
  const all = new Map<string, Record<string, number>>()
  for (const name of names) {
    const text = await fetch(`${urls.get(name)}/metrics`).then((answer) => answer.text())
    const figure = (metric: string) => Number(new RegExp(`^${metric}(?:\\{.*\\})? (\\d+)$`, 'm').exec(text)?.[1])
    const requests = [...text.matchAll(/^http_requests_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    )
    all.set(name, {
      statements: figure('bursar_statements'),
      bodies: figure('bursar_commit_bodies'),
      events: figure('bursar_events_published'),
      requests,
      ...(running.has(name) && { main: cpuMs(running.get(name)?.pid ?? 0, true) }),
    })
  }
  return all
}

/** The Redis whose configuration stands in a folder. */
function pidListeningIn(folder: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      // It names its port in its title once it has started.
      if (/^\S*(redis|valkey)/.test(command) && [folder, `:${redis.port}`].some((mark) => command.includes(mark))) {
        return Number(pid)
      }
    } catch {
      // That process has ended meanwhile.
    }
  }
  throw new Error('The process of Redis was not found')
}
