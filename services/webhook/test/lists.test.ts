import { beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { nobody } from '@bursar/testing/service'
import { participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'
import { other, sixEvents } from './six-events'

const staff = { kind: 'user', subject: nobody, participantId: null } as const
const env = { WEBHOOK_RETRY_SCHEDULE: '1ms' }

let hooks: Webhooks
let good: { id: string }
let bad: { id: string }
let requests: string[]
const path = '/webhooks/deliveries'

beforeAll(async () => {
  ;({ hooks, good, bad, requests } = await sixEvents())
})

const list = async (query = '', headers?: Record<string, string>) => await hooks.get(`${path}?${query}`, headers)
type Entry = Record<string, string | null>
const told = (body: { deliveries: Entry[] }) => body.deliveries.map((entry) => requests.indexOf(entry.requestId ?? ''))

describe('GET /webhooks/deliveries', () => {
  test('200: newest first, with the fields of a list', async () => {
    const { status, headers, body } = await list()
    expect(status).toBe(200)
    expect(headers.get('x-total-count')).toBeNull()
    expect([body.count, body.limit]).toEqual([8, 50])
    expect(told(body)).toEqual([5, 4, 3, 3, 2, 1, 1, 0])
    expect(body.deliveries[7]).toMatchObject({
      requestId: requests[0],
      status: 'delivered',
      eventType: 'payment.accepted',
      endpointId: good.id,
      participantId,
      nextAttemptAt: null,
      createdAt: '2026-01-31T12:00:00.000Z',
    })
    expect(body.deliveries[0]).toMatchObject({ endpointId: null, webhookUrl: '', lastError: 'no endpoint' })
    expect(body.deliveries[0]).not.toHaveProperty('body')
  })

  test.each<[string, () => string, number[]]>([
    ['endpoint', () => `endpointId=${good.id}`, [3, 2, 1, 0]],
    ['state', () => 'status=failed', [5, 4, 3, 1]],
    ['state delivered', () => 'status=delivered', [3, 2, 1, 0]],
    ['state pending', () => 'status=pending_retry', []],
    ['event', () => 'event=payment.accepted', [2, 0]],
    ['failed of an endpoint', () => `status=failed&endpointId=${bad.id}`, [3, 1]],
    ['failed of another endpoint', () => `status=failed&endpointId=${good.id}`, []],
    ['delivered of an endpoint', () => `status=delivered&endpointId=${good.id}&event=payment.cancelled`, [3, 1]],
    ['participant', () => `participantId=${other}`, [5, 4]],
    ['participant and event', () => `participantId=${participantId}&event=payment.cancelled&status=failed`, [3, 1]],
    ['resource', () => `resourceId=${requests[1]?.toUpperCase()}`, [1, 1]],
    ['resource of many', () => `resourceId=${requests[0]},event-1, ${requests[3]}`, [5, 3, 3, 0]],
    ['resource and state', () => `resourceId=event-0,${requests[3]}&status=failed`, [4, 3]],
    ['from', () => 'from=2026-01-31T12:03:00Z', [5, 4, 3, 3]],
    ['to', () => 'to=2026-01-31T12:01:00Z', [1, 1, 0]],
    ['from and to', () => 'from=2026-01-31T12:01:00Z&to=2026-01-31T12:02:00Z&order=asc', [1, 1, 2]],
    ['none', () => `endpointId=${nobody}`, []],
  ])('by %s', async (_, query, expected) => {
    const { headers, body } = await list(`${query()}&count=true`)
    expect(told(body)).toEqual(expected)
    expect(headers.get('x-total-count')).toBe(String(expected.length))
  })

  test.each(['asc', 'desc'])('in pages, %s, also of several resources', async (order) => {
    for (const filter of ['', `&resourceId=${requests.map((id) => id.split('.')[0]).join()}`]) {
      const whole = (await list(`order=${order}${filter}`)).body.deliveries
      const parts: Entry[] = []
      for (let after = ''; parts.length < whole.length; after = `&after=${parts.at(-1)?.deliveryId}`) {
        parts.push(...(await list(`order=${order}&limit=3${filter}${after}`)).body.deliveries)
      }
      expect(parts).toEqual(whole)
    }
  })

  test('a participant sees its own; staff sees all', async () => {
    const own = await hooks.asParticipant(other)
    expect(told((await list('', own)).body)).toEqual([5, 4])
    expect(told((await list(`participantId=${participantId}`, own)).body)).toEqual([])
    expect((await list(`participantId=${participantId}&count=true`, own)).headers.get('x-total-count')).toBe('0')
    for (const role of ['admin', 'operator', 'viewer']) {
      expect((await list('', await hooks.as({ ...staff, roles: [role] }))).body.count).toBe(8)
    }
    expect((await list('', await hooks.as({ ...staff, roles: ['custodian-user'] }))).body.count).toBe(0)
  })

  test('400', async () => {
    for (const query of ['status=lost', 'endpointId=x', 'from=yesterday', 'limit=201', 'order=up', 'after=x']) {
      refused(await list(query), 400)
    }
    const sentence = 'resourceId must name 1 to 25 ids, with commas between them'
    for (const ids of ['%20', ',', Array.from({ length: 26 }, (_, n) => n).join()]) {
      expect(refused(await list(`resourceId=${ids}`), 400)).toEqual([sentence])
    }
  })
})

describe('GET /webhooks/deliveries/:deliveryId', () => {
  test('200 with the payload', async () => {
    const [entry] = (await list(`resourceId=${requests[0]}`)).body.deliveries
    const { status, body } = await hooks.get(`${path}/${entry.deliveryId}`)
    expect(status).toBe(200)
    const { body: sent, ...rest } = body
    expect(rest).toEqual(entry)
    expect(JSON.parse(sent)).toMatchObject({ type: 'message.created' })
  })

  test('404 for an unknown id, and for another participant’s', async () => {
    refused(await hooks.get(`${path}/${nobody}`), 404)
    const [entry] = (await list(`resourceId=${requests[0]}`)).body.deliveries
    refused(await hooks.get(`${path}/${entry.deliveryId}`, await hooks.asParticipant(other)), 404)
  })
})

describe('GET /internal/search', () => {
  const search = async (q: string, more = '') => {
    const asked = `/internal/search?q=${encodeURIComponent(q)}${more}`
    return (await hooks.get(asked, await hooks.asService('gateway'))).body
  }
  const found = async (q: string, more = '') =>
    (await search(q, more)).map(({ kind, id }: { kind: string; id: string }) => [kind, id])

  test('a delivery is found by its id and by its resource, an endpoint by its id and URL', async () => {
    const [entry] = (await list(`resourceId=${requests[0]}`)).body.deliveries
    const delivery = ['delivery', entry.deliveryId]
    expect(await search(entry.deliveryId.toUpperCase())).toEqual([
      {
        kind: 'delivery',
        id: entry.deliveryId,
        title: 'Delivery of payment.accepted',
        detail: `To ${entry.webhookUrl}`,
        status: 'delivered',
        at: '2026-01-31T12:00:00.000Z',
      },
    ])
    expect(await found(requests[0] ?? '')).toEqual([delivery])
    expect(await search('event-1')).toMatchObject([{ detail: 'No endpoint', status: 'failed' }])
    expect(await found(good.id)).toEqual([['endpoint', good.id]])
    const url = entry.webhookUrl.slice(0, -2)
    expect(await found(url)).toEqual([['endpoint', good.id]])
    expect(await found(url.replace('http://', ''))).toEqual([['endpoint', good.id]])
    expect(await found('127.0.0.2')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  test('a participant finds only its own', async () => {
    const [entry] = (await list(`resourceId=${requests[0]}`)).body.deliveries
    for (const q of [entry.deliveryId, good.id, requests[0], entry.webhookUrl]) {
      expect(await found(q, `&participantId=${other}`)).toEqual([])
      expect(await found(q, `&participantId=${participantId}`)).toHaveLength(1)
    }
  })

  test('a participant finds its endpoint whose URL sorts behind many of others', async () => {
    const own = await testWebhooks()
    for (let n = 0; n < 6; n++) await own.endpoint(`http://127.0.0.1:9/a${n}`)
    const { id } = await own.endpoint('http://127.0.0.1:9/b', { participantId: other })
    const path = `/internal/search?q=127.0.0.1&participantId=${other}`
    expect((await own.get(path, await own.asService('gateway'))).body).toMatchObject([{ kind: 'endpoint', id }])
  })
})

describe('POST /webhooks/endpoints/:id/recover', () => {
  test('deliveries that failed since a time are sent again, once, however often it is requested', async () => {
    const own = await testWebhooks({ env })
    const to = receiver(() => new Response(null, { status: 500 }))
    const made = await own.endpoint(to.url)
    const elsewhere = await own.endpoint(`${to.url}/elsewhere`, { eventTypes: ['payment.cancelled'] })
    const worker = own.deliver()
    const ids = [await own.request(), await own.request(), await own.request({ eventType: 'payment.cancelled' })]
    for (const id of ids) await own.reached(id, 'failed')
    await until(async () => (await own.get(`${path}?status=failed`)).body.count === 4)
    await worker.stop()
    to.answer(() => new Response('ok'))
    const recover = () => own.post(`/webhooks/endpoints/${made.id}/recover`, { since: '2020-01-01' })
    const answers = await Promise.all([recover(), recover(), recover()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map(({ body }) => body.count).sort()).toEqual([0, 0, 3])
    expect((await own.get(`${path}?status=failed`)).body.deliveries).toMatchObject([{ endpointId: elsewhere.id }])
    const sent = to.requests.length
    own.deliver()
    await until(async () => (await own.get(`${path}?status=delivered`)).body.count === 3)
    expect(to.requests).toHaveLength(sent + 3)
    expect((await recover()).body).toEqual({ count: 0, more: false })
  })

  test('not those that failed before', async () => {
    const before = (await list('status=failed')).body.count
    const recover = await hooks.post(`/webhooks/endpoints/${bad.id}/recover`, { since: '2026-01-31T12:05:00Z' })
    expect(recover.body).toEqual({ count: 0, more: false })
    expect((await list('status=failed')).body.count).toBe(before)
  })

  test('the same key gets the same answer', async () => {
    const own = await testWebhooks({ env })
    const to = receiver(() => new Response(null, { status: 500 }))
    const made = await own.endpoint(to.url)
    const worker = own.deliver()
    await own.reached(await own.request(), 'failed')
    await worker.stop()
    const ask = () =>
      own.post(`/webhooks/endpoints/${made.id}/recover`, { since: '2020-01-01' }, { 'idempotency-key': 'k' })
    expect((await ask()).body).toEqual({ count: 1, more: false })
    expect((await ask()).body).toEqual({ count: 1, more: false })
  })

  test('400, 404, 409', async () => {
    const own = await testWebhooks()
    const to = receiver(() => new Response(null, { status: 410 }))
    const made = await own.endpoint(to.url)
    const ask = (body: unknown, headers?: Record<string, string>, id = made.id) =>
      own.post(`/webhooks/endpoints/${id}/recover`, body, headers)
    refused(await ask({}), 400)
    refused(await ask({ since: 'yesterday' }), 400)
    const since = { since: '2020-01-01' }
    refused(await ask(since, undefined, nobody), 404)
    refused(await ask(since, await own.asParticipant(other)), 404)
    own.deliver()
    await own.reached(await own.request(), 'failed')
    expect(refused(await ask(since), 409)).toEqual(['The endpoint is disabled; enable it first'])
  })
})

test('an institution’s id is taken in any case', async () => {
  const own = await testWebhooks()
  const to = receiver()
  const made = await own.endpoint(to.url, { participantId: participantId.toUpperCase() })
  expect(made).toMatchObject({ participantId })
  own.deliver()
  const id = await own.request()
  await own.reached(id, 'delivered')
  for (const asked of [participantId, participantId.toUpperCase()]) {
    expect((await own.get(`/webhooks/endpoints?participantId=${asked}`)).body).toMatchObject([{ id: made.id }])
    expect((await own.get(`/webhooks/deliveries?participantId=${asked}`)).body.count).toBe(1)
  }
  const since = '2020-01-01'
  const headers = await own.asParticipant(participantId)
  const replayed = { since, participantId: participantId.toUpperCase() }
  expect((await own.post('/webhooks/delivery/replay-failed', replayed, headers)).status).toBe(200)
})
