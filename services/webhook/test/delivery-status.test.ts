import { beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { participantId, receiver, refused, requested, testWebhooks, type Webhooks } from './harness'

const start = '2026-01-31T12:00:00.000Z'

/** A service with a delivery that was delivered, one that failed after its retries and one that is pending. */
async function withAllKinds() {
  const clock = fixedClock(start)
  const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '1s' } })
  const good = receiver()
  const bad = receiver(() => new Response('no', { status: 500 }))
  await hooks.endpoint(good.url, { eventTypes: ['payment.executed'] })
  await hooks.endpoint(bad.url, { eventTypes: ['payment.rejected'] })
  const worker = hooks.deliver()
  const delivered = await hooks.request({ eventType: 'payment.executed' })
  await hooks.reached(delivered, 'delivered')
  const failed = await hooks.request({ eventType: 'payment.rejected' })
  const tried = async (id: string) => (await hooks.attempts(id)).length
  await until(async () => (await tried(failed)) === 1)
  clock.advance(2000)
  await worker.wake()
  await hooks.reached(failed, 'failed')
  const pending = await hooks.request({ eventType: 'payment.rejected' })
  await until(async () => (await tried(pending)) === 1)
  return { hooks, clock, good, bad, delivered, failed, pending }
}

let all: Awaited<ReturnType<typeof withAllKinds>>
let hooks: Webhooks
beforeAll(async () => {
  all = await withAllKinds()
  hooks = all.hooks
})

describe('GET /webhooks/delivery/status/:requestId', () => {
  test('200, delivered', async () => {
    const record = await hooks.status(all.delivered)
    expect(record).toEqual({
      deliveryId: record.deliveryId,
      requestId: all.delivered,
      status: 'delivered',
      attemptCount: 1,
      maxRetries: 1,
      lastError: null,
      lastAttemptAt: start,
      successAt: start,
      httpStatus: 200,
      webhookUrl: all.good.url,
      createdAt: start,
      updatedAt: start,
    })
  })

  test('200, failed after its retries', async () => {
    const record = await hooks.status(all.failed)
    expect(record).toEqual({
      deliveryId: record.deliveryId,
      requestId: all.failed,
      status: 'failed',
      attemptCount: 2,
      maxRetries: 1,
      lastError: 'The receiver answered 500',
      lastAttemptAt: '2026-01-31T12:00:02.000Z',
      httpStatus: 500,
      webhookUrl: all.bad.url,
      createdAt: start,
      updatedAt: '2026-01-31T12:00:02.000Z',
    })
  })

  test('200, pending, before its first attempt and after', async () => {
    expect(await hooks.status(all.pending)).toMatchObject({ status: 'pending_retry', attemptCount: 1, httpStatus: 500 })
    const own = await testWebhooks()
    await own.endpoint(all.good.url)
    const record = await own.status(await own.request())
    expect(record).toMatchObject({ status: 'pending_retry', attemptCount: 0, maxRetries: 9, lastError: null })
    expect(Object.keys(record)).not.toContain('httpStatus')
    expect(Object.keys(record)).not.toContain('lastAttemptAt')
  })

  test('of several deliveries the one that needs attention', async () => {
    const own = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '1ms' } })
    await own.endpoint(receiver().url)
    await own.endpoint(receiver(() => new Response(null, { status: 500 })).url)
    await own.endpoint(receiver().url)
    const id = await own.request()
    own.deliver()
    expect(await own.reached(id, 'failed')).toMatchObject({ httpStatus: 500 })
  })

  test('by the id of an event that several participants are told of: the caller’s own delivery', async () => {
    const own = await testWebhooks()
    const event = '01a1fe8f-0000-7000-8000-0000000000e1'
    const told = [participantId, '01a1fe8f-0000-7000-8000-0000000000a2'] as const
    for (const each of told) await own.request({ requestId: `${event}.${each}`, participantId: each })
    const path = `/webhooks/delivery/status/${event.toUpperCase()}`
    for (const each of told)
      expect((await own.get(path, await own.asParticipant(each))).body.requestId).toBe(`${event}.${each}`)
    expect((await own.get(path)).body.requestId).toBe(`${event}.${told[1]}`)
    refused(await own.get(path, await own.asParticipant('someone-else')), 404)
    // A part of an id is none.
    refused(await own.get('/webhooks/delivery/status/01a1fe8f'), 404)
  })

  test('404 without a delivery', async () => {
    const nothing = await hooks.get('/webhooks/delivery/status/01a1fe8f-0000-7000-8000-000000000000')
    expect(refused(nothing, 404)).toEqual(['There is no delivery for this request id'])
    refused(await hooks.get('/webhooks/delivery/status/what%20is%20this'), 404)
  })

  test('404 for another participant’s', async () => {
    const path = `/webhooks/delivery/status/${all.delivered}`
    expect((await hooks.get(path, await hooks.asParticipant(participantId))).status).toBe(200)
    refused(await hooks.get(path, await hooks.asParticipant('someone-else')), 404)
    refused(await hooks.get(path, await hooks.as({ kind: 'user' })), 404)
    expect((await hooks.get(path, await hooks.as({ kind: 'user', roles: ['admin'] }))).status).toBe(200)
    expect((await hooks.get(path, await hooks.asService('message'))).status).toBe(200)
  })
})

