import { beforeAll, describe, expect, test } from 'bun:test'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { fixedClock, until } from '@bursar/testing'
import { nobody, storedText } from '@bursar/testing/service'
import { findTarget } from '../src/targets/targets'
import { participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'

let hooks: Webhooks
beforeAll(async () => {
  hooks = await testWebhooks()
})

const url = 'http://127.0.0.1:9/hook'
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/

describe('POST /webhooks/endpoints', () => {
  test('201 with its secret, which is shown only here', async () => {
    const { status, body } = await hooks.post('/webhooks/endpoints', {
      participantId,
      url,
      eventTypes: ['payment.accepted', 'payment.cancelled'],
    })
    expect(status).toBe(201)
    const { secret, ...endpoint } = body
    expect(secret).toMatch(secretPattern)
    expect(endpoint).toEqual({
      id: endpoint.id,
      participantId,
      url,
      eventTypes: ['payment.accepted', 'payment.cancelled'],
      takes: ['payment.accepted', 'payment.cancelled'],
      status: 'active',
      previousSecretUntil: null,
      createdAt: endpoint.createdAt,
      updatedAt: endpoint.createdAt,
    })
    expect((await hooks.get(`/webhooks/endpoints/${endpoint.id}`)).body).toEqual(endpoint)
    expect((await hooks.get(`/webhooks/endpoints/${endpoint.id.toUpperCase()}`)).body).toEqual(endpoint)
  })

  test('without event types it gets all of them; each endpoint has its own secret', async () => {
    const [one, two] = [await hooks.endpoint(url), await hooks.endpoint(url)]
    expect(one).toMatchObject({ eventTypes: [] })
    expect(one.secret).not.toBe(two.secret)
  })

  test('400 names every field that is missing or wrong', async () => {
    expect(refused(await hooks.post('/webhooks/endpoints', {}), 400)).toEqual([
      'participantId should not be empty',
      'url should not be empty',
    ])
    const wrong = { participantId: '', url: 5, eventTypes: 'all' }
    expect(refused(await hooks.post('/webhooks/endpoints', wrong), 400)).toHaveLength(3)
    refused(
      await hooks.post('/webhooks/endpoints', { participantId, url, eventTypes: Array(101).fill('payment.accepted') }),
      400,
    )
  })

  test.each([
    ['no URL', 'hello', 'url cannot be read'],
    ['another scheme', 'file:///etc/passwd', 'url must begin with http:// or https://'],
    ['a password', 'https://a:b@example.com/', 'url must not hold a user or a password'],
    [
      'an address of our own network',
      'http://10.0.0.1/hook',
      'url: 10.0.0.1 is not a public address, and OUTBOUND_ALLOW does not list it',
    ],
    [
      'the cloud’s metadata',
      'http://169.254.169.254/latest',
      'url: 169.254.169.254 is not a public address, and OUTBOUND_ALLOW does not list it',
    ],
    [
      'an odd form of it',
      'http://0xa.1/',
      'url: 10.0.0.1 is not a public address, and OUTBOUND_ALLOW does not list it',
    ],
    ['IPv6', 'http://[::1]:4010/', 'url: [::1]:4010 is not a public address, and OUTBOUND_ALLOW does not list it'],
  ])('400 for %s', async (_, bad, sentence) => {
    expect(refused(await hooks.post('/webhooks/endpoints', { participantId, url: bad }), 400)).toEqual([sentence])
  })

  test('400 for an address of this machine, unless OUTBOUND_ALLOW has it', async () => {
    const strict = await testWebhooks({ env: { OUTBOUND_ALLOW: '' } })
    refused(await strict.post('/webhooks/endpoints', { participantId, url }), 400)
    refused(await strict.post('/webhooks/endpoints', { participantId, url: 'http://localhost/' }), 400)
    expect((await hooks.post('/webhooks/endpoints', { participantId, url })).status).toBe(201)
  })

  test('201 for a host that cannot be resolved now', async () => {
    const made = await hooks.post('/webhooks/endpoints', { participantId, url: 'https://hooks.invalid/' })
    expect(made.status).toBe(201)
  })

  test('409 for the 21st endpoint of a participant', async () => {
    const body = { participantId: 'collector', url }
    for (let i = 0; i < 20; i++) await hooks.create('/webhooks/endpoints', body)
    expect(refused(await hooks.post('/webhooks/endpoints', body), 409)).toEqual([
      'The participant has 20 endpoints; it may not have more',
    ])
    expect((await hooks.get('/webhooks/endpoints?participantId=collector')).body).toHaveLength(20)
  })

  test('a repeat with its key gets the same endpoint and secret; no secret is in plain text on the disk', async () => {
    const headers = { 'idempotency-key': 'e-1' }
    const first = await hooks.post('/webhooks/endpoints', { participantId, url }, headers)
    const again = await hooks.post('/webhooks/endpoints', { participantId, url }, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    refused(await hooks.post('/webhooks/endpoints', { participantId: 'x', url }, headers), 422)
    const rotated = await hooks.post(`/webhooks/endpoints/${first.body.id}/rotate-secret`, undefined, headers)
    const stored = await storedText(hooks)
    for (const { secret } of [first.body, rotated.body]) {
      expect(secret).toMatch(secretPattern)
      expect(stored).not.toContain(secret.slice('whsec_'.length))
    }
    expect(stored).toContain(first.body.id)
  })
})

describe('a participant', () => {
  test('sees and changes only its own endpoints', async () => {
    const mine = await hooks.endpoint(url)
    const own = await hooks.asParticipant(participantId)
    const other = await hooks.asParticipant('someone-else')
    const path = `/webhooks/endpoints/${mine.id}`
    expect((await hooks.get(path, own)).status).toBe(200)
    refused(await hooks.get(path, other), 404)
    refused(await hooks.put(path, { eventTypes: ['sanctions.hit'] }, other), 404)
    refused(await hooks.del(path, other), 404)
    for (const action of ['rotate-secret', 'enable', 'test'])
      refused(await hooks.post(`${path}/${action}`, undefined, other), 404)
    refused(await hooks.get(`${path}/deliveries`, other), 404)
    expect((await hooks.get('/webhooks/endpoints', other)).body).toEqual([])
    expect((await hooks.get(`/webhooks/endpoints?participantId=${participantId}`, other)).body).toEqual([])
    const answer = await hooks.post('/webhooks/endpoints', { participantId, url }, other)
    expect(refused(answer, 404)).toEqual(['Participant not found'])
  })
})

describe('GET /webhooks/endpoints', () => {
  test('all, oldest first, and those of one participant', async () => {
    const own = await testWebhooks()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await own.endpoint(url, { participantId: i % 2 ? 'odd' : 'even' })).id)
    const list = async (query = '') =>
      (await own.get(`/webhooks/endpoints${query}`)).body.map(({ id }: { id: string }) => id)
    expect(await list()).toEqual(ids)
    expect(await list('?participantId=odd')).toEqual([ids[1], ids[3]])
    expect(await list('?limit=2&offset=1')).toEqual(ids.slice(1, 3))
    expect(JSON.stringify((await own.get('/webhooks/endpoints')).body)).not.toContain('whsec_')
  })

  test('404 for an unknown id', async () => {
    expect(refused(await hooks.get(`/webhooks/endpoints/${nobody}`), 404)).toEqual(['Endpoint not found'])
    refused(await hooks.get('/webhooks/endpoints/x'), 404)
    refused(await hooks.get('/webhooks/endpoints?limit=x'), 400)
  })
})

