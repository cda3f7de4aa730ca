// Money on chains: `bun test/bench/chains.ts [withdrawals]` (1000): how fast addresses are derived and transactions signed,
// and how long approved withdrawals take until they are COMPLETED, on a simulated network and on anvil. With `--ended`: the
// processor time of a withdrawal at the wallet and the blockchain service with 200,000 ended ones before it beside 1,000.
// Services run as processes of their own beside this one: on a small or busy machine compare runs, not figures.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { tempDir, until } from '@bursar/testing'
import { anvilBinary, startAnvil } from '../../services/blockchain/test/evm/anvil'
import { hotPlace } from '../../services/wallet/src/keys/key-place'
import { createSeedFile, openKeys } from '../../services/wallet/src/keys/seed-file'
import { chainServices, type Stack, startStack } from '../faults/chains-stack'
import { measureAfterEnded } from './after-ended'
import { hottest } from './profile'
import { allCompleted, payIn, type Setting, setting, side, type Transaction } from './withdrawals'

const withdrawals = Number(process.argv[2] ?? 1000)
const isProfiled = process.argv.includes('--profile')
const oneByOne = 10
const goal = { perSecond: 1000, p50Ms: 1000 }

if (process.argv.includes('--ended')) {
  await measureAfterEnded(withdrawals)
  process.exit(0)
}
await measureKeys()
await measure('simulated', withdrawals, { fund: payIn })
await measure('simulated, of 50 accounts', withdrawals, { accounts: 50, fund: payIn })
if (anvilBinary && !process.argv.includes('--no-anvil')) {
  const node = await startAnvil({ args: ['--block-time', '1'] })
  const env = {
    ETHEREUM_RPC_URLS: node.url,
    ETHEREUM_CHAIN_ID: '31337',
    ETHEREUM_CONFIRMATIONS: '1',
    NETWORK_POLL_MS: '100',
  }
  await measure('anvil, a block a second', Math.min(withdrawals, 200), {
    env,
    fund: (_, address) =>
      node.client
        .setBalance({ address: address as `0x${string}`, value: 10n ** 24n })
        .then(() => node.pay(address as `0x${string}`, 9000n * 10n ** 18n)),
  })
  await node.kill()
} else console.log('anvil: its binary is not there')
process.exit(0)

async function measureKeys(): Promise<void> {
  const folder = tempDir()
  await createSeedFile(folder, 'a passphrase for a bench', { cost: 2 ** 4, now: new Date() })
  const keys = await openKeys(folder, ['a passphrase for a bench'])
  const hash = new Uint8Array(32).fill(7)
  for (const family of ['evm', 'solana'] as const) {
    const rate = rateOf((i) => keys.addressOf(family, { account: i, index: 0 }))
    console.log(`derive ${family}: ${rate} addresses a second`)
  }
  console.log(`sign evm: ${rateOf(() => keys.signHash(hotPlace, hash))} a second`)
  console.log(`sign solana: ${rateOf(() => keys.signMessage(hotPlace, hash))} a second`)
  keys.close()
}

/** How often a second it can be done, after a warm-up. */
function rateOf(work: (i: number) => unknown): number {
  for (let i = 0; i < 50; i++) work(i)
  const started = performance.now()
  let done = 0
  while (performance.now() - started < 1000) work(1000 + done++)
  return Math.round((done * 1000) / (performance.now() - started))
}

async function measure(what: string, count: number, setting: Setting): Promise<void> {
  const profiles = isProfiled ? tempDir() : null
  const profiling = (name: string) => ['--cpu-prof-md', '--cpu-prof-dir', join(profiles ?? '', name)]
  const stack = await startStack(setting.env, profiles === null ? undefined : profiling)
  try {
    await measureOn(stack, what, count, setting)
    for (const name of profiles === null ? [] : chainServices) {
      await stack.kill(name, 'SIGTERM')
      console.log(`${name}\n${await hottest(join(profiles ?? '', name))}`)
    }
  } finally {
    await stack.close()
  }
}

