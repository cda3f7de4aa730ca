import { describe, expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { nobody } from '@bursar/testing/service'
import { participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'

const env = { WEBHOOK_RETRY_SCHEDULE: '1ms' }
const broken = () => new Response(null, { status: 500 })

async function withFailed(count = 1) {
  const hooks = await testWebhooks({ env })
  const to = receiver(broken)
  const made = await hooks.endpoint(to.url)
  hooks.deliver()
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const id = await hooks.request()
    ids.push(id)
    await hooks.reached(id, 'failed')
  }
  to.answer(() => new Response('ok'))
  return { hooks, to, made, ids, id: ids[0] ?? '' }
}

const replay = async (hooks: Webhooks, requestId: string) =>
  await hooks.post(`/webhooks/delivery/${(await hooks.status(requestId)).deliveryId}/replay`)

describe('POST /webhooks/delivery/:deliveryId/replay', () => {
  test('200: a failed delivery is sent again with the same webhook-id, and all its retries', async () => {
    const { hooks, to, id } = await withFailed()
    const before = await hooks.status(id)
    const { status, body } = await replay(hooks, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      deliveryId: before.deliveryId,
      status: 'pending_retry',
      attemptCount: 0,
      maxRetries: 1,
    })
    expect(await hooks.reached(id, 'delivered')).toMatchObject({ attemptCount: 1, lastError: null })
    expect(new Set(to.requests.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(await hooks.attempts(id)).toHaveLength(3)
    expect((await hooks.get('/webhooks/delivery/failed')).body.count).toBe(0)
  })

  test('200: a successful delivery is sent again', async () => {
    const { hooks, to, id } = await withFailed()
    await replay(hooks, id)
    await hooks.reached(id, 'delivered')
    const sent = to.requests.length
    expect((await replay(hooks, id)).body.successAt).toBeUndefined()
    await hooks.reached(id, 'delivered')
    expect(to.requests).toHaveLength(sent + 1)
  })

  test('200: a delivery that waits for its retry is sent at once', async () => {
    const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '24h' } })
    const to = receiver(broken)
    await hooks.endpoint(to.url)
    hooks.deliver()
    const id = await hooks.request()
    await until(async () => (await hooks.attempts(id)).length === 1)
    to.answer(() => new Response('ok'))
    await replay(hooks, id)
    await hooks.reached(id, 'delivered')
  })

  test('200: a delivery whose last attempt is running keeps all its retries when that fails', async () => {
    const hooks = await testWebhooks({ env })
    const to = receiver(broken)
    const last = Promise.withResolvers<Response>()
    to.answer(() => (to.requests.length === 2 ? last.promise : broken()))
    await hooks.endpoint(to.url)
    hooks.deliver()
    const id = await hooks.request()
    await until(() => to.requests.length === 2)
    expect((await replay(hooks, id)).body).toMatchObject({ status: 'pending_retry', attemptCount: 0 })
    to.answer(() => new Response('ok'))
    last.resolve(broken())
    expect(await hooks.reached(id, 'delivered')).toMatchObject({ attemptCount: 2 })
    expect(to.requests).toHaveLength(3)
  })

  test('200: to another endpoint, whatever a running attempt at a deleted one comes to', async () => {
    const hooks = await testWebhooks({ env })
    const answer = Promise.withResolvers<Response>()
    const [gone, stays] = [receiver(() => answer.promise), receiver()]
    const made = await hooks.endpoint(gone.url)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await until(() => gone.requests.length === 1)
    await hooks.del(`/webhooks/endpoints/${made.id}`)
    await hooks.endpoint(stays.url)
    await replay(hooks, id)
    answer.resolve(new Response('ok'))
    await until(() => stays.requests.length === 1 && worker.idle?.())
    expect(await hooks.status(id)).toMatchObject({ status: 'delivered', webhookUrl: stays.url, attemptCount: 1 })
  })

  test('a delivery without an endpoint goes to each of the present endpoints once', async () => {
    const hooks = await testWebhooks({ env })
    const id = await hooks.request()
    expect(refused(await replay(hooks, id), 409)).toEqual(['No enabled endpoint subscribes to this delivery'])
    const [one, two, other] = [receiver(), receiver(), receiver()]
    await hooks.endpoint(one.url)
    await hooks.endpoint(two.url, { eventTypes: ['message.created'] })
    await hooks.endpoint(other.url, { eventTypes: ['sanctions.hit'] })
    hooks.deliver()
    expect((await replay(hooks, id)).body).toMatchObject({ webhookUrl: one.url, lastError: 'no endpoint' })
    await hooks.reached(id, 'delivered')
    await until(() => two.requests.length === 1)
    expect([one.requests.length, other.requests.length]).toEqual([1, 0])
  })

  test('a delivery of a deleted endpoint goes to the others, and to none of them twice', async () => {
    const hooks = await testWebhooks({ env })
    const [gone, stays] = [receiver(broken), receiver()]
    const made = await hooks.endpoint(gone.url)
    await hooks.endpoint(stays.url)
    hooks.deliver()
    const id = await hooks.request()
    await hooks.reached(id, 'failed')
    await until(() => stays.requests.length === 1)
    await hooks.del(`/webhooks/endpoints/${made.id}`)
    refused(await replay(hooks, id), 409)
    const late = receiver()
    await hooks.endpoint(late.url)
    await replay(hooks, id)
    await hooks.reached(id, 'delivered')
    expect([stays.requests.length, late.requests.length]).toEqual([1, 1])
  })

  test('404; 409 while its endpoint is disabled', async () => {
    const hooks = await testWebhooks({ env })
    expect(refused(await hooks.post(`/webhooks/delivery/${nobody}/replay`), 404)).toEqual(['Delivery not found'])
    const to = receiver(() => new Response(null, { status: 410 }))
    await hooks.endpoint(to.url)
    hooks.deliver()
    const id = await hooks.request()
    const { deliveryId } = await hooks.reached(id, 'failed')
    refused(await replay(hooks, id), 409)
    const path = `/webhooks/delivery/${deliveryId}/replay`
    refused(await hooks.post(path, undefined, await hooks.asParticipant('someone-else')), 404)
  })
})