describe('PUT /webhooks/endpoints/:id', () => {
  test('200: the given fields change, and waiting deliveries go to the new URL', async () => {
    const [before, after] = [receiver(), receiver()]
    const own = await testWebhooks()
    const made = await own.endpoint(before.url, { eventTypes: ['message.created'] })
    const id = await own.request()
    const { status, body } = await own.put(`/webhooks/endpoints/${made.id}`, { url: after.url })
    expect(status).toBe(200)
    expect(body).toMatchObject({ url: after.url, eventTypes: ['message.created'] })
    expect(body.secret).toBeUndefined()
    own.deliver()
    expect(await own.reached(id, 'delivered')).toMatchObject({ webhookUrl: after.url })
    expect(before.requests).toHaveLength(0)
    const narrowed = await own.put(`/webhooks/endpoints/${made.id}`, { eventTypes: ['sanctions.hit'] })
    expect(narrowed.body).toMatchObject({ url: after.url, eventTypes: ['sanctions.hit'] })
    expect(await own.status(await own.request())).toMatchObject({ status: 'failed', lastError: 'no endpoint' })
  })

  test('400, 404', async () => {
    const { id } = await hooks.endpoint(url)
    refused(await hooks.put(`/webhooks/endpoints/${id}`, { url: 'http://192.168.0.1/' }), 400)
    refused(await hooks.put(`/webhooks/endpoints/${id}`, { eventTypes: 'x' }), 400)
    refused(await hooks.put(`/webhooks/endpoints/${nobody}`, { eventTypes: [] }), 404)
    expect((await hooks.get(`/webhooks/endpoints/${id}`)).body.url).toBe(url)
  })
})

describe('DELETE /webhooks/endpoints/:id', () => {
  test('200; its waiting deliveries fail, and its queue is removed', async () => {
    const { id } = await hooks.endpoint(url, { participantId: 'leaver' })
    const request = await hooks.request({ participantId: 'leaver' })
    const { status, body } = await hooks.del(`/webhooks/endpoints/${id}`)
    expect([status, body]).toEqual([200, { success: true, message: 'Endpoint deleted' }])
    refused(await hooks.get(`/webhooks/endpoints/${id}`), 404)
    const worker = hooks.deliver()
    expect(await hooks.reached(request, 'failed')).toMatchObject({ lastError: 'endpoint deleted', attemptCount: 0 })
    await until(async () => (await findTarget(hooks.store.read, id)) === undefined, { what: 'its queue to be removed' })
    await worker.stop()
  })

  test('404', async () => {
    refused(await hooks.del(`/webhooks/endpoints/${nobody}`), 404)
  })
})

