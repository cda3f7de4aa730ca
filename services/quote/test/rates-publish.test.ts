import { afterEach, describe, expect, test } from 'bun:test'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { Rate, ValuationProcessed } from '@bursar/contracts/quote'
import { localServer, until } from '@bursar/testing'
import { refuseRows } from '@bursar/testing/service'
import { Value } from '@sinclair/typebox/value'
import { refused } from './harness'
import { dataOf, desk, stored, type TestRates, table, testRates } from './rates-harness'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})
async function service(env?: Record<string, string>): Promise<TestRates> {
  const rates = await testRates(env)
  cleanUps.push(rates.close)
  return rates
}
const refuse = () => Promise.reject(new Error('redis://secret@host is away'))
const hang = () => new Promise<never>(() => {})
const asked = { 'x-request-id': 'req-1' }

describe('VALUATION_PROCESSED', () => {
  test('carries the record, isStatic and the id of the request', async () => {
    const rates = await service()
    const { id: categoryId } = await rates.create('/categories', { name: 'Coins' })
    const asset = await rates.asset({ code: 'BTC', name: 'Bitcoin', categoryId })
    await rates.map(asset, await rates.provider('desk', table({ BTC: 65000.1 })))
    const answer = await rates.rate('btc', asked)
    expect(answer.headers.get('x-request-id')).toBe('req-1')
    const [event, ...others] = rates.valuations()
    const record = await rates.last()
    expect(others).toEqual([])
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'quote.valuation.processed',
      type: 'VALUATION_PROCESSED',
      timestamp: record.timestamp,
      requestId: 'req-1',
      service: 'quote',
      data: { ...record, isStatic: false, requestedAt: expect.any(String) },
    })
    expect(Value.Check(Rate, record)).toBe(true)
    expect(Value.Check(ValuationProcessed.payload, event?.data)).toBe(true)
  })

  test('has isStatic, and asset null for an unknown code', async () => {
    const rates = await service()
    await rates.rate('USDC')
    expect(rates.valuations().map(dataOf)).toMatchObject([
      { rate: 1, isStatic: true, assetId: null, asset: null, data: { assetCode: 'USDC', providers: {} } },
    ])
  })

  test('has reached the broker when the answer is given', async () => {
    const rates = await service()
    let isAnswered = false
    const whilePublishing: boolean[] = []
    rates.broker.take = async () => {
      // Another request is answered meanwhile. It takes no two seconds, after which the event would not be waited for.
      await rates.get('/rates')
      whilePublishing.push(isAnswered)
    }
    const answer = rates.rate('USDC').then((result) => {
      isAnswered = true
      return result
    })
    expect((await answer).status).toBe(201)
    expect(whilePublishing).toEqual([false])
  })
})

describe('a broker that does not accept the event', () => {
  test.each([
    ['refuses', refuse],
    ['does not answer', hang],
  ])('%s: 500, and no rate is stored', async (_what, take) => {
    const rates = await service()
    const asset = await rates.asset({ code: 'FIX', name: 'Fixed', staticValue: 3 })
    expect((await rates.rate('FIX')).status).toBe(201)
    rates.broker.take = take
    const answer = await rates.rate('FIX', asked)
    expect(refused(answer, 500)).toBe('Failed to create rate')
    expect(answer.body.details).toBeUndefined()
    const { rows, counted, events } = await stored(rates)
    expect(rows).toHaveLength(1)
    expect(counted).toBe(1)
    expect(events.filter((name) => name === ValuationProcessed.name)).toHaveLength(1)
    expect((await rates.get('/rates?name=fixed')).body.pageInfo.total).toBe(1)
    expect((await rates.get(`/assets/${asset.id}`)).status).toBe(200)
  })

  test('comes back: the tracker gets the messages of the failed request, and no event of a rate is published', async () => {
    const rates = await service()
    rates.broker.take = refuse
    expect((await rates.rate('USDC', asked)).status).toBe(500)
    rates.broker.take = async () => {}
    expect((await rates.rate('USDC', { 'x-request-id': 'req-2' })).status).toBe(201)
    expect(rates.valuations().map(({ requestId }) => requestId)).toEqual(['req-2'])
    await until(() => rates.lines('req-1').length === 2, { what: 'the lines of the failure' })
    expect(rates.lines('req-1')).toMatchObject([
      { event_type: 'VALUATION_REQUESTED', status: 'PENDING' },
      {
        event_type: 'VALUATION_FAILED',
        status: 'FAILURE',
        metadata: {
          asset_code: 'USDC',
          error_code: 'RATE_NOT_CREATED',
          status_code: 500,
          reason: 'Failed to create rate',
          details: { broker: 'did not accept the event' },
        },
      },
    ])
    expect(JSON.stringify(rates.broker.published)).not.toContain('secret')
  })

  test('for many requests at once: all 500, and no rate is left', async () => {
    const rates = await service()
    rates.broker.take = refuse
    const answers = await Promise.all(Array.from({ length: 40 }, () => rates.rate('USDT')))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(500))
    expect(await stored(rates)).toMatchObject({ rows: [], counted: 0 })
    rates.broker.take = async () => {}
    expect((await rates.rate('USDT')).status).toBe(201)
    expect(rates.valuations()).toHaveLength(1)
  })
})