describe('POST /webhooks/delivery/replay-failed', () => {
  test('200: deliveries that failed since a time are sent again', async () => {
    const clock = fixedClock('2026-01-31T12:00:00.000Z')
    const hooks = await testWebhooks({ now: clock })
    const ids: string[] = []
    // Nobody takes them.
    for (let i = 0; i < 4; i++) {
      ids.push(await hooks.request())
      clock.advance(60_000)
    }
    const to = receiver()
    await hooks.endpoint(to.url)
    hooks.deliver()
    const { status, body } = await hooks.post('/webhooks/delivery/replay-failed', { since: '2026-01-31T12:01:00Z' })
    expect([status, body]).toEqual([200, { count: 3, more: false }])
    for (const id of ids.slice(1)) await hooks.reached(id, 'delivered')
    expect(await hooks.status(ids[0] ?? '')).toMatchObject({ status: 'failed' })
    expect(to.requests).toHaveLength(3)
  })

  test('hundreds are sent in the order of their events; of one endpoint alone on request', async () => {
    const hooks = await testWebhooks({ env })
    for (let i = 0; i < 450; i++)
      await hooks.request({ requestId: `r-${i}`, eventType: i % 3 ? 'payment.accepted' : 'payment.cancelled' })
    const [a, b] = [receiver(broken), receiver()]
    const made = await hooks.endpoint(a.url, { eventTypes: ['payment.accepted'] })
    const since = '2020-01-01'
    const all = (fields = {}) => hooks.post('/webhooks/delivery/replay-failed', { since, ...fields })
    expect((await all()).body).toEqual({ count: 300, more: false })
    expect((await all()).body).toEqual({ count: 0, more: false })
    await hooks.endpoint(b.url, { eventTypes: ['payment.cancelled'] })
    expect((await all({ endpointId: made.id })).body.count).toBe(0)
    expect((await all({ participantId: 'someone-else' })).body.count).toBe(0)
    expect((await all({ participantId })).body.count).toBe(150)
    hooks.deliver()
    await until(() => b.requests.length === 150)
    await hooks.reached('r-447', 'delivered')
  })

  test('400; 404 for another participant’s', async () => {
    const hooks = await testWebhooks()
    refused(await hooks.post('/webhooks/delivery/replay-failed', {}), 400)
    refused(await hooks.post('/webhooks/delivery/replay-failed', { since: 'yesterday' }), 400)
    const since = '2026-01-31T12:00:00Z'
    refused(await hooks.post('/webhooks/delivery/replay-failed', { since, endpointId: 'x' }), 400)
    const other = await hooks.asParticipant('someone-else')
    refused(await hooks.post('/webhooks/delivery/replay-failed', { since, participantId }, other), 404)
    await hooks.request()
    await hooks.endpoint('http://127.0.0.1:9/')
    const body = { since: '2020-01-01' }
    expect((await hooks.post('/webhooks/delivery/replay-failed', body, other)).body.count).toBe(0)
  })

  test('the same key replays once', async () => {
    const { hooks, to, id } = await withFailed()
    const headers = { 'idempotency-key': 'r-1' }
    const ask = () => hooks.post('/webhooks/delivery/replay-failed', { since: '2020-01-01' }, headers)
    expect((await ask()).body).toEqual({ count: 1, more: false })
    await hooks.reached(id, 'delivered')
    const sent = to.requests.length
    expect((await ask()).body).toEqual({ count: 1, more: false })
    expect(to.requests).toHaveLength(sent)
  })
})