describe('POST /webhooks/endpoints/:id/test', () => {
  test('201 with the delivery, which goes to this endpoint whatever its event types', async () => {
    const own = await testWebhooks()
    const [taker, other] = [receiver(), receiver()]
    const made = await own.endpoint(taker.url, { eventTypes: ['sanctions.hit'] })
    await own.endpoint(other.url)
    own.deliver()
    const { status, body } = await own.post(`/webhooks/endpoints/${made.id}/test`)
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'pending_retry', webhookUrl: taker.url })
    await own.reached(body.requestId, 'delivered')
    const sent = JSON.parse(taker.requests[0]?.body ?? '')
    expect(sent).toEqual({
      type: 'webhook.test',
      timestamp: sent.timestamp,
      data: { endpointId: made.id, participantId },
    })
    expect(other.requests).toHaveLength(0)
  })

  test('201 with the example of another type, marked as a test', async () => {
    const own = await testWebhooks()
    const taker = receiver()
    const made = await own.endpoint(taker.url, { eventTypes: ['sanctions.hit'] })
    own.deliver()
    for (const [index, { type, example }] of webhookEvents.filter(({ type }) => type !== 'webhook.test').entries()) {
      const { status, body } = await own.post(`/webhooks/endpoints/${made.id}/test`, { eventType: type })
      expect(status).toBe(201)
      await own.reached(body.requestId, 'delivered')
      const { timestamp, test, ...sent } = JSON.parse(taker.requests[index]?.body ?? '')
      expect([test, { ...sent, timestamp: example.timestamp }]).toEqual([true, example])
      expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(String(example.timestamp)))
      expect((await own.get(`/webhooks/deliveries/${body.deliveryId}`)).body.eventType).toBe(type)
    }
  })

  test.each(['payment.unknown', '*', 'payment.*', '', 'constructor', 5, null])(
    '400 for the type %j',
    async (eventType) => {
      const made = await hooks.endpoint(url)
      refused(await hooks.post(`/webhooks/endpoints/${made.id}/test`, { eventType }), 400)
    },
  )

  test('404; 409 while it is disabled', async () => {
    refused(await hooks.post(`/webhooks/endpoints/${nobody}/test`), 404)
    const own = await testWebhooks()
    const gone = receiver(() => new Response(null, { status: 410 }))
    const made = await own.endpoint(gone.url)
    own.deliver()
    await own.post(`/webhooks/endpoints/${made.id}/test`)
    await until(async () => (await own.get(`/webhooks/endpoints/${made.id}`)).body.status === 'disabled')
    expect(refused(await own.post(`/webhooks/endpoints/${made.id}/test`), 409)).toEqual([
      'The endpoint is disabled; enable it first',
    ])
  })
})

test('404 for other operations on an unknown endpoint', async () => {
  for (const action of ['rotate-secret', 'enable'])
    refused(await hooks.post(`/webhooks/endpoints/${nobody}/${action}`), 404)
  refused(await hooks.get(`/webhooks/endpoints/${nobody}/deliveries`), 404)
})

describe('GET /webhooks/endpoints/:id/deliveries', () => {
  test('lists newest first, filters by time, pages', async () => {
    const clock = fixedClock('2026-01-31T12:00:00.000Z')
    const own = await testWebhooks({ now: clock })
    const made = await own.endpoint(url, { eventTypes: ['payment.accepted'] })
    await own.endpoint(url, { eventTypes: ['payment.cancelled'] })
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      ids.unshift(await own.request({ eventType: 'payment.accepted' }))
      await own.request({ eventType: 'payment.cancelled' })
      clock.advance(60_000)
    }
    const page = async (query = '') => (await own.get(`/webhooks/endpoints/${made.id}/deliveries${query}`)).body
    const requests = ({ deliveries }: { deliveries: { requestId: string }[] }) =>
      deliveries.map((each) => each.requestId)
    expect(await page()).toMatchObject({ count: 5, limit: 50 })
    expect(requests(await page())).toEqual(ids)
    expect(requests(await page('?since=2026-01-31T12:01:00Z&until=2026-01-31T12:03:00Z'))).toEqual(ids.slice(1, 4))
    expect(requests(await page('?until=2026-01-31T12:00:59.999Z'))).toEqual(ids.slice(4))
    const first = await page('?limit=2')
    expect(requests(first)).toEqual(ids.slice(0, 2))
    expect(requests(await page(`?limit=2&before=${first.deliveries[1].deliveryId}`))).toEqual(ids.slice(2, 4))
    refused(await own.get(`/webhooks/endpoints/${made.id}/deliveries?since=yesterday`), 400)
    refused(await own.get(`/webhooks/endpoints/${made.id}/deliveries?limit=201`), 400)
  })
})
