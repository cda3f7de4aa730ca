// Money that moves through the gateways, and the record that the callers keep of what they were answered.
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
import { type Answer, type Callers, callersOf } from './callers'
import type { Deployment } from './deployment'

/** A transaction that the ledger has answered for. */
export interface Ordered {
  id: string
  type: 'WITHDRAWAL' | 'TRANSFER'
  account: string
  /** Whom it pays: an address that nothing else pays, or another account. */
  to: string
  network: Network
  amount: bigint
}

/** A transfer on a chain to an account's address. */
export interface PaidIn {
  account: string
  network: Network
  hash: string
  amount: bigint
}

export interface Account {
  id: string
  addresses: Readonly<Record<Network, string>>
}

/** What the callers know in the end. */
export interface Knowledge {
  readonly accounts: readonly Account[]
  /** The ids of the coins. */
  readonly assets: Readonly<Record<Network, string>>
  readonly ordered: Map<string, Ordered>
  readonly paidIn: Map<string, PaidIn>
  /** Orders that nobody answered in time: whether they acted is not known. */
  readonly unanswered: Omit<Ordered, 'id'>[]
  /** What callers were answered that must not be. */
  readonly problems: string[]
}

/** A node of the test's own, and a network that the blockchain service simulates. */
const coins = { ethereum: 'ETH', polygon: 'POL' } as const
export type Network = keyof typeof coins
export const networks = Object.keys(coins) as Network[]
/** A thousandth of a coin of 18 decimals: all amounts are some of these. */
const part = 10n ** 15n
const decimalOf = (amount: bigint): string => String(Number(amount / part) / 1000)
/** What each account begins with, of each coin. */
const atFirst = 1_000_000n * part

/** Accounts with money. */
export async function prepare(
  deployment: Deployment,
  accounts: number,
): Promise<{ callers: Callers; known: Knowledge }> {
  const callers = callersOf(deployment.gateways)
  await until(() => callers.logIn().then(() => true), { what: 'the administrator to log in' })
  const known: Knowledge = {
    accounts: [],
    assets: Object.fromEntries(
      await Promise.all(networks.map((network) => newAsset(callers, network))),
    ) as Knowledge['assets'],
    ordered: new Map(),
    paidIn: new Map(),
    unanswered: [],
    problems: [],
  }
  const made = await Promise.all(Array.from({ length: accounts }, (_, i) => newAccount(callers, i)))
  ;(known.accounts as Account[]).push(...made)
  const database = new Bun.SQL(deployment.postgres.url, { max: 1 })
  const isWatched = async () => {
    const [row] = await database.unsafe('SELECT count(*) AS n FROM wallet.wallets WHERE watched_at IS NULL')
    return Number(row.n) === 0
  }
  await until(isWatched, { what: 'all addresses to be watched' })
  await database.close()
  await deployment.node.pay(await hotAddress(deployment), null, part * 10_000n)
  for (const account of made)
    for (const network of networks) await payIn(deployment, callers, known, account, network, atFirst)
  const isCredited = async ({ id }: Account) =>
    (await balancesOf(callers, id)).filter(({ availableBalance }) => Number(availableBalance) === 1000).length === 2
  const areAll = async () => (await Promise.all(made.map(isCredited))).every(Boolean)
  await until(areAll, { what: 'the first deposits' })
  return { callers, known }
}

async function newAsset(callers: Callers, network: Network): Promise<[Network, string]> {
  const code = coins[network]
  const body = { code, name: code, decimalPlaces: 18, address: 'native', network }
  return [network, (await callers.require({ method: 'POST', path: '/core/v1/assets', body })).id]
}

async function newAccount(callers: Callers, i: number): Promise<Account> {
  const customer = { externalId: `c-${i}`, status: 'active' }
  const { id: customerId } = await callers.require({ method: 'POST', path: '/customer/v1/customers', body: customer })
  const body = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId }
  const { id } = await callers.require({ method: 'POST', path: '/account/v1/accounts', body })
  const addressOn = async (network: Network): Promise<[Network, string]> => {
    const path = `/wallet/v1/wallets/account/${id}/network/${network}?createIfNotExists=true`
    const address = async () => (await callers.ask({ method: 'GET', path }))?.body.address
    return [network, await until(address, { what: `a wallet of ${id}` })]
  }
  return { id, addresses: Object.fromEntries(await Promise.all(networks.map(addressOn))) as Account['addresses'] }
}

