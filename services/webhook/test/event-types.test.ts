// Which events an endpoint takes: the catalogue, and patterns of it.
import { beforeAll, describe, expect, test } from 'bun:test'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { until } from '@bursar/testing'
import { createEndpoint } from '../src/endpoints/endpoints'
import { participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'

let hooks: Webhooks
beforeAll(async () => {
  hooks = await testWebhooks()
})

const types = webhookEvents.map(({ type }) => type)
const problem = 'must be a type of GET /webhooks/event-types, a prefix of one with .*, or *'

describe('GET /webhooks/event-types', () => {
  test('200 with every type, each with the schema of its body', async () => {
    const { status, body } = await hooks.get('/webhooks/event-types')
    expect(status).toBe(200)
    expect(body.map(({ type }: { type: string }) => type)).toEqual(types)
    const hit = body.find(({ type }: { type: string }) => type === 'sanctions.hit')
    expect(hit).toMatchObject({
      description: expect.any(String),
      schema: {
        type: 'object',
        properties: {
          type: { const: 'sanctions.hit' },
          timestamp: { format: 'date-time' },
          data: { properties: { address: { type: 'string' } } },
        },
      },
    })
  })

  test('the OpenAPI document has the same, as webhooks', async () => {
    const { webhooks } = (await hooks.get('/swagger/json')).body
    expect(Object.keys(webhooks)).toEqual(types)
    expect(webhooks['payment.executed'].post).toMatchObject({
      operationId: 'onPaymentExecuted',
      requestBody: { required: true, content: { 'application/json': { schema: { $ref: expect.any(String) } } } },
    })
  })
})

describe('the event types of an endpoint', () => {
  test.each(['*', 'payment.*', 'transaction.*', 'sanctions.hit', 'webhook.*', ...types])(
    '%s is accepted',
    async (pattern) => {
      const { body, status } = await hooks.post('/webhooks/endpoints', {
        participantId: `takes ${pattern}`,
        url: 'https://bank.example/hooks',
        eventTypes: [pattern],
      })
      expect([status, body.eventTypes]).toEqual([201, [pattern]])
    },
  )

  test.each([
    '',
    'payments.created',
    'payment.',
    'pay.*',
    'payment*',
    '*.created',
    '**',
    '.*',
    'PAYMENT.CREATED',
    'constructor',
    '__proto__',
    'constructor.*',
    'payment.created ',
    5,
    null,
  ])('%j is refused, at its creation and later', async (pattern) => {
    const body = { participantId, url: 'https://bank.example/hooks', eventTypes: ['message.created', pattern] }
    const said = refused(await hooks.post('/webhooks/endpoints', body), 400)
    expect(said).toEqual([`eventTypes.1 ${typeof pattern === 'string' ? problem : 'must be a string'}`])
    const own = await hooks.endpoint('https://bank.example/own', { participantId: `refuses ${pattern}` })
    refused(await hooks.put(`/webhooks/endpoints/${own.id}`, { eventTypes: [pattern] }), 400)
  })

  test.each([
    [[], types.filter((type) => type !== 'webhook.test')],
    [['*'], types.filter((type) => type !== 'webhook.test')],
    [
      ['sanctions.*', 'message.created'],
      ['message.created', 'sanctions.completed', 'sanctions.failed', 'sanctions.hit'],
    ],
    [['webhook.test'], []],
  ])('%j: the endpoint says which it takes, besides tests', async (eventTypes, takes) => {
    const { body } = await hooks.post('/webhooks/endpoints', {
      participantId: `says ${eventTypes}`,
      url: 'https://bank.example/hooks',
      eventTypes,
    })
    expect(body.takes).toEqual(takes)
  })

  test('one that has only types that there are no more takes nothing', async () => {
    const id = Bun.randomUUIDv7()
    const old = { participantId: 'of old', url: 'https://bank.example/hooks', eventTypes: ['payment.moved'] }
    await hooks.deps.store.commit((tx) => createEndpoint(tx, old, { id, secret: 'sealed', now: new Date() }))
    const { body } = await hooks.get(`/webhooks/endpoints/${id}`)
    expect([body.status, body.takes]).toEqual(['active', []])
  })

  test('a pattern matches event types with its prefix, and no others', async () => {
    const own = await testWebhooks()
    const to = receiver()
    await own.endpoint(`${to.url}/all`, { eventTypes: ['*'] })
    await own.endpoint(`${to.url}/payments`, { eventTypes: ['payment.*'] })
    await own.endpoint(`${to.url}/hits`, { eventTypes: ['sanctions.hit', 'message.*'] })
    const worker = own.deliver()
    const wanted = {
      'payment.created': ['/all', '/payments'],
      'sanctions.hit': ['/all', '/hits'],
      'sanctions.failed': ['/all'],
    }
    const seen: string[] = []
    for (const [eventType, paths] of Object.entries(wanted)) {
      await own.request({ eventType })
      await worker.wake()
      await until(() => to.requests.length >= seen.length + paths.length)
      expect(
        to.requests
          .slice(seen.length)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(paths)
      seen.push(...paths)
    }
  })
})
