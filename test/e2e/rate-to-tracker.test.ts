import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform(['quote', 'log-tracker'])
  // A rate is made when Redis has its event within two seconds: the first publish of a process takes a busy machine longer.
  await platform.settle()
})
afterAll(() => platform.close())

const post = (path: string, body: object, requestId: string = crypto.randomUUID()) =>
  platform.to('quote').post(path, body, { 'x-request-id': requestId })

const logged = async (query: string): Promise<Record<string, unknown>[]> =>
  (await platform.to('log-tracker', '/tracker/v1').get(`/log-messages?${query}`)).body.data

const known = (query: string, what: string) =>
  until(async () => (await logged(query)).length > 0 && (await logged(query)), { what })

test('a rate is computed, stored, published and shown in the tracker under the same request id', async () => {
  const asset = await post('/assets', { name: 'Gold gram', code: 'GOLDG', staticValue: 142.5 })
  expect(asset.status).toBe(201)
  const rate = await post('/rates', { assetCode: 'goldg' }, 'flow-1')
  expect([rate.status, rate.body]).toEqual([201, { rate: 142.5, currency: 'USD', isStatic: true }])
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
  await platform.stop('quote')
  // At its stop it waits for Redis for a moment only: what is left then is told by its next start.
  await platform.start('quote')
  const [stopped] = await known('service=quote&type=SERVICE_STOPPED', 'the quote service to have stopped')
  expect(stopped?.status).toBe('SUCCESS')
})

test('without Redis what needs no publishing goes on, and what happened is told once it is back', async () => {
  await platform.redis.kill()
  expect((await post('/assets', { name: 'Silver gram', code: 'SILVG', staticValue: 1.1 })).status).toBe(201)
  expect((await post('/rates', { assetCode: 'SILVG' }, 'flow-3')).body).toMatchObject({
    statusCode: 500,
    message: 'Failed to create rate',
  })
  expect((await platform.to('quote').get('/health')).status).toBe(503)
  await platform.redis.restart()
  const [failed] = await known('requestId=flow-3&type=VALUATION_FAILED', 'the failure of the time without Redis')
  expect(failed).toMatchObject({ service: 'quote', status: 'FAILURE' })
  await until(async () => (await post('/rates', { assetCode: 'SILVG' }, 'flow-4')).status === 201, {
    what: 'rates to be made again',
  })
  await known('requestId=flow-4&type=VALUATION_PROCESSED', 'the rate after it')
  expect(await logged('requestId=flow-3&type=VALUATION_PROCESSED')).toEqual([])
})