test('a failing store: 500 Failed to create rate', async () => {
  const rates = await service()
  await rates.store.commit((tx) => refuseRows(tx, 'rates', 'secret'))
  const answer = await rates.rate('USDC', asked)
  expect(refused(answer, 500)).toBe('Failed to create rate')
  expect(JSON.stringify(answer.body)).not.toContain('secret')
  expect(await stored(rates)).toMatchObject({ rows: [], counted: 0, events: [LogRecorded.name, LogRecorded.name] })
  await until(() => rates.lines('req-1').length === 2, { what: 'the lines of the failure' })
})

describe('the log tracker', () => {
  test('gets the message of the request with its time', async () => {
    const rates = await service()
    const held = Promise.withResolvers<void>()
    const local = localServer(async () => {
      await held.promise
      return Response.json({ price: 2 })
    })
    cleanUps.push(local.stop)
    await rates.provider('desk', desk(local), { isDefault: true })
    const answer = rates.rate('abc', asked)
    await until(() => local.requests.length === 1)
    const soon = new Date().toISOString()
    await until(() => new Date().toISOString() > soon)
    held.resolve()
    expect((await answer).status).toBe(201)
    // In the event itself, which defines the tracker's message.
    expect(rates.lines('req-1')).toEqual([])
    const [event] = rates.valuations()
    const { requestedAt } = (event?.data ?? {}) as { requestedAt: string }
    expect(requestedAt <= soon).toBe(true)
    expect((await rates.last()).timestamp > soon).toBe(true)
  })

  test('gets the reason of a failure', async () => {
    const rates = await service()
    await rates.provider('desk', { apiKey: 'very-secret' }, { isDefault: true })
    expect((await rates.rate('ABC', asked)).status).toBe(503)
    await until(() => rates.lines('req-1').length === 2, { what: 'the lines of the failure' })
    expect(rates.lines('req-1').map(({ timestamp, ...line }) => line)).toEqual([
      {
        service: 'quote',
        request_id: 'req-1',
        event_type: 'VALUATION_REQUESTED',
        status: 'PENDING',
        metadata: { asset_code: 'ABC' },
      },
      {
        service: 'quote',
        request_id: 'req-1',
        event_type: 'VALUATION_FAILED',
        status: 'FAILURE',
        metadata: {
          asset_code: 'ABC',
          error_code: 'PROVIDERS_FAILED',
          status_code: 503,
          reason: 'All providers failed for asset ABC',
          details: { desk: 'no adapter' },
        },
      },
    ])
    expect(rates.valuations()).toEqual([])
  })

  test('gets the message of a failure also when too many providers failed for one message', async () => {
    const rates = await service()
    for (let i = 0; i < 120; i++) await rates.provider(`${i}-${'x'.repeat(250)}`, {}, { isDefault: true })
    const { details } = (await rates.rate('ABC', asked)).body
    expect(Object.keys(details)).toHaveLength(120)
    await until(() => rates.lines('req-1').length === 2, { what: 'the lines of the failure' })
    const { metadata } = rates.lines('req-1')[1]
    const size = Buffer.byteLength(JSON.stringify(details))
    expect(metadata).toMatchObject({ error_code: 'PROVIDERS_FAILED', details: { truncated: true, size } })
  })

  test('a message that cannot be stored changes no answer', async () => {
    const rates = await service()
    await rates.store.commit((tx) => refuseRows(tx, 'outbox', 'full'))
    expect(refused(await rates.rate('NOPE'), 503)).toBe('No provider is available for asset NOPE')
  })
})
