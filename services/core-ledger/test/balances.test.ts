import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { testOwners } from './owners'
import { quoteServer } from './quote-server'
import { type Bench, make, makeAsset, makeBench, pay, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
let second: Bench
let code: string
const nowhere = '00000000-0000-7000-8000-000000000000'

beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '100.5')
  await make(ledger, 'withdrawal', withdrawalOf(bench, '0.25'))
  const { id: accountId } = await ledger.account({ customerId: bench.customerId })
  second = { ...bench, accountId, assetId: await makeAsset(ledger, { decimalPlaces: 18 }) }
  await pay(ledger, second, '0.000000000000000001')
  code = String((await ledger.ask('GET', `/assets/${bench.assetId}`)).body.code)
})
afterAll(() => ledger.close())

const get = (path: string) => ledger.ask<Record<string, string>[]>('GET', path)
const ofCustomer = (query = '') => get(`/v1/balances/customer/${bench.customerId}${query}`)
const ofAccount = (query = '') => get(`/balances/account/${bench.accountId}${query}`)

describe('GET /balances/account/:accountId', () => {
  test('200: exact decimal strings, the total is available and frozen', async () => {
    const { status, body } = await ofAccount()
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        customerId: bench.customerId,
        accountId: bench.accountId,
        assetId: bench.assetId,
        assetCode: code,
        assetName: 'A dollar',
        availableBalance: '100.25',
        frozenBalance: '0.25',
        totalBalance: '100.5',
      },
    ])
  })

  test('filters by asset, its code in any case', async () => {
    expect((await ofAccount(`?filter[assetCode]=${code.toLowerCase()}`)).body).toHaveLength(1)
    expect((await ofAccount(`?filter%5BassetCode%5D=none`)).body).toEqual([])
    expect((await ofAccount(`?filter[assetId]=${bench.assetId.toUpperCase()}`)).body).toHaveLength(1)
    expect((await ofAccount(`?filter[assetId]=${nowhere}&x=1`)).body).toEqual([])
  })

  test('[] when there is none', async () => {
    const { id } = await ledger.account()
    expect(await get(`/balances/account/${id}`)).toMatchObject({ status: 200, body: [] })
  })

  test('404 for an unknown account', async () => {
    const owners = testOwners()
    const own = await openLedger({ urls: { account: owners.server.url, customer: owners.server.url } })
    const { status, body } = await own.ask('GET', `/balances/account/${nowhere}`)
    expect([status, body.message]).toEqual([404, `Account ${nowhere} not found`])
    await own.close()
    await owners.stop()
  })

  test('404 for an id that no account can have', async () => {
    expect((await get('/balances/account/none')).status).toBe(404)
  })

  test('503 while the account service is unavailable', async () => {
    expect((await get(`/balances/account/${nowhere}`)).status).toBe(503)
  })
})

describe('GET /balances/customer/:customerId', () => {
  test('200 across the accounts of the customer', async () => {
    const { status, body } = await ofCustomer()
    expect(status).toBe(200)
    expect(body.map(({ accountId, totalBalance }) => [accountId, totalBalance])).toEqual([
      [bench.accountId, '100.5'],
      [second.accountId, '0.000000000000000001'],
    ])
  })

  test('filters, alone and together', async () => {
    expect((await ofCustomer(`?filter[accountId]=${second.accountId}`)).body).toHaveLength(1)
    expect((await ofCustomer(`?filter[accountId]=${second.accountId}&filter[assetCode]=${code}`)).body).toEqual([])
    expect((await ofCustomer(`?filter[assetId]=${second.assetId}`)).body).toHaveLength(1)
  })

  test('[] when there is none', async () => {
    const { customerId } = await ledger.account()
    expect((await get(`/balances/customer/${customerId}`)).body).toEqual([])
  })

  test('404 for an unknown customer; 503 while the customer service is unavailable', async () => {
    const owners = testOwners()
    const own = await openLedger({ urls: { account: owners.server.url, customer: owners.server.url } })
    const { status, body } = await own.ask('GET', `/balances/customer/${nowhere}`)
    expect([status, body.message]).toEqual([404, `Customer ${nowhere} not found`])
    expect((await own.ask('GET', '/balances/customer/none')).status).toBe(404)
    await own.close()
    await owners.stop()
    expect((await get(`/balances/customer/${nowhere}`)).status).toBe(503)
  })
})

