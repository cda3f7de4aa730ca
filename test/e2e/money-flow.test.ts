// Money through the platform as it runs: real customer, account, quote, core ledger and log tracker services with a real
// Redis between them, and a small server that honours the wallet service's contract.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

setDefaultTimeout(60_000)

let platform: TestPlatform
let wallet: LocalServer
const bitcoin = { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', network: 'bitcoin' }
let accountId = ''
let customerId = ''
let assetId = ''

beforeAll(async () => {
  wallet = localServer(async (request) => {
    const { id } = request.method === 'POST' ? ((await request.json()) as { id: string }) : { id: '' }
    return Response.json({ id, status: 'confirmed', txHash: `0x${id}`, reason: null })
  })
  platform = await testPlatform(['customer', 'account', 'quote', 'core-ledger', 'log-tracker'], {
    WALLET_URL: wallet.url,
  })
})
afterAll(async () => {
  await platform.close()
  await wallet.stop()
})

const ledger = () => platform.to('core-ledger')
const balance = async () => (await ledger().get(`/balances/account/${accountId}`)).body[0]
const statusOf = async (id: string) => (await ledger().get(`/transactions/${id}`)).body.status
const reached = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, { what: `${id} to be ${status}`, timeoutMs: 20_000 })

const withdraw = (amount: string, key: string) =>
  ledger().post(
    '/transactions/withdrawal',
    { accountId, network: bitcoin.network, assetId, amount, destinationAddress: bitcoin.address },
    { 'idempotency-key': key },
  )

describe('a customer’s money', () => {
  test('an account exists, with its customer, in services that only hear of each other', async () => {
    const customer = await platform.to('customer').post('/customers', { externalId: 'c-1', status: 'active' })
    customerId = customer.body.id
    const account = await platform.to('account').post('/accounts', {
      type: 'STABLECOINS',
      status: 'active',
      name: 'Main',
      customerId,
    })
    expect(account.status).toBe(201)
    accountId = account.body.id
    const asset = await ledger().post('/assets', {
      code: 'BTC',
      name: 'Bitcoin',
      decimalPlaces: 8,
      address: 'native',
      network: bitcoin.network,
    })
    assetId = asset.body.id
    await platform.to('quote').post('/assets', { name: 'Bitcoin', code: 'BTC', staticValue: 100_000 })
    await platform.settle()
    expect((await ledger().get(`/balances/account/${accountId}`)).status).toBe(200)
  })

  test('a deposit is screened and credited', async () => {
    const deposit = await ledger().post('/transactions/deposit', {
      accountId,
      network: bitcoin.network,
      assetId,
      amount: '1.5',
      sourceAddress: bitcoin.address,
      txHash: 'f'.repeat(64),
    })
    expect(deposit.status).toBe(201)
    expect(deposit.body.status).toBe('PENDING')
    const screened = await ledger().post('/transactions/complete-screening', { id: deposit.body.id, isApproved: true })
    expect([screened.status, screened.body]).toEqual([200, { enqueued: true }])
    await reached(deposit.body.id, 'COMPLETED')
    expect(await balance()).toMatchObject({ availableBalance: '1.5', frozenBalance: '0', totalBalance: '1.5' })
  })

  test('the account’s balance is told in dollars', async () => {
    const { status, body } = await platform.to('account').get(`/accounts/${accountId}/balance`)
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
    await ledger().post('/transactions/complete-screening', { id: made.body.id, isApproved: true })
    await reached(made.body.id, 'COMPLETED')
    expect(await balance()).toMatchObject({ availableBalance: '1', frozenBalance: '0', totalBalance: '1' })
    expect((await ledger().get(`/transactions/${made.body.id}`)).body.txHash).toBe(`0x${made.body.id}`)
  })

  test('a flagged withdrawal is frozen, rejected by an operator, and its money is free again', async () => {
    const made = await withdraw('0.25', 'w-3')
    await ledger().post('/transactions/complete-screening', {
      id: made.body.id,
      isApproved: false,
      screeningData: { score: 91 },
    })
    expect(await statusOf(made.body.id)).toBe('FROZEN')
    const rejected = await ledger().post(`/transactions/${made.body.id}/reject-frozen-withdrawal`, { reason: 'mixer' })
    expect(rejected.body).toEqual({ id: made.body.id, status: 'REJECTED', rejectionReason: 'mixer' })
    expect(await balance()).toMatchObject({ availableBalance: '1', frozenBalance: '0' })
  })

  test('a suspended customer’s money stays where it is', async () => {
    await platform.to('customer').put(`/customers/${customerId}`, { status: 'suspended' })
    await until(async () => (await withdraw('0.1', crypto.randomUUID())).status === 400, {
      what: 'the ledger to hear of it',
    })
    await platform.to('customer').put(`/customers/${customerId}`, { status: 'active' })
    await until(async () => (await withdraw('0.0001', 'w-4')).status === 201, {
      what: 'the ledger to hear of it again',
    })
  })

  test('every step stands in the log tracker', async () => {
    const types = async () => {
      const path = '/log-messages?service=core-ledger&limit=100'
      const { data } = (await platform.to('log-tracker', '/tracker/v1').get(path)).body
      return new Set<string>(data.map((message: { event_type: string }) => message.event_type))
    }
    const wanted = ['TRANSACTION_CREATED', 'TRANSACTION_COMPLETED', 'TRANSACTION_CANCELLED', 'SERVICE_STARTED']
    const missing = async () => {
      const seen = await types()
      return wanted.filter((type) => !seen.has(type))
    }
    await until(async () => (await missing()).length === 0, { what: 'the lines of the ledger' })
  })

  test('the books balance: the audit finds no difference', async () => {
    const audit = Bun.spawn([process.execPath, 'scripts/audit.ts', '--data-dir', platform.dataDir], {
      cwd: join(import.meta.dir, '../..'),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const said = (await new Response(audit.stdout).text()) + (await new Response(audit.stderr).text())
    expect({ code: await audit.exited, said }).toMatchObject({ code: 0 })
  })
})
