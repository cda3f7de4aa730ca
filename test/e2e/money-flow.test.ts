// Money through the platform as it runs: real customer, account, quote, core ledger and log tracker services with a real
// Redis between them, and a small server that honours the wallet service's contract.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

let platform: TestPlatform
let wallet: LocalServer
let assetId = ''
const bitcoin = { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', network: 'bitcoin' }

/** Confirms every withdrawal at once, and knows those alone. */
function confirmingWallet(): LocalServer {
  const records = new Map<string, WithdrawalState>()
  return localServer(async (request) => {
    const id = request.method === 'POST' ? ((await request.json()) as { id: string }).id : idIn(request.url)
    if (request.method === 'POST') records.set(id, { id, status: 'confirmed', txHash: hashOf(id), reason: null })
    const known = records.get(id)
    return known
      ? Response.json(known)
      : Response.json({ error: { code: 'NOT_FOUND', message: 'None' } }, { status: 404 })
  })
}
const idIn = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
const hashOf = (id: string) => id.replaceAll('-', '').padStart(64, '0')

beforeAll(async () => {
  wallet = confirmingWallet()
  platform = await testPlatform(['customer', 'account', 'quote', 'core-ledger', 'log-tracker'], {
    WALLET_URL: wallet.url,
  })
  assetId = (
    await ledger().create('/assets', {
      code: 'BTC',
      name: 'Bitcoin',
      decimalPlaces: 8,
      address: 'native',
      network: bitcoin.network,
    })
  ).id
  await platform.to('quote').create('/assets', { name: 'Bitcoin', code: 'BTC', staticValue: 100_000 })
})
afterAll(async () => {
  await platform.close()
  await wallet.stop()
})

const ledger = () => platform.to('core-ledger')

interface Holder {
  customerId: string
  accountId: string
}

let made = 0
/** A customer and its account, in services that learn of each other by events alone. */
async function newHolder(): Promise<Holder> {
  const externalId = `c-${++made}`
  const customer = await platform.to('customer').create('/customers', { externalId, status: 'active' })
  const account = await platform.to('account').create('/accounts', {
    type: 'STABLECOINS',
    status: 'active',
    name: 'Main',
    customerId: customer.id,
  })
  await platform.settle()
  return { customerId: customer.id, accountId: account.id }
}

/** A deposit, screened and credited. */
async function deposit({ accountId }: Holder, amount: string): Promise<string> {
  const { id, status } = await ledger().create('/transactions/deposit', {
    accountId,
    network: bitcoin.network,
    assetId,
    amount,
    sourceAddress: bitcoin.address,
    txHash: hashOf(`${++made}`),
  })
  expect(status).toBe('PENDING')
  await screen(id, true)
  await reached(id, 'COMPLETED')
  return id
}

async function funded(amount: string): Promise<Holder> {
  const holder = await newHolder()
  await deposit(holder, amount)
  return holder
}

async function screen(id: string, isApproved: boolean) {
  const { status, body } = await ledger().post('/transactions/complete-screening', { id, isApproved })
  expect([status, body]).toEqual([200, isApproved ? { enqueued: true } : {}])
}

const withdraw = ({ accountId }: Holder, amount: string, key: string = crypto.randomUUID()) =>
  ledger().post(
    '/transactions/withdrawal',
    { accountId, network: bitcoin.network, assetId, amount, destinationAddress: bitcoin.address },
    { 'idempotency-key': key },
  )
const reject = (id: string) => ledger().post(`/transactions/${id}/reject-frozen-withdrawal`, { reason: 'mixer' })

const balance = async ({ accountId }: Holder) => (await ledger().get(`/balances/account/${accountId}`)).body[0]
const statusOf = async (id: string) => (await ledger().get(`/transactions/${id}`)).body.status
const reached = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, { what: `${id} to be ${status}` })

describe('a customer’s money', () => {
  test('has an account in the ledger as soon as the events have arrived', async () => {
    const { accountId } = await newHolder()
    const { status, body } = await ledger().get(`/balances/account/${accountId}`)
    expect([status, body]).toEqual([200, []])
  })

  test('is credited by a deposit, once that is screened', async () => {
    const holder = await funded('1.5')
    expect(await balance(holder)).toMatchObject({ availableBalance: '1.5', frozenBalance: '0', totalBalance: '1.5' })
  })

  test('is told in dollars', async () => {
    const { accountId } = await funded('1.5')
    const { status, body } = await platform.to('account').get(`/accounts/${accountId}/balance`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ accountId, currency: 'USD', totalBalance: 150_000 })
    expect(body.assets[0]).toMatchObject({
      asset: { symbol: 'BTC', decimals: 8 },
      quantity: 1.5,
      usdQuoteRate: 100_000,
    })
  })

  test('is held at once by a withdrawal, and goes out by the wallet once that is approved', async () => {
    const holder = await funded('1.5')
    const key = crypto.randomUUID()
    const withdrawal = await withdraw(holder, '0.5', key)
    expect(withdrawal.status).toBe(201)
    expect(await balance(holder)).toMatchObject({ availableBalance: '1', frozenBalance: '0.5' })
    expect((await withdraw(holder, '0.5', key)).body).toEqual(withdrawal.body)
    expect((await withdraw(holder, '1.00000001')).status).toBe(400)
    await screen(withdrawal.body.id, true)
    await reached(withdrawal.body.id, 'COMPLETED')
    expect(await balance(holder)).toMatchObject({ availableBalance: '1', frozenBalance: '0', totalBalance: '1' })
    expect((await ledger().get(`/transactions/${withdrawal.body.id}`)).body.txHash).toBe(hashOf(withdrawal.body.id))
  })

  test('is free again when an operator rejects a withdrawal that screening has flagged', async () => {
    const holder = await funded('1')
    const { id } = (await withdraw(holder, '0.25')).body
    await screen(id, false)
    expect(await statusOf(id)).toBe('FROZEN')
    const { body } = await reject(id)
    expect(body).toEqual({ id, status: 'REJECTED', rejectionReason: 'mixer' })
    expect(await balance(holder)).toMatchObject({ availableBalance: '1', frozenBalance: '0' })
  })

  test('stays where it is while its customer is suspended', async () => {
    const holder = await funded('1')
    const setStatus = async (status: string) => {
      await platform.to('customer').put(`/customers/${holder.customerId}`, { status })
      await platform.settle()
    }
    await setStatus('suspended')
    expect((await withdraw(holder, '0.1')).status).toBe(400)
    await setStatus('active')
    expect((await withdraw(holder, '0.1')).status).toBe(201)
  })
})

test('every step stands in the log tracker', async () => {
  const holder = await funded('1')
  const { id } = (await withdraw(holder, '0.25')).body
  await screen(id, false)
  await reject(id)
  await platform.settle()
  const { data } = (await platform.to('log-tracker', '/tracker/v1').get('/log-messages?service=core-ledger&limit=100'))
    .body
  const types = new Set(data.map((message: { event_type: string }) => message.event_type))
  for (const type of ['TRANSACTION_CREATED', 'TRANSACTION_COMPLETED', 'TRANSACTION_CANCELLED', 'SERVICE_STARTED']) {
    expect(types).toContain(type)
  }
})

test('the books balance: the audit finds no difference', async () => {
  const holder = await funded('2')
  await screen((await withdraw(holder, '0.5')).body.id, true)
  expect(await runCommand('audit', ['--data-dir', platform.dataDir])).toMatchObject({ code: 0 })
})
