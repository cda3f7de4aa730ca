// Mixed movements on the simulated networks while services and Redis are killed, and what must hold in the end.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { until } from '@bursar/testing'
import { type ChainService, type Stack, startStack } from './chains-stack'

export interface ChaosOptions {
  seed: number
  movements: number
  kills: number
  /** Movements that are under way at the same time. */
  lanes: number
  print: (text: string) => void
}

/** What was found wrong; [] when all holds. */
export interface ChaosReport {
  problems: string[]
  withdrawals: number
  deposits: number
  refused: number
  kills: number
}

const coins = [
  { network: 'polygon', code: 'POL', decimals: 18, address: 'native' },
  { network: 'polygon', code: 'USDC', decimals: 6, address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  { network: 'base', code: 'ETH', decimals: 18, address: 'native' },
] as const
type Coin = (typeof coins)[number] & { id: string }
const victims = ['wallet', 'blockchain', 'core-ledger', 'redis'] as const

interface Payment {
  id: string
  coin: Coin
  amount: number
  to: string
}
interface Transaction {
  id: string
  type: string
  status: string
  txHash: string | null
}

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const stack = await startStack()
  try {
    return await chaosOn(stack, options)
  } finally {
    await stack.close()
  }
}

async function chaosOn(stack: Stack, { seed, movements, kills, lanes, print }: ChaosOptions): Promise<ChaosReport> {
  const random = randomFrom(seed)
  const assets: Coin[] = []
  for (const { code, decimals, network, address } of coins) {
    const body = { code, name: code, decimalPlaces: decimals, network, address }
    const { body: made } = await stack.ask<{ id: string }>('core-ledger', 'POST', '/assets', body)
    assets.push({ code, decimals, network, address, id: made.id } as Coin)
  }
  const accounts = await Promise.all(Array.from({ length: 6 }, (_, i) => newAccount(stack, i)))
  const { deposits, withdrawals, rejected, refusedCount, deposit, withdraw } = movementsOn(stack, {
    random,
    assets,
    accounts,
  })
  let made = 0
  let isOver = false

  async function lane(): Promise<void> {
    while (made < movements) {
      made += 1
      const dice = random()
      if (dice < 0.45) await deposit()
      else await withdraw(dice < 0.5, dice > 0.95)
    }
  }
  /** Approves what is new, save the withdrawals that are to be rejected. */
  async function screener(): Promise<void> {
    while (!isOver) {
      const { body } = await stack.ask<Transaction[]>('core-ledger', 'GET', '/transactions?status=PENDING&limit=200')
      for (const { id } of body) {
        // A withdrawal whose answer is on its way: its verdict is not known yet.
        const isKnown = withdrawals.some((each) => each.id === id) || (await isDeposit(id))
        if (!isKnown && made < movements) continue
        await stack.ask('core-ledger', 'POST', '/transactions/complete-screening', {
          id,
          isApproved: !rejected.has(id),
        })
      }
      await Bun.sleep(20)
    }
  }
  const isDeposit = async (id: string) =>
    (await stack.ask<Transaction>('core-ledger', 'GET', `/transactions/${id}`)).body.type === 'DEPOSIT'
  // At moments that the seed chooses, counted in movements: on a slow machine they are the same ones.
  const moments = Array.from({ length: kills }, () => Math.floor(random() * movements)).sort(
    (one, other) => one - other,
  )
  let killed = 0
  async function killer(): Promise<void> {
    for (const moment of moments) {
      await until(() => made > moment, { what: `movement ${moment}`, timeoutMs: 600_000 })
      const [victim, delayMs, awayMs] = [pickBy(random)(victims), random() * 100, random() * 500]
      await Bun.sleep(delayMs)
      killed += 1
      print(`kill ${killed}: ${victim} after ${made} movements`)
      await killAndStart(stack, victim, awayMs)
    }
  }

  const screening = screener()
  for (const account of accounts) for (const coin of assets) await deposit(coin, account, 40)
  await until(() => settled(stack, deposits.length), { what: 'the first deposits', timeoutMs: 60_000 })
  print(`${deposits.length} accounts have money`)
  await Promise.all([killer(), ...Array.from({ length: lanes }, lane)])
  print(
    `${made} movements made: ${deposits.length} deposits, ${withdrawals.length} withdrawals, ${refusedCount()} refused`,
  )
  await Promise.all((['wallet', 'blockchain', 'core-ledger'] as const).map(stack.ready))
  const all = await until(() => settled(stack, deposits.length + withdrawals.length), {
    what: 'all movements to end',
    timeoutMs: 180_000,
  })
  isOver = true
  await screening
  const problems = await problemsOf(stack, { all, accounts, assets, deposits, withdrawals, rejected })
  return {
    problems,
    withdrawals: withdrawals.length,
    deposits: deposits.length,
    refused: refusedCount(),
    kills: killed,
  }
}

