import { afterAll, expect, test } from 'bun:test'
import { connectBus } from '@bursar/bus'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { tempDir, testRedis, until } from '@bursar/testing'
import { databaseSettings } from '@bursar/testing/service'
import { config } from '../src/config'
import { start } from '../src/service'

const redis = await testRedis()
afterAll(() => redis.stop())

test('a rate reaches the log tracker over Redis, is refused without it, and both services continue afterwards', async () => {
  const secret = Buffer.alloc(32, 3)
  const key = secret.toString('base64')
  const dataDir = tempDir()
  const settings = { DATA_DIR: dataDir, REDIS_URL: redis.url, QUOTE_PORT: '0', LOG_LEVEL: 'silent' }
  const database = await databaseSettings(dataDir)
  const quote = await start(config({ ...settings, ...database, INTERNAL_SECRET: key, QUOTE_SECRET_KEY: key }))
  const tracker = connectBus({ url: redis.url, service: 'log-tracker', log: silentLog, secret })
  /** By their ids: an event may come twice. */
  const received = new Map<string, Envelope>()
  tracker.consume(async (envelope) => void received.set(envelope.id, envelope))
  const rate = (requestId: string) =>
    fetch(`${quote.url}/v1/rates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify({ assetCode: 'USDC' }),
    })
  const typesOf = (requestId: string) =>
    [...received.values()].filter((each) => each.requestId === requestId).map(({ type }) => type)
  const health = async () => {
    const response = await fetch(`${quote.url}/health`)
    return { status: response.status, body: await response.json() }
  }
  const common = { timestamp: expect.any(String), service: 'quote', version: expect.any(String) }
  /** The answer with this status. Redis, or the test, may be held up for longer than an answer waits. */
  const withStatus = (status: number, what: string) =>
    until(
      async () => {
        const answer = await health()
        return answer.status === status && answer
      },
      { what },
    )
  expect((await withStatus(200, 'Redis to be reached')).body).toEqual({ ...common, status: 'ok' })

  const first = await rate('req-1')
  expect([first.status, await first.json()]).toEqual([201, { rate: 1, currency: 'USD', isStatic: true }])
  await until(() => typesOf('req-1').length === 1, { what: 'the event of the first rate' })
  expect(typesOf('req-1')).toEqual(['VALUATION_PROCESSED'])

  await redis.kill()
  const second = await rate('req-2')
  expect([second.status, await second.json()]).toEqual([
    500,
    expect.objectContaining({ message: 'Failed to create rate' }),
  ])

  const lost = await withStatus(503, 'the loss of Redis to show')
  expect(lost.body).toEqual({ ...common, status: 'error', error: 'messageQueue: Redis does not answer' })

  await redis.restart()
  await until(async () => (await rate('req-3')).status === 201, { what: 'rates to be made again' })
  // The messages requested and failed, and the one of every 500 of any service.
  await until(() => typesOf('req-2').length === 3, { what: 'the lines of the refused rate' })
  expect(typesOf('req-2')).not.toContain('VALUATION_PROCESSED')
  await withStatus(200, 'Redis to be reached again')
  const listed = await (await fetch(`${quote.url}/rates`)).json()
  expect(listed).toMatchObject({ pageInfo: { total: 2 } })
  await quote.stop()
  await tracker.close()
})
