import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { outbox } from '@bursar/store/schema'
import { type TestTracker, testTracker } from './harness'

let tracker: TestTracker
const path = '/tracker/v1/log-messages/test-add-log-message'
const post = (headers: Record<string, string> = {}, to = path) => tracker.post(to, undefined, headers)
const waiting = () => tracker.store.read.$count(outbox)

beforeAll(async () => {
  tracker = await testTracker()
})
afterAll(() => tracker.close())

describe('POST /log-messages/test-add-log-message: 200', () => {
  test('publishes a sample message and shows it without an id', async () => {
    const before = Date.now()
    const { status, body } = await post({ 'x-request-id': 'my-request' })
    expect(status).toBe(200)
    const { timestamp } = body.test_data
    expect(body).toEqual({
      message: expect.any(String),
      test_data: {
        service: 'log-tracker',
        request_id: 'my-request',
        event_type: 'VALUATION_PROCESSED',
        status: 'SUCCESS',
        timestamp: new Date(timestamp).toISOString(),
        metadata: expect.any(Object),
      },
    })
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before)
    expect(tracker.broker.published.at(-1)).toMatchObject({
      name: 'log-tracker.message.recorded',
      requestId: 'my-request',
      data: body.test_data,
    })
  })

  test('metadata has field names in snake_case', async () => {
    const { body } = await post()
    for (const name of Object.keys(body.test_data.metadata)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  test('the published message is then in the list', async () => {
    const { body } = await post({ 'x-request-id': 'to-be-found' })
    const [event] = tracker.broker.published.slice(-1)
    if (event) await tracker.consume(event)
    const { data } = (await tracker.get('/log-messages?requestId=to-be-found')).body
    expect(data).toEqual([{ id: expect.any(String), ...body.test_data }])
  })

  test.each(['/tracker/v1', '/v1/tracker', '/tracker', '/v1', ''])('answers the same under "%s"', async (prefix) => {
    expect((await post({}, `${prefix}/log-messages/test-add-log-message`)).status).toBe(200)
  })

  test.each(['Idempotency-Key', 'X-Idempotency-Key'])(
    '%s: a repeat gets the same answer and publishes nothing',
    async (name) => {
      const first = await post({ [name]: `key-${name}` })
      const published = tracker.broker.published.length
      const second = await post({ [name]: `key-${name}` })
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(tracker.broker.published.length).toBe(published)
    },
  )
})

describe('POST /log-messages/test-add-log-message: 503', () => {
  test('when the broker refuses: the message is discarded, and the same key may be used again', async () => {
    const headers = { 'x-idempotency-key': 'refused-once' }
    const [published, before] = [tracker.broker.published.length, await waiting()]
    tracker.broker.take = async () => {
      throw new Error('the broker is away')
    }
    const { status, body } = await post(headers)
    tracker.broker.take = async () => {}
    expect(status).toBe(503)
    expect(body.error).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The message queue is not available; repeat the request in a moment',
      requestId: expect.any(String),
      timestamp: expect.any(String),
    })
    expect(await waiting()).toBe(before)
    expect(tracker.deps.relay.depth()).toBe(0)
    expect(tracker.broker.published.length).toBe(published)
    expect((await post(headers)).status).toBe(200)
    expect(tracker.broker.published.length).toBe(published + 1)
  })

  test('when the broker does not answer within 2 s', async () => {
    let answer = () => {}
    tracker.broker.take = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const before = await waiting()
    const { status, body } = await post()
    expect(status).toBe(503)
    expect(body.error.code).toBe('SERVICE_UNAVAILABLE')
    expect(await waiting()).toBe(before)
    tracker.broker.take = async () => {}
    answer()
    expect((await post()).status).toBe(200)
  })
})