interface Made {
  all: Transaction[]
  accounts: { id: string }[]
  assets: Coin[]
  deposits: { coin: Coin; amount: number; hash: string }[]
  withdrawals: Payment[]
  rejected: Set<string>
}

/** Everything that does not agree, once all movements have ended. */
async function problemsOf(
  stack: Stack,
  { all, accounts, assets, deposits, withdrawals, rejected }: Made,
): Promise<string[]> {
  const byId = new Map(all.map((each) => [each.id, each]))
  return [
    ...(await paymentProblems(stack, withdrawals, rejected, byId)),
    ...depositProblems(deposits, all),
    ...chainProblems(stack, all),
    ...(await totalProblems(
      stack,
      accounts,
      deposits,
      withdrawals.filter(({ id }) => byId.get(id)?.status === 'COMPLETED'),
      assets,
    )),
    ...(await scriptProblems(stack)),
  ]
}

interface Means {
  random: () => number
  assets: Coin[]
  accounts: { id: string; addresses: Record<string, string> }[]
}

/** Makes movements, and remembers what was made. */
function movementsOn(stack: Stack, { random, assets, accounts }: Means) {
  const pick = pickBy(random)
  const deposits: { coin: Coin; amount: number; hash: string }[] = []
  const withdrawals: Payment[] = []
  const rejected = new Set<string>()
  let refused = 0

  async function deposit(
    coin = pick(assets),
    { addresses } = pick(accounts),
    amount = 1 + Math.floor(random() * 20),
  ): Promise<void> {
    const asset = coin.address === 'native' ? coin.code : coin.address
    const body = { address: addresses[coin.network], asset, amount: String(amount) }
    const path = `/simulated/${coin.network}/deposits`
    const { body: paid } = await stack.ask<{ transactionHash: string }>('blockchain', 'POST', path, body)
    deposits.push({ coin, amount, hash: paid.transactionHash })
  }
  async function withdraw(isBad: boolean, isRejected: boolean): Promise<void> {
    const [coin, account] = [pick(assets), pick(accounts)]
    const amount = 1 + Math.floor(random() * 8)
    const to = isBad ? 'nowhere at all' : `0x${Buffer.from(bytes(random, 20)).toString('hex')}`
    const body = {
      accountId: account.id,
      network: coin.network,
      assetId: coin.id,
      amount: String(amount),
      destinationAddress: to,
    }
    const { status, body: answer } = await stack.ask<{ id: string }>(
      'core-ledger',
      'POST',
      '/transactions/withdrawal',
      body,
    )
    if (status !== 201) {
      refused += 1
      return
    }
    if (isRejected) rejected.add(answer.id)
    withdrawals.push({ id: answer.id, coin, amount, to })
  }
  return { deposits, withdrawals, rejected, refusedCount: () => refused, deposit, withdraw }
}

const pickBy =
  (random: () => number) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T

async function newAccount(stack: Stack, i: number) {
  const { body: customer } = await stack.ask<{ id: string }>('customer', 'POST', '/customers', {
    externalId: `c-${i}`,
    status: 'active',
  })
  const body = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  const { body: account } = await stack.ask<{ id: string }>('account', 'POST', '/accounts', body)
  const addresses: Record<string, string> = {}
  for (const network of ['polygon', 'base']) {
    const path = `/wallets/account/${account.id}/network/${network}?createIfNotExists=true`
    addresses[network] = (await stack.ask<{ address: string }>('wallet', 'GET', path)).body.address
  }
  return { id: account.id, addresses }
}

async function killAndStart(stack: Stack, victim: ChainService | 'redis', awayMs: number): Promise<void> {
  if (victim === 'redis') {
    await stack.redis.kill()
    await Bun.sleep(awayMs)
    return await stack.redis.restart()
  }
  await stack.kill(victim)
  await Bun.sleep(awayMs)
  stack.start(victim)
}

/** All transactions once none is open; null before. */
async function settled(stack: Stack, expected: number): Promise<Transaction[] | null> {
  const { body } = await stack.ask<Transaction[]>('core-ledger', 'GET', '/transactions')
  const isOpen = body.some(({ status }) => status === 'PENDING' || status === 'APPROVED')
  return isOpen || body.length < expected ? null : body
}