/** The platform's own, which pays the node's fees. */
async function hotAddress({ machines }: Deployment): Promise<string> {
  const env = machines[0]?.env ?? {}
  const identity = createIdentity('core-ledger', openInternalSecret('', env.INTERNAL_SECRET), () => new Date())
  const urls = { wallet: env.WALLET_URL?.split(',')[0] } as never
  const client = createClient({ name: 'core-ledger', identity, urls })
  const { items } = await until(() => client.call(getDeploymentHoldings, { params: { network: 'ethereum' } }), {
    what: 'the address of the wallet service',
  })
  const hot = items.find(({ accountId }) => accountId === null)
  if (!hot) throw new Error('The wallet service names no address of its own')
  return hot.address
}

export const balancesOf = async (callers: Callers, account: string) =>
  (await callers.require({ method: 'GET', path: `/core/v1/balances/account/${account}` })) as {
    assetId: string
    availableBalance: string
    totalBalance: string
  }[]

let lastPaid: Promise<unknown> = Promise.resolve()

/** Transfers on a chain. On the simulated one the answer is what is known of it. */
async function payIn(
  { node }: Deployment,
  callers: Callers,
  known: Knowledge,
  account: Account,
  network: Network,
  amount: bigint,
): Promise<void> {
  const address = account.addresses[network]
  if (network === 'ethereum') {
    // One after the other: the node gives the bank's transactions their nonces.
    const paying = lastPaid.then(() => node.pay(address, null, amount))
    lastPaid = paying.catch(() => {})
    const hash = await paying
    known.paidIn.set(hash, { account: account.id, network, hash, amount })
    return
  }
  const body = { address, asset: coins[network], amount: decimalOf(amount) }
  const answer = await callers.ask({ method: 'POST', path: `/blockchain/v1/simulated/${network}/deposits`, body })
  const hash = answer?.body?.transactionHash
  if (answer === null) throw new Error('Nobody answers: a deposit was asked for in vain')
  if (answer.status !== 201) known.problems.push(`A deposit was answered with ${JSON.stringify(answer)}`)
  else if (known.paidIn.has(hash)) known.problems.push(`Two deposits were answered with the hash ${hash}`)
  else known.paidIn.set(hash, { account: account.id, network, hash, amount })
}

/** Moves money until it is over, one thing after another. */
export async function moveMoney(
  deployment: Deployment,
  callers: Callers,
  known: Knowledge,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const [account, other] = [pick(known.accounts), pick(known.accounts)]
    const network = pick(networks)
    const amount = BigInt(1 + Math.floor(Math.random() * 50)) * part
    const dice = Math.random()
    if (dice < 0.2) await payIn(deployment, callers, known, account, network, amount)
    else if (dice < 0.4 && account !== other)
      await order(callers, known, { type: 'TRANSFER', account: account.id, to: other.id, network, amount })
    else await order(callers, known, { type: 'WITHDRAWAL', account: account.id, to: freshAddress(), network, amount })
  }
}

async function order(callers: Callers, known: Knowledge, one: Omit<Ordered, 'id'>): Promise<void> {
  const { type, account, to, network, amount } = one
  const terms = { assetId: known.assets[network], amount: decimalOf(amount) }
  const [path, body] =
    type === 'TRANSFER'
      ? ['transfer', { fromAccountId: account, toAccountId: to, ...terms }]
      : ['withdrawal', { accountId: account, network, destinationAddress: to, ...terms }]
  const asking = { method: 'POST', path: `/core/v1/transactions/${path}`, body, key: crypto.randomUUID() } as const
  // Now and then a caller sends it twice at once, perhaps to two gateways: it is one order all the same.
  const copies = Math.random() < 0.1 ? 2 : 1
  const answers = await Promise.all(Array.from({ length: copies }, () => callers.ask(asking)))
  const answered = answers.filter((answer): answer is Answer => answer !== null)
  if (answered.length === 0) known.unanswered.push(one)
  for (const answer of answered) {
    const { id } = answer.body
    if (answer.status !== 201) known.problems.push(`A ${type} was answered with ${JSON.stringify(answer)}`)
    else if (id !== answered[0]?.body.id)
      known.problems.push(`A ${type} was answered as ${id} and ${answered[0]?.body.id}`)
    else known.ordered.set(id, { id, ...one })
  }
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

/** Of nobody; the sandbox takes those that end in 9999 for sanctioned. */
const freshAddress = (): string =>
  `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20)))
    .toString('hex')
    .slice(0, 39)}a`
