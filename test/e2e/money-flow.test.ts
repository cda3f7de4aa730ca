// Money through the platform as it runs: real customer, account, quote, core ledger and log tracker services with a real
// Redis between them, and a small server that honours the wallet service's contract.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { RunningService } from '@bursar/http'
import { freePort, type LocalServer, localServer, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'

setDefaultTimeout(60_000)

const names = ['customer', 'account', 'quote', 'core-ledger', 'log-tracker'] as const
type Name = (typeof names)[number]
const ports = {} as Record<Name, number>
const slugs = {
  customer: 'CUSTOMER',
  account: 'ACCOUNT',
  quote: 'QUOTE',
  'core-ledger': 'CORE',
  'log-tracker': 'TRACKER',
}

let redis: TestRedis
let wallet: LocalServer
let running: RunningService[] = []
let dataDir: string
const bitcoin = { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', network: 'bitcoin' }
let accountId = ''
let customerId = ''
let assetId = ''

beforeAll(async () => {
  redis = await testRedis()
  dataDir = tempDir()
  wallet = localServer(async (request) => {
    const { id } = request.method === 'POST' ? ((await request.json()) as { id: string }) : { id: '' }
    return Response.json({ id, status: 'confirmed', txHash: `0x${id}`, reason: null })
  })
  for (const name of names) ports[name] = await freePort()
  const env = {
    DATA_DIR: dataDir,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'silent',
    WALLET_URL: wallet.url,
    ...Object.fromEntries(names.map((name) => [`${slugs[name]}_PORT`, String(ports[name])])),
  }
  running = await Promise.all(
    names.map(async (name) => {
      const folder = join(import.meta.dir, '../../services', name, 'src')
      const { config } = (await import(join(folder, 'config.ts'))) as { config(env: object): unknown }
      const { start } = (await import(join(folder, 'service.ts'))) as {
        start(config: unknown): Promise<RunningService>
      }
      return await start(config(env))
    }),
  )
})
afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()))
  await wallet.stop()
  await redis.stop()
})

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, each compared by the test that asked
type Body = any