/** Each destination is used once: what it holds says whether its withdrawal was paid never, once or twice. */
async function paymentProblems(
  stack: Stack,
  payments: Payment[],
  rejected: Set<string>,
  byId: Map<string, Transaction>,
) {
  const problems: string[] = []
  for (const { id, coin, amount, to } of payments) {
    const { body } = await stack.ask<{ data: { currency: string; amount: string }[] }>(
      'blockchain',
      'GET',
      `/addresses/${to}?network=${coin.network}`,
    )
    const held = Number(body.data.find(({ currency }) => currency === coin.code)?.amount ?? 0)
    const status = byId.get(id)?.status
    const expected = status === 'COMPLETED' ? amount : 0
    if (held !== expected)
      problems.push(`withdrawal ${id} of ${amount} ${coin.code} is ${status}, and ${to} holds ${held}`)
    if (rejected.has(id) === (status === 'COMPLETED'))
      problems.push(`withdrawal ${id} is ${status}, rejected: ${rejected.has(id)}`)
  }
  return problems
}

function depositProblems(deposits: { hash: string }[], all: Transaction[]): string[] {
  return deposits.flatMap(({ hash }) => {
    const found = all.filter(({ type, txHash }) => type === 'DEPOSIT' && txHash === hash)
    return found.length === 1 && found[0]?.status === 'COMPLETED'
      ? []
      : [`deposit ${hash} is in the ledger ${found.length} times: ${found.map(({ status }) => status)}`]
  })
}

/** Every transaction that the chain has of an order is that of one completed withdrawal. */
function chainProblems({ dataDir }: Stack, all: Transaction[]): string[] {
  const database = new Database(join(dataDir, 'blockchain.sqlite'), { readonly: true })
  const rows = database
    .query(
      'SELECT a.send_id AS id, count(*) AS times, max(t.tx_hash) AS hash FROM simulated_transactions t JOIN attempts a ON a.tx_hash = t.tx_hash AND a.network = t.network WHERE t.failure IS NULL GROUP BY a.send_id',
    )
    .all() as { id: string; times: number; hash: string }[]
  database.close()
  const paid = new Map(
    all.filter(({ type, status }) => type === 'WITHDRAWAL' && status === 'COMPLETED').map((each) => [each.id, each]),
  )
  const wrong = rows.filter(({ id, times, hash }) => times !== 1 || paid.get(id)?.txHash !== hash)
  const missing = [...paid.keys()].filter((id) => !rows.some((row) => row.id === id))
  return [
    ...wrong.map(
      ({ id, times }) =>
        `order ${id} is on the chain ${times} times, and ${paid.get(id)?.status ?? 'not completed'} in the ledger`,
    ),
    ...missing.map((id) => `withdrawal ${id} is completed, and on no chain`),
  ]
}

/** The ledger's totals are what came in less what went out, counted by this script. */
async function totalProblems(
  stack: Stack,
  accounts: { id: string }[],
  deposits: { coin: Coin; amount: number }[],
  paid: Payment[],
  assets: Coin[],
) {
  const totals = new Map<string, number>()
  for (const { id } of accounts) {
    const { body } = await stack.ask<{ assetCode: string; totalBalance: string; frozenBalance: string }[]>(
      'core-ledger',
      'GET',
      `/balances/account/${id}`,
    )
    for (const { assetCode, totalBalance } of body)
      totals.set(assetCode, (totals.get(assetCode) ?? 0) + Number(totalBalance))
  }
  const sum = (list: { coin: Coin; amount: number }[], code: string) =>
    list.filter(({ coin }) => coin.code === code).reduce((total, { amount }) => total + amount, 0)
  return assets.flatMap(({ code }) => {
    const expected = sum(deposits, code) - sum(paid, code)
    const actual = totals.get(code) ?? 0
    return actual === expected ? [] : [`the ledger has ${actual} ${code}, and ${expected} came in and stayed`]
  })
}

/** What the project's own checks say: orders and withdrawals both ways, holdings, books. */
async function scriptProblems(stack: Stack): Promise<string[]> {
  const found = []
  for (const script of ['reconcile', 'audit']) {
    const { code, said } = await stack.run(script, ['--data-dir', stack.dataDir])
    if (code !== 0) found.push(`bun run ${script}: ${said}`)
    else if (script === 'reconcile' && !/, 0 too many/.test(said)) found.push(`more is held than owed: ${said}`)
  }
  return found
}

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const bytes = (random: () => number, length: number) => Array.from({ length }, () => Math.floor(random() * 256))