async function measureOn(stack: Stack, what: string, count: number, wanted: Setting): Promise<void> {
  const { ledger, approve, withdraw } = await setting(stack, wanted)
  const alone = []
  for (let i = 0; i < oneByOne; i++) {
    const id = await withdraw(i)
    const started = performance.now()
    await approve(id)
    await until(async () => (await ledger<Transaction>('GET', `/transactions/${id}`)).status === 'COMPLETED')
    alone.push(Math.round(performance.now() - started))
  }
  alone.sort((one, other) => one - other)
  console.log(`${what}: one at a time, p50 ${alone[Math.floor(oneByOne / 2)]} ms, slowest ${alone.at(-1)} ms`)
  const ids: string[] = []
  await side(64, count, async (i) => {
    ids.push(await withdraw(i))
  })
  const before = await usageOf(stack)
  const approvedAt = new Map<string, number>()
  const started = Date.now()
  await side(64, count, async (i) => {
    const id = ids[i] as string
    await approve(id)
    approvedAt.set(id, Date.now())
  })
  const approvedMs = Date.now() - started
  const completed = await allCompleted(stack, oneByOne, count)
  const ends = completed.map(({ at }) => at)
  const waits = completed.map(({ id, at }) => at - (approvedAt.get(id) ?? 0)).sort((a, b) => a - b)
  const perSecond = Math.round((count * 1000) / (Math.max(...ends) - started))
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? 0
  console.log(
    `${what}: ${count} withdrawals, approved in ${approvedMs} ms: ${perSecond} a second from approved to COMPLETED, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (goal on the simulated network: ${goal.perSecond}, p50 below ${goal.p50Ms} ms)`,
  )
  for (const line of usageLines(before, await usageOf(stack), count)) console.log(`  ${line}`)
  for (const line of stages(stack, started)) console.log(`  ${line}`)
}

/** What the services have used up to now, by what it is: it says more than the clock on a machine that is shared. */
interface Usage {
  cpuMs: Record<string, number>
  calls: Record<string, number>
  events: Record<string, number>
}

async function usageOf(stack: Stack): Promise<Usage> {
  const usage: Usage = { cpuMs: {}, calls: {}, events: {} }
  for (const name of chainServices) {
    usage.cpuMs[name] = stack.cpuMs(name)
    const figures = await fetch(`${stack.urlOf(name)}/metrics`).then((answer) => answer.text())
    for (const [, method, route, times] of figures.matchAll(
      /^http_requests_total\{method="(\w+)",route="([^"]+)".*\} (\d+)$/gm,
    )) {
      const call = `${method} ${route}`
      if (route?.startsWith('/internal')) usage.calls[call] = (usage.calls[call] ?? 0) + Number(times)
    }
    const database = new Database(join(stack.dataDir, `${services[name].slug}.sqlite`), { readonly: true })
    const [row] = database.query("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").all() as { seq: number }[]
    usage.events[name] = row?.seq ?? 0
    database.close()
  }
  return usage
}

/** The difference, for each withdrawal. */
function usageLines(before: Usage, after: Usage, count: number): string[] {
  const parts = (what: keyof Usage, digits: number) => {
    const each = Object.entries(after[what]).map(([name, value]) => ({
      name,
      value: (value - (before[what][name] ?? 0)) / count,
    }))
    const shown = each.flatMap(({ name, value }) =>
      value * 10 ** digits >= 0.5 ? [`${name} ${value.toFixed(digits)}`] : [],
    )
    const sum = each.reduce((total, { value }) => total + value, 0)
    return `${sum.toFixed(digits)} (${shown.join(', ')})`
  }
  return [
    `processor time for each, in ms: ${parts('cpuMs', 2)}`,
    `calls between services for each: ${parts('calls', 2)}`,
    `events for each: ${parts('events', 1)}`,
  ]
}

/** When orders had come to each stage, in milliseconds since the first approval. */
function stages({ dataDir }: Stack, started: number): string[] {
  const read = (file: string, what: string, query: string) => {
    const database = new Database(join(dataDir, file), { readonly: true })
    const times = (database.query(query).all() as { at: number }[]).map(({ at }) => at - started)
    database.close()
    const at = (share: number) => times[Math.floor((times.length - 1) * share)]
    return `${what.padEnd(34)} first ${at(0)}, half ${at(0.5)}, last ${at(1)}`
  }
  return [
    read('wallet.sqlite', 'accepted by the wallet service', 'SELECT created_at AS at FROM orders ORDER BY at'),
    read('wallet.sqlite', 'taken by the blockchain service', 'SELECT handed_at AS at FROM orders ORDER BY at'),
    read('wallet.sqlite', 'signed', 'SELECT signed_at AS at FROM orders ORDER BY at'),
    read('blockchain.sqlite', 'signed attempt stored', 'SELECT created_at AS at FROM attempts ORDER BY at'),
    read('blockchain.sqlite', 'final on the chain', 'SELECT updated_at AS at FROM sends ORDER BY at'),
    read('wallet.sqlite', 'final at the wallet service', 'SELECT updated_at AS at FROM orders ORDER BY at'),
  ]
}