describe('GET /balances/accounts', () => {
  const ofAccounts = (ids: string) => get(`/balances/accounts${ids}`)

  test('200 with the value of each, however the ids are written', async () => {
    const { id: empty } = await ledger.account()
    const both = [bench.accountId, second.accountId]
    const { status, body } = await ofAccounts(`?accountIds=${both.join(',')}&accountIds=${empty}&accountIds=${nowhere}`)
    const [first] = (await ofAccount()).body
    expect([status, body]).toEqual([
      200,
      [
        { ...first, usdValue: null },
        expect.objectContaining({ accountId: second.accountId, totalBalance: '0.000000000000000001', usdValue: null }),
      ] as never,
    ])
    expect((await ofAccounts(`?accountIds=${bench.accountId.toUpperCase()},${bench.accountId}`)).body).toHaveLength(1)
    expect((await ofAccounts(`?accountIds=${nowhere}`)).body).toEqual([])
  })

  test('with a rate: from exact amounts, to the cent', async () => {
    const rates: Record<string, number> = {}
    const quote = quoteServer(rates)
    const priced = await openLedger({ urls: { quote: quote.url } })
    const own = await makeBench(priced, '3.335')
    rates[String((await priced.ask('GET', `/assets/${own.assetId}`)).body.code)] = 1.5
    await make(priced, 'withdrawal', withdrawalOf(own, '0.335'))
    const { body } = await priced.ask('GET', `/balances/accounts?accountIds=${own.accountId}`)
    expect(body as object).toMatchObject([{ frozenBalance: '0.335', totalBalance: '3.335', usdValue: 5 }])
    await priced.close()
    await quote.stop()
  })

  test.each([
    ['', /accountIds/],
    ['?accountIds=', /must be UUIDs/],
    [`?accountIds=${nowhere},`, /must be UUIDs/],
    ['?accountIds=none', /must be UUIDs/],
    [`?accountIds=${Array.from({ length: 51 }, () => crypto.randomUUID())}`, /at most 50/],
  ])('400: %#', async (query, message) => {
    const { status, body } = await ledger.ask('GET', `/balances/accounts${query}`)
    expect([status, String(body.message)]).toEqual([400, expect.stringMatching(message)])
  })

  test('200 for a page of 50', async () => {
    const ids = Array.from({ length: 49 }, () => crypto.randomUUID())
    expect((await ofAccounts(`?accountIds=${[...ids, bench.accountId]}`)).body).toHaveLength(1)
  })
})

describe.each(['customer', 'account'])('400 for a filter of %s balances', (owner) => {
  const path = () => `/balances/${owner}/${owner === 'account' ? bench.accountId : bench.customerId}`
  test.each([
    ['filter[assetId]=1', 'filter[assetId] must be a UUID'],
    ['filter[assetCode]=', 'filter[assetCode] should not be empty'],
    ['filter[assetCode]=a&filter[assetCode]=b', ['filter[assetCode] must be given once']],
    ['filter[color]=a', /^filter\[color\] is no filter here; use filter\[assetCode\], filter\[assetId\]/],
    ['filter=a', /^filter is no filter here/],
    ['filter[assetCode=a', /is no filter here/],
    ['filter[assetCode][x]=a', /is no filter here/],
  ])('%s', async (query, message) => {
    const { status, body } = await ledger.ask('GET', `${path()}?${query}`)
    expect(status).toBe(400)
    if (message instanceof RegExp) expect(body.message).toMatch(message)
    else expect(body.message).toEqual(message)
  })
})

describe('GET /internal/balances/account/:accountId', () => {
  const path = () => `/internal/balances/account/${bench.accountId}`
  const asService = () => ledger.asService('account')

  test('200 with the decimals, for services', async () => {
    const { status, body } = await ledger.ask<object[]>('GET', path(), undefined, await asService())
    expect([status, body.length]).toEqual([200, 1])
    expect(body[0]).toMatchObject({ assetCode: code, totalBalance: '100.5', assetDecimals: 6 })
  })

  test('[] for an account without balances', async () => {
    const { body } = await ledger.ask('GET', `/internal/balances/account/${nowhere}`, undefined, await asService())
    expect(body).toEqual([] as never)
  })

  test('401 for other callers', async () => {
    expect((await get(path())).status).toBe(401)
  })
})
