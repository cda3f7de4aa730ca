import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceConfig } from '@bursar/http'
import { type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { start as startTracker } from '../../services/log-tracker/src/service'
import { config as quoteConfig } from '../../services/quote/src/config'
import { start as startQuote } from '../../services/quote/src/service'

let redis: TestRedis
let quote: { url: string; stop(): Promise<void> }
let tracker: { url: string; stop(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  redis = await testRedis()
  env = { REDIS_URL: redis.url, DATA_DIR: tempDir(), QUOTE_PORT: '0', TRACKER_PORT: '0', LOG_LEVEL: 'silent' }
  tracker = await startTracker(serviceConfig(env, 'log-tracker'))
  quote = await startQuote(quoteConfig(env))
})
afterAll(async () => {
  await quote.stop()
  await tracker.stop()
  await redis.stop()
})

async function post(path: string, body: object, requestId: string = crypto.randomUUID()) {
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId }
  const response = await fetch(`${quote.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function logged(query: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${tracker.url}/tracker/v1/log-messages?${query}`)
  return ((await response.json()) as { data: Record<string, unknown>[] }).data
}

const known = (query: string, what: string) =>
  until(async () => (await logged(query)).length > 0 && (await logged(query)), { what, timeoutMs: 15_000 })

test('a rate is computed, stored, published and shown in the tracker under the same request id', async () => {
  const asset = await post('/assets', { name: 'Gold gram', code: 'GOLDG', staticValue: 142.5 })
  expect(asset.status).toBe(201)
  const rate = await post('/rates', { assetCode: 'goldg' }, 'flow-1')
  expect(rate).toEqual({ status: 201, body: { rate: 142.5, currency: 'USD', isStatic: true } })
  const [processed] = await known('requestId=flow-1&type=VALUATION_PROCESSED', 'the valuation')
  expect(processed).toMatchObject({
    service: 'quote',
    status: 'SUCCESS',
    metadata: { asset_code: 'GOLDG', asset_id: asset.body.id, rate: 142.5, is_static: true },
  })
  expect(await logged('requestId=flow-1&type=VALUATION_REQUESTED')).toHaveLength(1)
})

test('a rate that cannot be had is shown as failed, with the reason', async () => {
  expect((await post('/rates', { assetCode: 'NOPE' }, 'flow-2')).status).toBe(503)
  const [failed] = await known('requestId=flow-2&type=VALUATION_FAILED', 'the failure')
  expect(failed).toMatchObject({ status: 'FAILURE', metadata: { asset_code: 'NOPE', status_code: 503 } })
})

test('each service says that it started, and that it stopped', async () => {
  await known('service=quote&type=SERVICE_STARTED', 'the quote service to have started')
  await known('service=log-tracker&type=SERVICE_STARTED', 'the tracker to have started')
  await quote.stop()
  const [stopped] = await known('service=quote&type=SERVICE_STOPPED', 'the quote service to have stopped')
  expect(stopped?.status).toBe('SUCCESS')
  quote = await startQuote(quoteConfig(env))
})

test('without Redis what needs no publishing goes on, and what happened is told once it is back', async () => {
  await redis.kill()
  expect((await post('/assets', { name: 'Silver gram', code: 'SILVG', staticValue: 1.1 })).status).toBe(201)
  expect((await post('/rates', { assetCode: 'SILVG' }, 'flow-3')).body).toMatchObject({
    statusCode: 500,
    message: 'Failed to create rate',
  })
  expect((await fetch(`${quote.url}/health`)).status).toBe(503)
  await redis.restart()
  const [failed] = await known('requestId=flow-3&type=VALUATION_FAILED', 'the failure of the time without Redis')
  expect(failed).toMatchObject({ service: 'quote', status: 'FAILURE' })
  await until(async () => (await post('/rates', { assetCode: 'SILVG' }, 'flow-4')).status === 201, {
    what: 'rates to be made again',
    timeoutMs: 15_000,
  })
  await known('requestId=flow-4&type=VALUATION_PROCESSED', 'the rate after it')
  expect(await logged('requestId=flow-3&type=VALUATION_PROCESSED')).toEqual([])
}, 60_000)