async function call(service: Name, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${ports[service]}${path}`, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    body: body ? JSON.stringify(body) : undefined,
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const ledger = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  call('core-ledger', method, `/v1${path}`, body, headers)
const balance = async () => (await ledger('GET', `/balances/account/${accountId}`)).body[0]
const statusOf = async (id: string) => (await ledger('GET', `/transactions/${id}`)).body.status
const reached = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, { what: `${id} to be ${status}`, timeoutMs: 20_000 })

const withdraw = (amount: string, key: string) =>
  ledger(
    'POST',
    '/transactions/withdrawal',
    { accountId, network: bitcoin.network, assetId, amount, destinationAddress: bitcoin.address },
    { 'idempotency-key': key },
  )

describe('a customer’s money', () => {
  test('an account exists, with its customer, in services that only hear of each other', async () => {
    const customer = await call('customer', 'POST', '/v1/customers', { externalId: 'c-1', status: 'active' })
    customerId = customer.body.id
    const account = await call('account', 'POST', '/v1/accounts', {
      type: 'STABLECOINS',
      status: 'active',
      name: 'Main',
      customerId,
    })
    expect(account.status).toBe(201)
    accountId = account.body.id
    const asset = await ledger('POST', '/assets', {
      code: 'BTC',
      name: 'Bitcoin',
      decimalPlaces: 8,
      address: 'native',
      network: bitcoin.network,
    })
    assetId = asset.body.id
    await call('quote', 'POST', '/v1/assets', { name: 'Bitcoin', code: 'BTC', staticValue: 100_000 })
    await until(async () => (await ledger('GET', `/balances/account/${accountId}`)).status === 200, {
      what: 'the ledger to know it',
    })
  })

  test('a deposit is screened and credited', async () => {
    const deposit = await ledger('POST', '/transactions/deposit', {
      accountId,
      network: bitcoin.network,
      assetId,
      amount: '1.5',
      sourceAddress: bitcoin.address,
      txHash: 'f'.repeat(64),
    })
    expect(deposit.status).toBe(201)
    expect(deposit.body.status).toBe('PENDING')
    const screened = await ledger('POST', '/transactions/complete-screening', { id: deposit.body.id, isApproved: true })
    expect(screened).toEqual({ status: 200, body: { enqueued: true } })
    await reached(deposit.body.id, 'COMPLETED')
    expect(await balance()).toMatchObject({ availableBalance: '1.5', frozenBalance: '0', totalBalance: '1.5' })
  })

  test('the account’s balance is told in dollars', async () => {
    const { status, body } = await call('account', 'GET', `/v1/accounts/${accountId}/balance`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ accountId, currency: 'USD', totalBalance: 150_000 })
    expect(body.assets[0]).toMatchObject({
      asset: { symbol: 'BTC', decimals: 8 },
      quantity: 1.5,
      usdQuoteRate: 100_000,
    })
  })

  test('a withdrawal is held at once, and goes out by the wallet once it is approved', async () => {
    const made = await withdraw('0.5', 'w-1')
    expect(made.status).toBe(201)
    expect(await balance()).toMatchObject({ availableBalance: '1', frozenBalance: '0.5' })
    expect((await withdraw('0.5', 'w-1')).body).toEqual(made.body)
    expect((await withdraw('1.00000001', 'w-2')).status).toBe(400)
    await ledger('POST', '/transactions/complete-screening', { id: made.body.id, isApproved: true })
    await reached(made.body.id, 'COMPLETED')
    expect(await balance()).toMatchObject({ availableBalance: '1', frozenBalance: '0', totalBalance: '1' })
    expect((await ledger('GET', `/transactions/${made.body.id}`)).body.txHash).toBe(`0x${made.body.id}`)
  })

  test('a flagged withdrawal is frozen, rejected by an operator, and its money is free again', async () => {
    const made = await withdraw('0.25', 'w-3')
    await ledger('POST', '/transactions/complete-screening', {
      id: made.body.id,
      isApproved: false,
      screeningData: { score: 91 },
    })
    expect(await statusOf(made.body.id)).toBe('FROZEN')
    const rejected = await ledger('POST', `/transactions/${made.body.id}/reject-frozen-withdrawal`, { reason: 'mixer' })
    expect(rejected.body).toEqual({ id: made.body.id, status: 'REJECTED', rejectionReason: 'mixer' })
    expect(await balance()).toMatchObject({ availableBalance: '1', frozenBalance: '0' })
  })

  test('a suspended customer’s money stays where it is', async () => {
    await call('customer', 'PUT', `/v1/customers/${customerId}`, { status: 'suspended' })
    await until(async () => (await withdraw('0.1', crypto.randomUUID())).status === 400, {
      what: 'the ledger to hear of it',
    })
    await call('customer', 'PUT', `/v1/customers/${customerId}`, { status: 'active' })
    await until(async () => (await withdraw('0.0001', 'w-4')).status === 201, {
      what: 'the ledger to hear of it again',
    })
  })

  test('every step stands in the log tracker', async () => {
    const types = async () => {
      const path = '/tracker/v1/log-messages?service=core-ledger&limit=100'
      const { data } = (await call('log-tracker', 'GET', path)).body
      return new Set<string>(data.map((message: Body) => message.event_type))
    }
    const wanted = ['TRANSACTION_CREATED', 'TRANSACTION_COMPLETED', 'TRANSACTION_CANCELLED', 'SERVICE_STARTED']
    const missing = async () => {
      const seen = await types()
      return wanted.filter((type) => !seen.has(type))
    }
    await until(async () => (await missing()).length === 0, { what: 'the lines of the ledger' })
  })

  test('the books balance: the audit finds no difference', async () => {
    const audit = Bun.spawn([process.execPath, 'scripts/audit.ts', '--data-dir', dataDir], {
      cwd: join(import.meta.dir, '../..'),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const said = (await new Response(audit.stdout).text()) + (await new Response(audit.stderr).text())
    expect({ code: await audit.exited, said }).toMatchObject({ code: 0 })
  })
})
