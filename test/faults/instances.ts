// Two instances of each service on one PostgreSQL, one of which is killed every few seconds while money moves:
// `bun test/faults/instances.ts [--seconds N] [--every N]` (30, 3). Every withdrawal that was answered is paid once, the books and the
// chain agree, and all is settled in the end. Exits with 1 and what was wrong. Needs PostgreSQL's programs (Debian's postgresql).
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { readAnswer } from '@bursar/testing/service'
import { createSeedFile, seedFileName } from '../../services/wallet/src/keys/seed-file'
import { programOf, runCommand } from '../commands'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, every: { type: 'string', default: '3' } },
})
const [lastMs, everyMs] = [Number(values.seconds) * 1000, Number(values.every) * 1000]
const names: ServiceName[] = ['customer', 'account', 'sanctions', 'core-ledger', 'wallet', 'blockchain']
const machines = ['one', 'other'] as const
const settlesWithinMs = 90_000
const network = 'polygon'
/** On each account. */
const deposited = 1_000_000
const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

interface Instance {
  name: ServiceName
  url: string
  env: Record<string, string>
  process: Bun.Subprocess
}

const programs = postgresPrograms()
if (!programs) throw new Error('PostgreSQL’s programs are missing: `apt-get install postgresql` on Debian and Ubuntu.')
const [server, redis] = [await startPostgres(programs), await testRedis()]
const instances: Instance[] = []
process.on('exit', () => {
  for (const { process: child } of instances) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

try {
  await startAll()
  const problems = await run()
  for (const problem of problems) console.log(`WRONG ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  for (const { process: child } of instances) child.kill('SIGKILL')
  await Promise.all(instances.map(({ process: child }) => child.exited))
  await Promise.all([server.stop(), redis.stop()])
}
process.exit()

async function startAll(): Promise<void> {
  const places = new Map<ServiceName, number[]>()
  for (const name of names) places.set(name, [await freePort(), await freePort()])
  const addressOf = (port: number) => `http://127.0.0.1:${port}`
  const folder = tempDir()
  const passphrase = 'correct horse battery'
  await createSeedFile(folder, passphrase, { now: new Date(), cost: 2 ** 4 })
  const key = Buffer.alloc(32, 7).toString('base64')
  const common: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    DATABASE_URL: server.url,
    REDIS_URL: redis.url,
    INTERNAL_SECRET: key,
    WALLET_SEED: await Bun.file(join(folder, seedFileName)).text(),
    WALLET_PASSPHRASE: passphrase,
    SCREENING: 'sanctions',
    SANCTIONS_SANDBOX: 'on',
    NETWORK_POLL_MS: '200',
  }
  for (const name of Object.keys(services) as ServiceName[]) {
    common[`${services[name].slug.toUpperCase()}_URL`] = (places.get(name) ?? [9]).map(addressOf).join(',')
  }
  for (const [i, machine] of machines.entries()) {
    for (const name of names) {
      const dataDir = join(folder, machine)
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      const port = places.get(name)?.[i] as number
      const env = { ...common, DATA_DIR: dataDir, [`${services[name].slug.toUpperCase()}_PORT`]: String(port) }
      instances.push({ name, url: addressOf(port), env, process: start(name, env) })
    }
  }
  await Promise.all(instances.map(isReady))
}

function start(name: ServiceName, env: Record<string, string>): Bun.Subprocess {
  const command = [process.execPath, '--no-env-file', programOf(name)]
  return Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
}

function isReady({ name, url }: Instance): Promise<true> {
  return until(async () => (await fetch(`${url}/health/ready`)).ok, { timeoutMs: 60_000, what: `${name} at ${url}` })
}

/** Asks instances of the service in turn until one answers; a write goes out under one key. */
async function ask(name: ServiceName, method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const own = instances.filter((each) => each.name === name)
  let turn = Math.floor(Math.random() * own.length)
  return await until(
    async () => {
      const { url } = own[turn++ % own.length] as Instance
      const answer = await readAnswer(
        await fetch(`${url}/v1${path}`, { ...request, signal: AbortSignal.timeout(10_000) }),
      )
      // 409: the first try is still under way.
      return answer.status < 500 && answer.status !== 409 && answer
    },
    { timeoutMs: 60_000, what: `${method} ${path} of ${name}` },
  )
}

async function create(name: ServiceName, path: string, body: object): Promise<{ id: string }> {
  const answer = await ask(name, 'POST', path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function run(): Promise<string[]> {
  const assetId = (
    await create('core-ledger', '/assets', { code: 'POL', name: 'POL', decimalPlaces: 18, address: 'native', network })
  ).id
  const accounts = await Promise.all([0, 1, 2, 3].map(fundedAccount))
  const ordered: string[] = []
  const endsAt = performance.now() + lastMs
  let kills = 0
  const killing = (async () => {
    while (performance.now() < endsAt) {
      await Bun.sleep(everyMs)
      const victim = instances[kills++ % instances.length] as Instance
      victim.process.kill('SIGKILL')
      await victim.process.exited
      victim.process = start(victim.name, victim.env)
      await isReady(victim)
    }
  })()
  const paying = accounts.map(async (accountId) => {
    while (performance.now() < endsAt) {
      const body = { accountId, network, assetId, amount: '1', destinationAddress: to }
      ordered.push((await create('core-ledger', '/transactions/withdrawal', body)).id)
    }
  })
  await Promise.all([killing, ...paying])
  const settled = await until(async () => (await openOf(accounts)) === 0, {
    timeoutMs: settlesWithinMs,
    what: 'all to be settled',
  }).catch(String)
  return await recount({ accounts, ordered: ordered.length, kills, settled: settled === true ? null : String(settled) })
}

async function fundedAccount(_: number, i: number): Promise<string> {
  const customer = await create('customer', '/customers', { externalId: `c-${i}`, status: 'active' })
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  const { id } = await create('account', '/accounts', account)
  const path = `/wallets/account/${id}/network/${network}?createIfNotExists=true`
  const { body } = await ask('wallet', 'GET', path)
  await create('blockchain', `/simulated/${network}/deposits`, {
    address: body.address,
    asset: 'POL',
    amount: String(deposited),
  })
  const isCredited = async () => Number((await balanceOf(id))?.availableBalance ?? 0) === deposited
  await until(isCredited, { timeoutMs: 60_000, what: `the deposit of account ${i}` })
  return id
}

async function balanceOf(accountId: string) {
  return (await ask('core-ledger', 'GET', `/balances/account/${accountId}`)).body[0]
}

async function withdrawalsOf(accountId: string): Promise<{ id: string; status: string }[]> {
  return (await ask('core-ledger', 'GET', `/transactions?accountId=${accountId}&type=WITHDRAWAL`)).body
}

async function openOf(accounts: readonly string[]): Promise<number> {
  const all = (await Promise.all(accounts.map(withdrawalsOf))).flat()
  return all.filter(({ status }) => status !== 'COMPLETED').length
}

interface Ended {
  accounts: readonly string[]
  ordered: number
  kills: number
  /** What did not settle; null if all did. */
  settled: string | null
}

/** What is wrong with the books and the chain. */
async function recount({ accounts, ordered, kills, settled }: Ended): Promise<string[]> {
  const problems = settled === null ? [] : [settled]
  const each = await Promise.all(accounts.map(withdrawalsOf))
  const all = each.flat()
  const states = Object.entries(Object.groupBy(all, ({ status }) => status)).map(
    ([status, some]) => `${some?.length} ${status}`,
  )
  if (all.length !== ordered) problems.push(`${ordered} withdrawals were answered, the ledger has ${all.length}`)
  for (const [i, accountId] of accounts.entries()) {
    const left = Number((await balanceOf(accountId))?.totalBalance)
    const wanted = deposited - (each[i]?.filter(({ status }) => status === 'COMPLETED').length ?? 0)
    if (left !== wanted) problems.push(`account ${accountId} has ${left}, not ${wanted}`)
  }
  const { body } = await ask('blockchain', 'GET', `/addresses/${to}?network=${network}`)
  const paid = Number(body.data.find((coin: { currency: string }) => coin.currency === 'POL')?.amount ?? 0)
  const completed = all.filter(({ status }) => status === 'COMPLETED').length
  if (paid !== completed)
    problems.push(`the chain has paid ${paid}, the ledger has ${completed} COMPLETED: ${JSON.stringify(body)}`)
  const [first] = instances
  const audit = await runCommand('audit', ['--data-dir', first?.env.DATA_DIR ?? ''], { env: first?.env ?? {} })
  if (audit.code !== 0) problems.push(`audit: ${audit.said}`)
  console.log(
    `${ordered} withdrawals ordered, ${states.join(', ')}, ${paid} paid, ${kills} instances killed, ${problems.length} wrong`,
  )
  return problems
}
