// Who and what there is in a run: assets, customers, institutions, their accounts and addresses; and what was answered.
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
import { seedApproved, seedCustodianBank } from '../../../scripts/seed/institutions'
import type { Platform } from '../../../scripts/seed/platform'
import { hundredths } from './amounts'
import type { Client } from './client'
import { bank } from './node'
import type { Random } from './random'
import { rows } from './recount/read-files'
import type { Stack } from './stack'

export interface Asset {
  id: string
  code: string
  network: string
  decimals: number
  /** Null for the network's own coin. */
  contract: string | null
}
export interface Account {
  id: string
  customerId: string | null
  type: 'STABLECOINS' | 'PORTFOLIO' | 'OMNIBUS'
  /** By network. */
  addresses: ReadonlyMap<string, string>
}
export interface Institution {
  id: string
  key: string
  bankAccountId: string
  omnibus: Account
}

/** What an answer has promised: it must be found in the end, with these contents. */
export interface Promised {
  type: 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'
  accountId: string
  toAccountId: string | null
  assetId: string
  amount: bigint
  destination: string | null
}

export interface World {
  stack: Stack
  client: Client
  random: Random
  assets: readonly Asset[]
  accounts: readonly Account[]
  institutions: readonly Institution[]
  /** The wallet service's own address on the EVM networks. */
  hot: string
  /** Of these some are on the sanctions list at times. */
  listable: readonly string[]
  quoteAssets: readonly string[]
  /** Accounts of institutions that are gone for good. */
  offboarded: Set<string>
  /** Transactions of the ledger by their ids, as they were answered. */
  promised: Map<string, Promised>
  /** Payments between banks: id → amount in cents. */
  payments: Map<string, bigint>
  /** What was recorded as a deposit by hand: `network hash`. Some of it is on no chain: the sandbox takes it. */
  byHand: Set<string>
  /** Institutions' orders at the blockchain service, by their ids. */
  orders: Set<string>
  /** Suspended or paused, to be woken in the end: `account id`, `customer id`, `main-api id`. */
  suspended: Set<string>
  counts: Record<string, number>
}

