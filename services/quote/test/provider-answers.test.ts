// GET /providers/answers: each provider's last answer since the start of the service.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAnswerLog } from '../src/providers/provider-answers'
import { type TestRates, table, testRates } from './rates-harness'

let quote: TestRates
beforeAll(async () => {
  quote = await testRates()
})
afterAll(() => quote.close())

test('shows the last price and the last failure of each provider', async () => {
  const [good, bad] = [await quote.provider('good', table({ G1: 12.5, G2: 3 })), await quote.provider('bad', table({}))]
  const unused = await quote.provider('unused')
  const before = await quote.get('/providers/answers')
  expect(before.status).toBe(200)
  const asset = await quote.asset({ code: 'G1' })
  for (const provider of [good, bad]) await quote.map(asset, provider)
  for (let i = 0; i < 2; i++) expect((await quote.rate('G1')).status).toBe(201)
  const { since, data } = (await quote.get('/providers/answers')).body
  expect(since).toBe(before.body.since)
  expect(data).toEqual([
    {
      providerId: good.id,
      name: 'good',
      slug: 'good',
      lastAnswer: { assetCode: 'G1', rate: 12.5, at: expect.any(String) },
      lastFailure: null,
      failuresInARow: 0,
    },
    {
      providerId: bad.id,
      name: 'bad',
      slug: 'bad',
      lastAnswer: null,
      lastFailure: { assetCode: 'G1', reason: 'does not know the asset G1', at: expect.any(String) },
      failuresInARow: 2,
    },
    { providerId: unused.id, name: 'unused', slug: 'unused', lastAnswer: null, lastFailure: null, failuresInARow: 0 },
  ])
  expect(Date.parse(data[0].lastAnswer.at)).toBeGreaterThanOrEqual(Date.parse(since))
})

test('a price ends a series of failures; an outlier is a price and a failure', () => {
  const log = createAnswerLog(new Date())
  const at = new Date('2026-01-02T03:04:05Z')
  const round = { providers: {}, failures: {}, leftOut: {} }
  log.note('BTC', { ...round, failures: { a: 'did not answer in time' } }, at)
  log.note('BTC', { ...round, failures: { a: 'is far' }, leftOut: { a: 9 } }, at)
  expect(log.of('a')).toEqual({
    lastAnswer: { assetCode: 'BTC', rate: 9, at: at.toISOString() },
    lastFailure: { assetCode: 'BTC', reason: 'is far', at: at.toISOString() },
    failuresInARow: 2,
  })
  log.note('ETH', { ...round, providers: { a: 3 } }, at)
  expect(log.of('a')).toMatchObject({ lastAnswer: { assetCode: 'ETH', rate: 3 }, failuresInARow: 0 })
})
