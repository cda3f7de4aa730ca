import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { envelopeOf, eventReader, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeEach(async () => {
  tracker = await testTracker()
})
afterEach(() => tracker.close())

const path = '/tracker/v1/log-messages/stream'

async function follow(query = '') {
  const events = eventReader(await tracker.open(`${path}${query}`))
  expect(await events.next()).toEqual([': messages follow'])
  return events
}

/** The message of an event, whose id it checks. */
function messageIn([id, data, ...rest]: string[]) {
  const message = JSON.parse(data?.replace(/^data: /, '') ?? '')
  expect(id).toBe(`id: ${message.id}`)
  expect(rest).toEqual([])
  return message
}

describe('GET /log-messages/stream: 200, Server-Sent Events', () => {
  test.each(['/tracker/v1', '/v1/tracker', '/tracker', '/v1', ''])('under "%s"', async (prefix) => {
    const response = await tracker.open(`${prefix}/log-messages/stream`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    await response.body?.cancel()
  })

  test('sends each message once it is stored, as the list returns it', async () => {
    const events = await follow()
    for (const request_id of ['first', 'second']) {
      await tracker.record({ request_id })
      const message = messageIn(await events.next())
      expect((await tracker.get(`/log-messages?requestId=${request_id}`)).body.data).toEqual([message])
    }
  })

  test.each([
    ['service=quote', { service: 'quote' }],
    ['type=ERROR_OCCURRED', { event_type: 'ERROR_OCCURRED' }],
    ['status=FAILURE', { status: 'FAILURE' }],
    ['requestId=wanted', { request_id: 'wanted' }],
    ['status=FAILURE&service=quote', { status: 'FAILURE', service: 'quote' }],
  ] as const)('%s: only those', async (query, wanted) => {
    const events = await follow(`?${query}`)
    await tracker.record({ service: 'wallet', request_id: 'other' }, { service: 'wallet', ...wanted })
    expect(messageIn(await events.next())).toMatchObject(wanted)
  })

  test('a repeated event is not sent again', async () => {
    const events = await follow()
    const envelope = envelopeOf({ request_id: 'once' })
    await tracker.consume(envelope)
    await tracker.consume(envelope)
    await tracker.record({ request_id: 'next' })
    expect(messageIn(await events.next()).request_id).toBe('once')
    expect(messageIn(await events.next()).request_id).toBe('next')
  })

  test('a reader that leaves is removed', async () => {
    const events = await follow()
    expect(tracker.stream.readers()).toBe(1)
    await events.cancel()
    expect(tracker.stream.readers()).toBe(0)
    await tracker.record({})
  })

  test('a reader that reads nothing is dropped after a megabyte, with the reason', async () => {
    const events = await follow()
    const metadata = { text: 'x'.repeat(30_000) }
    for (let n = 0; n < 50 && tracker.stream.readers() > 0; n++) await tracker.record({ metadata })
    expect(tracker.stream.readers()).toBe(0)
    let last = await events.next()
    let messages = 0
    while (last[0] !== 'event: end') {
      messages += 1
      last = await events.next()
    }
    expect(messages).toBeLessThan(40)
    expect(last).toEqual(['event: end', 'data: {"reason":"This reader is too slow: messages were dropped"}'])
    expect(await events.isOver()).toBe(true)
  })

  test('ends with the reason when the service stops', async () => {
    const events = await follow()
    tracker.stream.end()
    expect(await events.next()).toEqual(['event: end', 'data: {"reason":"The service is stopping"}'])
    expect(await events.isOver()).toBe(true)
  })

  test('HEAD opens no stream', async () => {
    const { status, headers } = await tracker.ask('HEAD', path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('content-length')).toBeNull()
    expect(tracker.stream.readers()).toBe(0)
  })
})

describe('GET /log-messages/stream: refused', () => {
  test('an unknown type: 400', async () => {
    const { status, body } = await tracker.get(`${path}?type=NOTHING&status=no`)
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_REQUEST')
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual(['type', 'status'])
    expect(tracker.stream.readers()).toBe(0)
  })

  test('too many readers of one address: 429, while another address is served', async () => {
    const own = await testTracker({ TRACKER_STREAMS_PER_ADDRESS: '2' })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `forged, ${address}` } })
    const first = await own.open(path, from('203.0.113.5'))
    expect([first.status, (await own.open(path, from('203.0.113.5'))).status]).toEqual([200, 200])
    const { status, body } = await own.get(path, from('203.0.113.5').headers)
    expect(status).toBe(429)
    expect(body.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Too many streams are open from this address',
      details: { limit: 2, remaining: 0, resetAt: null },
    })
    expect((await own.open(path, from('203.0.113.6'))).status).toBe(200)
    await first.body?.cancel()
    expect((await own.open(path, from('203.0.113.5'))).status).toBe(200)
    await own.close()
  })

  test('too many readers: 503', async () => {
    for (let n = 0; n < 500; n++) {
      expect(tracker.stream.join({ address: `a${n}`, filter: {}, send() {}, end() {} })).toBeFunction()
    }
    const { status, body } = await tracker.get(path)
    expect(status).toBe(503)
    expect(body.error.code).toBe('SERVICE_UNAVAILABLE')
    expect(tracker.stream.readers()).toBe(500)
  })
})
