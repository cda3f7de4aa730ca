// Mixed movements on the simulated networks while services and Redis are killed, and what must hold in the end.
import { until } from '@bursar/testing'
import { type Coin, coins, eventProblems, type Payment, problemsOf, type Transaction } from './chains-checks'
import { type ChainService, type Groups, type Stack, startStack } from './chains-stack'

export interface ChaosOptions {
  seed: number
  movements: number
  kills: number
  /** Movements that are under way at the same time. */
  lanes: number
  /** The services of a process each, which are then also stopped, and killed again as they start; unless given, one each. */
  groups?: Groups | undefined
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

/** As `scripts/start --in-groups` has them, with notifications, which are then compared with the ledger. */
export const inGroups: Groups = [['core-ledger', 'account', 'customer'], ['wallet', 'blockchain'], ['notification']]

const victims = ['wallet', 'blockchain', 'core-ledger', 'redis'] as const

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const stack = await startStack({}, undefined, options.groups)
  try {
    return await chaosOn(stack, options)
  } finally {
    await stack.close()
  }
}

async function chaosOn(
  stack: Stack,
  { seed, movements, kills, lanes, groups, print }: ChaosOptions,
): Promise<ChaosReport> {
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
        // The answer to the withdrawal is under way: its verdict is not known yet.
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
  const badEnds: string[] = []
  async function killer(): Promise<void> {
    for (const moment of moments) {
      await until(() => made > moment, { what: `movement ${moment}`, timeoutMs: 600_000 })
      const [victim, delayMs, awayMs] = [pickBy(random)(victims), random() * 100, random() * 500]
      await Bun.sleep(delayMs)
      killed += 1
      const way = groups ? (ways[killed % ways.length] as Way) : 'kill'
      print(`${way} ${killed}: ${victim} after ${made} movements`)
      if (victim === 'redis') await killRedis(stack, awayMs)
      else badEnds.push(...(await endAndStart(stack, victim, way, awayMs)))
    }
  }

  const screening = screener()
  for (const account of accounts) for (const coin of assets) await deposit(coin, account, 40)
  await until(() => settled(stack, deposits.length), { what: 'the first deposits' })
  print(`${deposits.length} accounts have money`)
  await Promise.all([killer(), ...Array.from({ length: lanes }, lane)])
  print(
    `${made} movements made: ${deposits.length} deposits, ${withdrawals.length} withdrawals, ${refusedCount()} refused`,
  )
  await stack.allReady()
  const all = await until(() => settled(stack, deposits.length + withdrawals.length), {
    what: 'all movements to end',
  })
  isOver = true
  await screening
  const problems = await problemsOf(stack, { all, accounts, assets, deposits, withdrawals, rejected })
  if (groups) problems.push(...badEnds, ...(await eventProblems(stack, all)))
  return {
    problems,
    withdrawals: withdrawals.length,
    deposits: deposits.length,
    refused: refusedCount(),
    kills: killed,
  }
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

async function killRedis(stack: Stack, awayMs: number): Promise<void> {
  await stack.redis.kill()
  await Bun.sleep(awayMs)
  await stack.redis.restart()
}

const ways = ['kill', 'kill twice', 'stop', 'stop at the start'] as const
type Way = (typeof ways)[number]

/** Answers what was wrong with the end of the process. */
async function endAndStart(stack: Stack, victim: ChainService, way: Way, awayMs: number): Promise<string[]> {
  const isStopped = way.startsWith('stop')
  if (way === 'stop at the start') {
    await stack.kill(victim)
    stack.start(victim)
  }
  // A process that has loaded nothing yet ends by the signal itself. At the start the others of its own may still be starting.
  if (isStopped) await (way === 'stop' ? stack.allReady() : stack.ready(victim))
  const code = await stack.kill(victim, isStopped ? 'SIGTERM' : 'SIGKILL')
  if (way === 'kill twice') {
    stack.start(victim)
    await Bun.sleep(awayMs)
    await stack.kill(victim)
  }
  stack.start(victim)
  return isStopped && code !== 0 ? [`${victim} ended with ${code} by SIGTERM (${way})`] : []
}

/** All transactions once none is open; null before. */
async function settled(stack: Stack, expected: number): Promise<Transaction[] | null> {
  const { body } = await stack.ask<Transaction[]>('core-ledger', 'GET', '/transactions')
  const isOpen = body.some(({ status }) => status === 'PENDING' || status === 'APPROVED')
  return isOpen || body.length < expected ? null : body
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
