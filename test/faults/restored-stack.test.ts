// The worst day, as a person has it: a backup under load, a restore, a start, what the starter says, the release of what
// waits, and the reconciliation. All by the project's own commands, on processes of their own.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { serviceNames, services } from '@bursar/contracts/services'
import { freePort, tempDir, until } from '@bursar/testing'
import { redisUrlOf } from '../../scripts/stack/redis'
import { makeCheapSeed } from '../cheap-seed'
import { lineOfCommand, lineOfServices, runCommand } from '../commands'

const root = join(import.meta.dir, '../..')
const names = ['log-tracker', 'customer', 'account', 'core-ledger', 'wallet', 'blockchain'] as const
type Name = (typeof names)[number]
const patienceMs = 60_000
/** Simulated: no node is needed, and the chain is in the backup. */
const network = 'testchain'
const coin = 'COIN'

const env: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  REDIS_SERVER: process.env.REDIS_SERVER ?? '',
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  DATA_DIR: tempDir(),
  REDIS_PORT: String(await freePort()),
  NETWORK_POLL_MS: '100',
}
for (const name of serviceNames) {
  const port = (names as readonly string[]).includes(name) ? await freePort() : 9
  env[`${services[name].slug.toUpperCase()}_PORT`] = String(port)
}
await makeCheapSeed(env.DATA_DIR ?? '')
const originOf = (name: Name) => `http://127.0.0.1:${env[`${services[name].slug.toUpperCase()}_PORT`]}`

interface Started {
  process: Bun.Subprocess
  said: string
}
const stacks: Started[] = []
afterAll(async () => {
  for (const { process } of stacks) process.kill('SIGKILL')
  await Promise.all(stacks.map(({ process }) => process.exited))
})

/** As `scripts/start --only …` does once everything is installed; answers when it says that it is ready. */
async function start(only: readonly Name[]): Promise<Started> {
  const started = spawned(await lineOfCommand('run-stack', '--only', only.join(',')))
  await until(() => started.said.includes('Bursar is ready') || started.process.exitCode !== null, {
    what: 'the stack to be ready',
    timeoutMs: patienceMs,
  })
  expect(started.said).toContain('Bursar is ready')
  return started
}

/** One service by itself, beside a stack on the same folder. */
async function startAlone(name: Name, more: Record<string, string>): Promise<Started> {
  const started = spawned(lineOfServices(name), more)
  await eventually(`${name} to answer`, async () => (await fetch(`${originOf(name)}/health/live`)).ok)
  return started
}

function spawned(command: readonly string[], more: Record<string, string> = {}): Started {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...env, ...more },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const started: Started = { process: child, said: '' }
  stacks.push(started)
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) started.said += decoder.decode(chunk, { stream: true })
  }
  void collect(child.stdout)
  void collect(child.stderr)
  return started
}

async function stop({ process }: Started): Promise<void> {
  process.kill('SIGINT')
  expect(await process.exited).toBe(0)
}

async function run(script: string, ...args: string[]): Promise<string> {
  const ran = await runCommand(script, args, { env })
  expect({ script, ...ran }).toMatchObject({ code: 0 })
  return ran.out
}

interface Row {
  id: string
  status: string
  address: string
  availableBalance: string
  frozenBalance: string
}