export const count = ({ counts }: Pick<World, 'counts'>, what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

const assetsOf = (token: string): Omit<Asset, 'id'>[] => [
  { code: 'ETH', network: 'ethereum', decimals: 18, contract: null },
  { code: 'TUSD', network: 'ethereum', decimals: 6, contract: token },
  { code: 'POL', network: 'polygon', decimals: 18, contract: null },
  { code: 'USDC', network: 'polygon', decimals: 6, contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  { code: 'SOL', network: 'solana', decimals: 9, contract: null },
  // A network of no configuration: simulated in the sandbox. Deposits by hand that are on no chain are of it alone.
  { code: 'HARBOUR', network: 'harbour', decimals: 18, contract: null },
]
export const handmadeNetwork = 'harbour'
export const networks = ['ethereum', 'polygon', 'solana', handmadeNetwork] as const

const institutionNames = ['Lakeside Payments', 'Ridgeline Pay', 'Orchard Remittance']

interface Size {
  customers: number
  portfolios: number
  institutions: number
}

export async function newWorld(stack: Stack, client: Client, random: Random, size: Size): Promise<World> {
  const made = async (...[service, path, body, headers]: [...Parameters<typeof post>]) =>
    await post(service, path, body, headers)
  async function post(
    service: Parameters<Client['send']>[1],
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ) {
    const answer = await client.send('POST', service, path, { body, headers })
    if (answer.status > 201) throw new Error(`${service} ${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
  const assets = await Promise.all(
    assetsOf(stack.node.token).map(async ({ code, network, decimals, contract }): Promise<Asset> => {
      const body = { code, name: code, decimalPlaces: decimals, network, address: contract ?? 'native' }
      return { code, network, decimals, contract, id: (await made('core-ledger', '/assets', body)).id }
    }),
  )
  const quoteAssets = await Promise.all(
    assets.map(async ({ code }): Promise<string> => {
      const body = { name: `The coin ${code}`, code, staticValue: 1 }
      return (await made('quote', '/assets', body)).id
    }),
  )
  const newAccount = async (i: number): Promise<Account> => {
    const type = i < size.customers ? 'STABLECOINS' : 'PORTFOLIO'
    const customer = await made('customer', '/customers', { externalId: `c-${i}`, status: 'active' })
    const body = { type, status: 'active', name: 'Main', customerId: customer.id }
    const { id } = await made('account', '/accounts', body)
    return { id, customerId: customer.id, type, addresses: await addressesOf(client, id) }
  }
  const platform = platformOf(stack)
  const custodianBankId = await seedCustodianBank(platform, 'Meridian Trust')
  const [accounts, institutions] = await Promise.all([
    Promise.all(Array.from({ length: size.customers + size.portfolios }, (_, i) => newAccount(i))),
    Promise.all(
      institutionNames.slice(0, size.institutions).map((name, i) => {
        const account = { accountNumber: `00055500011${i}`, custodianBankId }
        return newInstitution({ platform, client, name, account })
      }),
    ),
  ])
  await allWatched(stack)
  return {
    stack,
    client,
    random,
    assets,
    accounts: [...accounts, ...institutions.map(({ omnibus }) => omnibus)],
    institutions,
    hot: await hotAddress(stack),
    listable: Array.from({ length: 4 }, () => freshAddress(random, 'ethereum')),
    quoteAssets,
    promised: new Map(),
    payments: new Map(),
    byHand: new Set(),
    orders: new Set(),
    suspended: new Set(),
    offboarded: new Set(),
    counts: {},
  }
}

async function addressesOf(client: Client, accountId: string): Promise<Map<string, string>> {
  const addressOn = async (network: string): Promise<[string, string]> => {
    const path = `/wallets/account/${accountId}/network/${network}?createIfNotExists=true`
    const { address } = await until(
      async () => {
        const { status, body } = await client.send('GET', 'wallet', path)
        return status === 200 ? body : null
      },
      { what: `a wallet of ${accountId}` },
    )
    return [network, address]
  }
  return new Map(await Promise.all(networks.map(addressOn)))
}

/** Deposits from before an address is watched are none: everything begins after. */
const allWatched = (stack: Stack) =>
  until(
    () =>
      rows<{ n: number }>(stack.file('wallet'), 'SELECT count(*) n FROM wallets WHERE watched_at IS NULL')[0]?.n === 0,
    {
      what: 'all addresses to be watched',
    },
  )

function platformOf(stack: Stack): Platform {
  const urls = new Proxy({}, { get: (_, service) => stack.url(service as never) }) as Platform['urls']
  return { urls, say() {} }
}

interface NewInstitution {
  platform: Platform
  client: Client
  name: string
  account: { accountNumber: string; custodianBankId: string }
}

/** An institution with an account at a custodian bank, a credit line, a key, and an omnibus account with addresses. */
async function newInstitution({ platform, client, name, account }: NewInstitution): Promise<Institution> {
  const number = account.accountNumber
  const email = `treasury@${name.split(' ')[0]?.toLowerCase()}.example`
  const institution = { name, email, registrationNumber: `77-${number}` }
  const { id, accountId } = await seedApproved(platform, institution, account)
  const key = `sk_test_${Buffer.from(`${name}${number}`).toString('hex').slice(0, 43).padEnd(43, 'x')}`
  const headers = { 'x-api-key': key }
  await until(async () => (await client.send('GET', 'participant', `/participants/${id}`)).status === 200, {
    what: `the participant ${name}`,
  })
  const body = { institutionName: name, routerData: null, authConsumerId: key, customers: [] }
  await client.send('PUT', 'participant', `/participants/${id}`, { body })
  const line = { currency: 'USD', limit: '100000' }
  await client.send('PUT', 'main-api', `/admin/pfi/${id}/credit-line`, { body: line })
  const omnibusId = await until(
    async () => {
      await client.send('GET', 'account', '/accounts/omnibus', { headers })
      const { body } = await client.send('GET', 'participant', `/participants/${id}`)
      return body.omnibusAccountId as string | null
    },
    { what: `the omnibus account of ${name}` },
  )
  const addresses = await addressesOf(client, omnibusId)
  return { id, key, bankAccountId: accountId, omnibus: { id: omnibusId, customerId: null, type: 'OMNIBUS', addresses } }
}

async function hotAddress({ dataDir, url }: Stack): Promise<string> {
  const identity = createIdentity('core-ledger', openInternalSecret(dataDir, undefined), () => new Date())
  const client = createClient({ name: 'core-ledger', identity, urls: { wallet: url('wallet') } as never })
  // The services have just started, and look at the node for the first time.
  const { items } = await until(() => client.call(getDeploymentHoldings, { params: { network: 'ethereum' } }), {
    what: 'the address of the wallet service',
  })
  const hot = items.find(({ accountId }) => accountId === null)
  if (!hot) throw new Error('The wallet service names no address of its own')
  return hot.address
}

/** Coins for fees at the platform's own address, and some of each asset for each account: there when this resolves. */
export async function giveMoney(world: World): Promise<void> {
  const { stack, assets, accounts, client } = world
  await stack.node.pay(world.hot, null, 10n ** 18n * 5n)
  const gifts = accounts.flatMap(({ addresses }) =>
    assets.map((asset) => {
      const amount = hundredths(world.random.between(3000, 9000), asset.decimals)
      return { ...asset, to: addresses.get(asset.network) ?? '', amount }
    }),
  )
  const [onNode = [], simulated = []] = [true, false].map((is) =>
    gifts.filter((each) => (each.network === 'ethereum') === is),
  )
  await Promise.all(
    simulated.map(({ network, to, contract, code, decimals, amount }) => {
      const body = { address: to, asset: contract ?? code, amount: String(amount / 10n ** BigInt(decimals)) }
      return client.send('POST', 'blockchain', `/simulated/${network}/deposits`, { body })
    }),
  )
  // One after the other: the node gives the bank's transactions their nonces.
  for (const { to, contract, amount } of onNode) await stack.node.pay(to, contract, amount, bank)
  const sql = "SELECT count(*) n FROM transactions WHERE type = 'DEPOSIT' AND status = 'COMPLETED'"
  await until(() => (rows<{ n: number }>(stack.file('core-ledger'), sql)[0]?.n ?? 0) >= gifts.length, {
    what: 'all accounts to have their money',
  })
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** An address of nobody; `end` are its last characters. */
export function freshAddress(random: Random, network: string, end = ''): string {
  const digits = Array.from({ length: 64 }, () => random.between(0, 15).toString(16)).join('')
  if (network === 'solana') {
    let text = ''
    for (let value = BigInt(`0x7${digits.slice(1)}`); value > 0n; value /= 58n)
      text = base58[Number(value % 58n)] + text
    return text
  }
  if (network === handmadeNetwork) return `pier-${digits.slice(0, 20)}${end}`
  return `0x${digits.slice(0, 40 - end.length)}${end}`
}
