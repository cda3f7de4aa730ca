import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Bus, connectBus } from '@bursar/bus'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import type { RunningService } from '@bursar/http'
import { type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { databaseSettings } from '@bursar/testing/service'
import { config } from '../src/config'
import { start } from '../src/service'
import { envelopeOf, eventReader, readAnswer } from './harness'

const secret = Buffer.alloc(32, 3)

let redis: TestRedis
let producer: Bus
let service: RunningService

beforeAll(async () => {
  redis = await testRedis()
  producer = connectBus({ url: redis.url, service: 'quote', log: silentLog, secret, patienceMs: 60_000 })
})
afterAll(async () => {
  await producer.close()
  await redis.stop()
})
beforeEach(async () => {
  const env = { TRACKER_PORT: '0', DATA_DIR: tempDir(), REDIS_URL: redis.url, LOG_LEVEL: 'silent' }
  service = await start(
    config({ ...env, ...(await databaseSettings(env.DATA_DIR)), INTERNAL_SECRET: secret.toString('base64') }),
  )
})
afterEach(() => service.stop())

const url = (path: string) => `${service.url}/tracker/v1${path}`
const get = async (path: string) => await readAnswer(await fetch(url(path)))
const addTestMessage = async (requestId: string) =>
  await readAnswer(
    await fetch(url('/log-messages/test-add-log-message'), { method: 'POST', headers: { 'x-request-id': requestId } }),
  )
/** The answer once the queue takes it: a busy machine may stand still for the two seconds that Redis has. */
const added = (requestId: string) =>
  until(
    async () => {
      const answer = await addTestMessage(requestId)
      return answer.status === 200 && answer.body.test_data
    },
    { what: `${requestId} to be added` },
  )
/** The messages of a list, once there are `count`. */
const listed = (query: string, count = 1) =>
  until(
    async () => {
      const { data } = (await get(`/log-messages?${query}`)).body
      return data.length >= count && data
    },
    { what: `${count} messages of ${query}` },
  )

describe('over a real Redis', () => {
  test('an event of another service shows up once', async () => {
    const envelope = envelopeOf({ request_id: 'from-afar', metadata: { asset_code: 'BTC' } })
    await producer.publish([envelope].map(eventText))
    await producer.publish([envelope].map(eventText))
    const [message] = await listed('requestId=from-afar')
    expect(message).toEqual({ id: expect.any(String), ...envelope.data })
    await producer.publish([envelopeOf({ request_id: 'later' })].map(eventText))
    await listed('requestId=later')
    expect(await listed('requestId=from-afar')).toHaveLength(1)
  })

  test('its own start is in the log', async () => {
    // The queue may have the start of the one before as well, which ended too soon to store it.
    const message = await until(
      async () => {
        const { data } = (await get('/log-messages?type=SERVICE_STARTED&service=log-tracker')).body
        return data.find(({ metadata }: { metadata: { url: string } }) => metadata.url === service.url)
      },
      { what: 'its start to be in the log' },
    )
    expect(message).toMatchObject({ status: 'SUCCESS' })
  })

  test('the test message comes back through the queue', async () => {
    const sent = await added('round-trip')
    // One that Redis took too late may be there as well.
    const message = await until(
      async () => {
        const { data } = (await get('/log-messages?requestId=round-trip')).body
        return data.find(({ timestamp }: { timestamp: string }) => timestamp === sent.timestamp)
      },
      { what: 'the message to come back' },
    )
    expect(message).toEqual({ id: expect.any(String), ...sent })
  })
})

describe('GET /log-messages/stream', () => {
  async function openSocket(query = '', prefix = '/tracker/v1', headers: Record<string, string> = {}) {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}${prefix}/log-messages/stream${query}`, {
      headers,
    })
    const messages: Record<string, unknown>[] = []
    const closing = Promise.withResolvers<CloseEvent>()
    socket.onmessage = ({ data }) => void messages.push(JSON.parse(data))
    socket.onclose = closing.resolve
    const opened = new Promise((resolve) => {
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    })
    return { socket, messages, isOpen: await opened, closed: closing.promise }
  }
  /** Nothing shows that a reader has joined: sends until the first message arrives. */
  const wake = (messages: unknown[], entry: Parameters<typeof envelopeOf>[0]) =>
    until(
      async () => {
        await producer.publish([envelopeOf(entry)].map(eventText))
        return messages.length > 0
      },
      { what: 'a message on the stream' },
    )

  test.each(['/tracker/v1', '/v1/tracker', '/tracker', '/v1', ''])(
    'a WebSocket under "%s" gets new messages',
    async (prefix) => {
      const { socket, messages, closed } = await openSocket('?service=wanted', prefix)
      await producer.publish([envelopeOf({ service: 'unwanted' })].map(eventText))
      await wake(messages, { service: 'wanted', metadata: { n: 1 } })
      expect(messages[0]).toMatchObject({ service: 'wanted', metadata: { n: 1 } })
      expect(Object.keys(messages[0] ?? {}).sort()).toEqual(
        ['event_type', 'id', 'metadata', 'request_id', 'service', 'status', 'timestamp'].sort(),
      )
      socket.close()
      await closed
    },
  )

  const readersAre = async (count: number) => {
    const metrics = await (await fetch(url('/metrics'))).text()
    return metrics.includes(`bursar_stream_readers{service="log-tracker"} ${count}\n`)
  }

  test('readers that leave are removed', async () => {
    const { socket } = await openSocket()
    const events = eventReader(await fetch(url('/log-messages/stream')))
    await events.next()
    await until(() => readersAre(2))
    socket.close()
    await until(() => readersAre(1))
    await events.cancel()
    await until(() => readersAre(0))
  })

  test('a WebSocket with a wrong filter is refused with 400', async () => {
    expect((await openSocket('?type=NOTHING')).isOpen).toBe(false)
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const { status, body } = await readAnswer(await fetch(url('/log-messages/stream?type=NOTHING'), { headers }))
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_REQUEST')
  })

  test('messages from a reader are ignored', async () => {
    const { socket, messages, closed } = await openSocket()
    socket.send('{"hello":')
    socket.send(new Uint8Array([1, 2, 3]))
    await wake(messages, { service: 'still-there' })
    socket.close()
    await closed
  })

  /** A client that reads the head of the response, and nothing afterwards. */
  async function stuckClient(headers: string[]) {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const lines = ['GET /log-messages/stream?service=flood HTTP/1.1', `host: ${hostname}:${port}`, ...headers, '', '']
    socket.write(lines.join('\r\n'))
    const [head] = await once(socket, 'data')
    socket.pause()
    return { socket, head: String(head) }
  }
  const upgrade = [
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-extensions: permessage-deflate',
  ]

  test.each([
    ['a WebSocket', upgrade, 'HTTP/1.1 101'],
    ['Server-Sent Events', [], 'HTTP/1.1 200'],
  ])('unread %s end, and other readers continue', async (_what, headers, status) => {
    const { socket, head } = await stuckClient(headers)
    expect(head).toStartWith(status)
    const { socket: other, messages, closed } = await openSocket('?service=flood')
    await until(() => readersAre(2))
    const metadata = { text: 'x'.repeat(30_000) }
    await until(
      async () => {
        const before = messages.length
        await producer.publish(
          Array.from({ length: 20 }, () => envelopeOf({ service: 'flood', metadata })).map(eventText),
        )
        await until(() => messages.length >= before + 20, { what: 'the other reader to take its messages' })
        return await readersAre(1)
      },
      { what: 'the reader to be dropped' },
    )
    socket.destroy()
    other.close()
    await closed
  })

  test('WebSockets are not compressed', async () => {
    const { socket, head } = await stuckClient(upgrade)
    expect(head.toLowerCase()).not.toContain('permessage-deflate')
    socket.destroy()
  })

  test('a frame of a client may have 1 KiB, and no more', async () => {
    const { socket, messages, closed } = await openSocket()
    socket.send('x'.repeat(1024))
    await wake(messages, { service: 'still-there' })
    socket.send('x'.repeat(1025))
    expect((await closed).code).toBe(1009)
    await until(() => readersAre(0))
  })

  test('one address has 20 streams, of both kinds together', async () => {
    const sockets = await Promise.all(Array.from({ length: 19 }, () => openSocket()))
    const events = await fetch(url('/log-messages/stream'))
    await until(() => readersAre(20))
    expect((await fetch(url('/log-messages/stream'))).status).toBe(429)
    const { closed } = await openSocket()
    expect(await closed).toMatchObject({ code: 1013, reason: 'Too many streams are open from this address' })
    const through = { 'x-forwarded-for': '203.0.113.7' }
    const forwarded = await fetch(url('/log-messages/stream'), { headers: through })
    expect(forwarded.status).toBe(200)
    sockets.push(await openSocket('', '', through))
    await until(() => readersAre(22))
    await Promise.all([events.body?.cancel(), forwarded.body?.cancel()])
    for (const { socket } of sockets) socket.close()
    await until(() => readersAre(0))
  })

  test('a plain GET gets Server-Sent Events', async () => {
    const events = eventReader(await fetch(url('/log-messages/stream?requestId=by-events')))
    expect(await events.next()).toEqual([': messages follow'])
    await producer.publish([envelopeOf({ request_id: 'by-events' })].map(eventText))
    expect((await events.next())[1]).toContain('"request_id":"by-events"')
    await events.cancel()
  })

  test('stopping closes every stream at once, with the reason', async () => {
    const { closed } = await openSocket()
    const events = eventReader(await fetch(url('/log-messages/stream?service=nobody')))
    await events.next()
    // A stop that waits for open connections ends them after ten seconds: those never pass here.
    const { setTimeout: set } = globalThis
    const never = ((work: () => void, ms = 0) => set(ms > 9000 ? () => {} : work, ms)) as typeof setTimeout
    const timers = spyOn(globalThis, 'setTimeout').mockImplementation(never)
    await service.stop().finally(() => timers.mockRestore())
    expect(await events.next()).toEqual(['event: end', 'data: {"reason":"The service is stopping"}'])
    expect(await closed).toMatchObject({ code: 1001, reason: 'The service is stopping' })
  })
})

describe('without Redis', () => {
  const healthIs = (status: number) =>
    until(async () => (await get('/health')).status === status, { what: `health ${status}` })

  test('health and the test message answer 503, the list answers, and everything recovers when Redis is back', async () => {
    await listed('type=SERVICE_STARTED')
    await redis.stop()
    await healthIs(503)
    expect((await get('/health')).body).toEqual({
      status: 'error',
      checks: { database: true, messageQueue: false, websocket: true },
      timestamp: expect.any(String),
    })
    const refused = await addTestMessage('in-vain')
    expect(refused.status).toBe(503)
    expect(refused.body.error.code).toBe('SERVICE_UNAVAILABLE')
    expect((await get('/log-messages')).status).toBe(200)

    await redis.restart()
    await healthIs(200)
    await added('after-all')
    await listed('requestId=after-all')
    // The refused message was discarded, and does not arrive later.
    const { data } = (await get('/log-messages?type=VALUATION_PROCESSED&service=log-tracker')).body
    const arrived = data.map(({ request_id }: { request_id: string }) => request_id)
    expect(new Set(arrived)).toEqual(new Set(['after-all']))
  })
})