async function ask<Body = Row>(name: Name, method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  const text = body && JSON.stringify(body)
  const answer = await fetch(`${originOf(name)}/v1${path}`, { method, headers, body: text })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const eventually = <T>(what: string, find: () => Promise<T>) => until(find, { what, timeoutMs: patienceMs })
const withdrawalsOf = (accountId: string) =>
  ask<Row[]>('core-ledger', 'GET', `/transactions?accountId=${accountId}&type=WITHDRAWAL`)
const screen = (id: string) => ask('core-ledger', 'POST', '/transactions/complete-screening', { id, isApproved: true })

/** More than can be withdrawn while a busy machine takes a backup. */
const coins = 1_000_000

/** An account with these coins, on the chain and in the books. */
async function fundedAccount() {
  const customer = await ask('customer', 'POST', '/customers', { externalId: 'c-1', status: 'active' })
  const account = await eventually('the account to be opened', () =>
    ask('account', 'POST', '/accounts', {
      type: 'STABLECOINS',
      status: 'active',
      name: 'Main',
      customerId: customer.id,
    }),
  )
  const asset = await ask('core-ledger', 'POST', '/assets', {
    code: coin,
    name: 'A coin',
    decimalPlaces: 18,
    address: 'native',
    network,
  })
  const wallet = `/wallets/account/${account.id}/network/${network}?createIfNotExists=true`
  const { address } = await eventually('the wallet', () => ask('wallet', 'GET', wallet))
  await eventually('the coins to arrive', () =>
    ask('blockchain', 'POST', `/simulated/${network}/deposits`, { address, asset: coin, amount: String(coins) }),
  )
  const deposit = await eventually('the deposit in the ledger', async () => {
    const [found] = await ask<Row[]>('core-ledger', 'GET', `/transactions?accountId=${account.id}`)
    return found
  })
  await screen(deposit.id)
  await eventually(
    'the deposit to be credited',
    async () => (await balanceOf(account.id)).availableBalance === String(coins),
  )
  return { accountId: account.id, assetId: asset.id }
}

async function balanceOf(accountId: string): Promise<Row> {
  const [balance] = await ask<Row[]>('core-ledger', 'GET', `/balances/account/${accountId}`)
  return balance ?? ({ availableBalance: '0', frozenBalance: '0' } as Row)
}

/** As the wallet service's health says. */
async function ordersThatWait(): Promise<number> {
  const { waiting = [] } = (await (await fetch(`${originOf('wallet')}/health`)).json()) as { waiting?: string[] }
  return Number(/(\d+) orders from before a restore/.exec(waiting.join())?.[1] ?? 0)
}

/** Withdrawals of one coin each, approved, one after the other until it is stopped; answers with their ids. */
function load(accountId: string, assetId: string) {
  const approved: string[] = []
  let stopped = false
  const working = (async () => {
    while (!stopped) {
      const terms = { accountId, network, assetId, amount: '1', destinationAddress: 'somebody-else' }
      // Again where a busy machine is late for a call between services.
      const { id } = await eventually('a withdrawal', () =>
        ask('core-ledger', 'POST', '/transactions/withdrawal', terms),
      )
      await screen(id)
      approved.push(id)
    }
  })()
  const end = async () => {
    stopped = true
    await working
  }
  return { approved, end }
}

test('a stack restored with orders under way comes up, stays, says what waits, and is right once that is released', async () => {
  // The blockchain service runs beside the stack, and shares its Redis: a folder has one starter.
  const first = await start(names.filter((name) => name !== 'blockchain'))
  const chain = await startAlone('blockchain', { REDIS_URL: redisUrlOf(env, env.DATA_DIR ?? '') })
  expect(first.said + chain.said).not.toContain('waits for a person')
  const { accountId, assetId } = await fundedAccount()

  // It is away: what is ordered now is under way for as long.
  await stop(chain)
  const folder = join(tempDir(), 'copy')
  const working = load(accountId, assetId)
  await eventually('orders to be under way', async () => working.approved.length >= 5)
  const before = [...working.approved]
  expect(await run('backup', folder)).toContain('found nothing wrong')
  await eventually('some more after the backup', async () => working.approved.length > before.length + 1)
  await working.end()
  await stop(first)
  expect(await run('restore', folder, '--incomplete')).toContain('its audit found nothing wrong')

  const second = await start(names)
  await eventually('the starter to say what waits', async () =>
    /wallet: \d+ orders from before a restore wait for an operator: bun run wallet:held/.test(second.said),
  )
  // What was acknowledged before the backup is there, and waits; the rest of the platform works.
  const restored = await withdrawalsOf(accountId)
  expect(before.filter((id) => !restored.some((row) => row.id === id))).toEqual([])
  const approved = restored.filter(({ status }) => status === 'APPROVED').map(({ id }) => id)
  expect(before.filter((id) => !approved.includes(id))).toEqual([])
  await eventually('all of them to wait', async () => (await ordersThatWait()) >= approved.length)
  const list = await run('wallet-held')
  expect(approved.filter((id) => !list.includes(id))).toEqual([])
  expect(list).toContain('restored')
  await ask('customer', 'POST', '/customers', { externalId: 'c-2', status: 'active' })
  await run('reconcile', '--after-restore')

  const [one = '', ...others] = approved
  const isCompleted = async (ids: readonly string[]) => {
    const rows = await withdrawalsOf(accountId)
    return ids.every((id) => rows.find((row) => row.id === id)?.status === 'COMPLETED')
  }
  await run('wallet-held', '--release', one)
  await eventually('the released order to be paid', () => isCompleted([one]))
  expect((await withdrawalsOf(accountId)).filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
  await run('wallet-held', '--end')
  await eventually('all others to be paid', () => isCompleted(others))
  const { availableBalance, frozenBalance } = await balanceOf(accountId)
  const pending = restored.length - approved.length
  expect([availableBalance, frozenBalance]).toEqual([String(coins - restored.length), String(pending)])
  const said = await Promise.all(['reconcile', 'audit', 'wallet-held'].map((script) => run(script)))
  const right = ['0 differ', 'The books are right', 'Nothing waits']
  expect(said).toEqual(right.map((words) => expect.stringContaining(words)))
  expect(second.process.exitCode).toBeNull()
  expect(second.said).not.toContain('ended by itself')
  await stop(second)
})
