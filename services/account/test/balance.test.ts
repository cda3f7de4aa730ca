import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createSingleFlight } from '@bursar/http'
import { until } from '@bursar/testing'
import { accountBalance } from '../src/balances/balances'
import { nobody, notUuid, refused, type TestAccounts, testAccounts } from './harness'
import { failures, type Peer, startPeer } from './peers'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

let ledger: Peer
let quote: Peer
let service: TestAccounts
let id: string
let rates: Record<string, number>
/** Whether the quote service may answer yet. */
let mayAnswer = () => true
beforeAll(async () => {
  ledger = startPeer()
  quote = startPeer()
  quote.server.answer(async (request) => {
    await until(mayAnswer)
    const { assetCode } = (await request.json()) as { assetCode: string }
    const rate = rates[assetCode]
    const reason = { statusCode: 400, message: 'Asset not found', error: 'Bad Request' }
    return rate === undefined
      ? Response.json(reason, { status: 400 })
      : Response.json({ rate, currency: 'USD', isStatic: false }, { status: 201 })
  })
  service = await testAccounts({ 'core-ledger': ledger.server.url, quote: quote.server.url })
})
beforeEach(async () => {
  rates = { BTC: 64000.5, USDC: 1, SHIB: 0.0000123 }
  id = (await service.post('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })).body.id
})
afterAll(async () => {
  await service.close()
  await Promise.all([ledger.server.stop(), quote.server.stop()])
})

const holds = (...balances: [code: string, total: string, decimals?: number][]) =>
  ledger.answers.set(
    `GET /internal/balances/account/${id}`,
    balances.map(([assetCode, totalBalance, assetDecimals = 8]) => ({
      customerId: nobody,
      accountId: id,
      assetId: `asset-${assetCode}`,
      assetCode,
      assetName: `The ${assetCode}`,
      availableBalance: totalBalance,
      frozenBalance: '0',
      totalBalance,
      assetDecimals,
    })),
  )
const balance = () => service.get(`/accounts/${id}/balance`)

describe('GET /accounts/:id/balance', () => {
  test('200 with no assets', async () => {
    holds()
    const { status, body } = await balance()
    expect(status).toBe(200)
    expect(body).toEqual({ accountId: id, currency: 'USD', totalBalance: 0, assets: [], timestamp: body.timestamp })
    expect(body.timestamp).toMatch(isoTime)
  })

  test('200 without the assets of which nothing is left, whose rates need not be known', async () => {
    holds(['NONE', '0', 18], ['USDC', '10', 6])
    const { status, body } = await balance()
    expect([status, body.totalBalance]).toEqual([200, 10])
    expect(body.assets.map(({ asset }: { asset: { symbol: string } }) => asset.symbol)).toEqual(['USDC'])
  })

  test('an asset whose code is another one’s in capitals by `toUpperCase` alone has its own rate', async () => {
    rates.UſDC = 0.5
    holds(['USDC', '10'], ['UſDC', '10'])
    const { body } = await balance()
    expect(body.assets.map(({ usdQuoteRate }: { usdQuoteRate: number }) => usdQuoteRate)).toEqual([1, 0.5])
  })

  test('200 with every asset at its rate', async () => {
    holds(['BTC', '1.5'], ['USDC', '250.123456', 6])
    const { status, body } = await balance()
    expect(status).toBe(200)
    expect(body).toEqual({
      accountId: id,
      currency: 'USD',
      totalBalance: 96250.873456,
      assets: [
        {
          asset: { symbol: 'BTC', name: 'The BTC', decimals: 8 },
          quantity: 1.5,
          usdValue: 96000.75,
          usdQuoteTimestamp: body.assets[0].usdQuoteTimestamp,
          usdQuoteRate: 64000.5,
        },
        {
          asset: { symbol: 'USDC', name: 'The USDC', decimals: 6 },
          quantity: 250.123456,
          usdValue: 250.123456,
          usdQuoteTimestamp: body.assets[1].usdQuoteTimestamp,
          usdQuoteRate: 1,
        },
      ],
      timestamp: body.timestamp,
    })
    expect(body.assets[0].usdQuoteTimestamp).toMatch(isoTime)
  })

  test('is exact where floating point is not', async () => {
    rates = { A: 0.1, B: 0.2, C: 1.1 }
    holds(['A', '1'], ['B', '1'], ['C', '1.1', 18])
    const { body } = await balance()
    expect(body.totalBalance).toBe(1.51)
    expect(body.assets.map(({ usdValue }: { usdValue: number }) => usdValue)).toEqual([0.1, 0.2, 1.21])
  })

  test('supports amounts of 18 decimals and tiny rates', async () => {
    holds(['SHIB', '123456789.123456789123456789', 18])
    expect((await balance()).body.assets[0]).toMatchObject({
      quantity: 123456789.12345679,
      usdValue: 1518.5185062185185,
      usdQuoteRate: 0.0000123,
    })
  })

  test('every code is requested once, also for concurrent callers', async () => {
    holds(['BTC', '1'], ['USDC', '1'], ['USDC', '2'])
    const before = quote.server.requests.length
    const asked = ledger.server.requests.length + 10
    mayAnswer = () => ledger.server.requests.length >= asked
    const answers = await Promise.all(Array.from({ length: 10 }, balance))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(quote.server.requests.length - before).toBeLessThan(10)
    holds(['USDC', '1'], ['USDC', '2'])
    const between = quote.server.requests.length
    await balance()
    expect(quote.server.requests.length - between).toBe(1)
  })

  test('a rate is waited for as long as the quote service may wait for a provider and the broker', async () => {
    const waits: (number | undefined)[] = []
    const client = {
      ...service.deps.client,
      call: (call: Parameters<typeof service.deps.client.call>[0], input?: { timeoutMs?: number }) => {
        if (call.service === 'quote') waits.push(input?.timeoutMs)
        return service.deps.client.call(call, input)
      },
    } as typeof service.deps.client
    holds(['BTC', '1'])
    await accountBalance({ ...service.deps, read: service.store.read, client, rates: createSingleFlight() }, id)
    const [providerMs, brokerMs] = [20_000, 2000]
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(providerMs + brokerMs)
    expect(waits[0]).toBeLessThan(30_000)
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.get('/accounts/x/balance'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/accounts/${nobody}/balance`), 404).code).toBe('NOT_FOUND')
  })

  const failed = { code: 'INTERNAL_ERROR', message: 'Failed to retrieve the balance of the account' }
  test.each(failures)('500 instead of %s: the ledger', async (_what, how, status) => {
    ledger.fail(how)
    expect(refused(await service.impatiently(balance, status === 504), 500)).toEqual(failed)
    ledger.fail(null)
  })

  test('500 when the quote service has no rate for one of the assets', async () => {
    holds(['BTC', '1'], ['NONE', '1'])
    const before = quote.server.requests.length
    expect(refused(await balance(), 500)).toEqual(failed)
    // It was refused by the one alone: the request for the other may still come, and counts in no other test.
    await until(() => quote.server.requests.length >= before + 2, { what: 'both codes to be asked for' })
  })

  test('500 when neither can be reached', async () => {
    const alone = await testAccounts()
    const { body } = await alone.post('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })
    expect(refused(await alone.get(`/accounts/${body.id}/balance`), 500)).toEqual(failed)
    await alone.close()
  })
})