describe('GET /webhooks/delivery/failed', () => {
  test('200 {count, limit, deliveries}: those that failed, the latest first', async () => {
    const { status, body } = await hooks.get('/webhooks/delivery/failed')
    expect(status).toBe(200)
    expect(body).toEqual({ count: 1, limit: 50, deliveries: [await hooks.status(all.failed)] })
  })

  test('the limit is 50, 200 at most', async () => {
    // No two of them failed at the same moment.
    let at = Date.now()
    const own = await testWebhooks({ now: () => new Date(at++) })
    const ids: string[] = []
    for (let i = 0; i < 210; i++) ids.push(await own.request())
    const list = async (query: string) => (await own.get(`/webhooks/delivery/failed${query}`)).body
    const newest = ids.toReversed()
    const ofList = ({ deliveries }: { deliveries: { requestId: string }[] }) => deliveries.map((each) => each.requestId)
    expect(await list('')).toMatchObject({ count: 50, limit: 50 })
    expect(ofList(await list(''))).toEqual(newest.slice(0, 50))
    expect(await list('?limit=200')).toMatchObject({ count: 200, limit: 200 })
    expect(await list('?limit=3')).toMatchObject({ count: 3, limit: 3 })
    expect(await list('?limit=0')).toEqual({ count: 0, limit: 0, deliveries: [] })
  })

  test('400 for an invalid limit', async () => {
    expect(refused(await hooks.get('/webhooks/delivery/failed?limit=201'), 400)).toEqual([
      'limit must not be greater than 200',
    ])
    refused(await hooks.get('/webhooks/delivery/failed?limit=-1'), 400)
    refused(await hooks.get('/webhooks/delivery/failed?limit=x'), 400)
  })

  test('a participant sees its own', async () => {
    const own = await hooks.get('/webhooks/delivery/failed', await hooks.asParticipant(participantId))
    expect(own.body.count).toBe(1)
    const others = await hooks.get('/webhooks/delivery/failed', await hooks.asParticipant('someone-else'))
    expect(others.body).toEqual({ count: 0, limit: 50, deliveries: [] })
  })
})

describe('GET /webhooks/delivery/pending-retries', () => {
  test('200 {count, deliveries}: those that are pending', async () => {
    const { status, body } = await hooks.get('/webhooks/delivery/pending-retries')
    expect([status, body]).toEqual([200, { count: 1, deliveries: [await hooks.status(all.pending)] }])
  })

  test('all of them, oldest first, however many', async () => {
    const own = await testWebhooks()
    await own.endpoint(all.good.url)
    const ids: string[] = []
    for (let i = 0; i < 250; i++) ids.push(await own.request())
    const { body } = await own.get('/webhooks/delivery/pending-retries')
    expect(body.count).toBe(250)
    expect(body.deliveries.map(({ requestId }: { requestId: string }) => requestId)).toEqual(ids)
    const others = await own.get('/webhooks/delivery/pending-retries', await own.asParticipant('someone-else'))
    expect(others.body).toEqual({ count: 0, deliveries: [] })
  })
})

describe('an event without an endpoint', () => {
  test('is recorded as failed', async () => {
    const own = await testWebhooks()
    await own.endpoint(all.good.url, { eventTypes: ['sanctions.hit'] })
    const record = await own.status(await own.request())
    expect(record).toMatchObject({ status: 'failed', lastError: 'no endpoint', attemptCount: 0, webhookUrl: '' })
    expect(await own.status(await own.request({ participantId: null }))).toMatchObject({ lastError: 'no endpoint' })
  })

  test('is not recorded if it is for endpoints only', async () => {
    const own = await testWebhooks()
    await own.endpoint(all.good.url, { eventTypes: ['payment.created'] })
    const unwanted = await own.request({ endpointsOnly: true })
    expect((await own.get(`/webhooks/delivery/status/${unwanted}`)).status).toBe(404)
    const wanted = { endpointsOnly: true, eventType: 'payment.created' }
    expect(await own.status(await own.request(wanted))).toMatchObject({ status: 'pending_retry' })
  })

  test('goes to the fallback URL, unsigned', async () => {
    const own = await testWebhooks()
    const fallback = receiver()
    own.deliver()
    const record = await own.reached(await own.request({ fallbackUrl: fallback.url, participantId: null }), 'delivered')
    expect(record.webhookUrl).toBe(fallback.url)
    expect(fallback.requests[0]?.headers.get('webhook-signature')).toBe(null)
    expect(fallback.requests[0]?.headers.get('webhook-id')).toBe(String(record.deliveryId))
  })

  test('goes to a subscribed endpoint rather than to the fallback URL', async () => {
    const own = await testWebhooks()
    const [fallback, registered] = [receiver(), receiver()]
    await own.endpoint(registered.url, { eventTypes: ['message.created'] })
    own.deliver()
    await own.reached(await own.request({ fallbackUrl: fallback.url }), 'delivered')
    expect([fallback.requests.length, registered.requests.length]).toEqual([0, 1])
  })
})

test('a repeated event is delivered once', async () => {
  const own = await testWebhooks()
  const taker = receiver()
  await own.endpoint(taker.url)
  const envelope = requested()
  await own.consume(envelope)
  await own.consume(envelope)
  expect((await own.get('/webhooks/delivery/pending-retries')).body.count).toBe(1)
})

test('GET /health', async () => {
  expect((await hooks.get('/health')).body).toMatchObject({ status: 'ok', service: 'webhook' })
})
