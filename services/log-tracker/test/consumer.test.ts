import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EventType } from '@bursar/contracts/event'
import { t } from '@bursar/contracts/schema'
import { logMessageConsumers } from '../src/log-messages/log-messages.consumer'
import { envelopeOf, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeAll(async () => {
  tracker = await testTracker()
})
afterAll(() => tracker.close())

const messagesOf = async (requestId: string) => {
  const { data } = (await tracker.get(`/log-messages?requestId=${requestId}`)).body
  return data
}

const valuation = {
  id: '01a1fe8f-0000-7000-8000-00000000000a',
  name: 'quote.valuation.processed',
  type: 'VALUATION_PROCESSED',
  timestamp: '2026-01-31T12:00:00.000Z',
  requestId: 'req-valuation',
  service: 'quote',
  data: {
    id: '01a1fe8f-0000-7000-8000-00000000000b',
    assetId: null,
    rate: 1.5,
    currency: 'USD',
    timestamp: '2026-01-31T11:59:59.000Z',
    data: { assetCode: 'BTC', providers: { kraken: 1.5 } },
    asset: null,
    isStatic: false,
    requestedAt: '2026-01-31T11:59:58.000Z',
  },
}

describe('an event with log messages', () => {
  test('is stored with its service, request and time, one per log message', async () => {
    await tracker.consume(valuation)
    const common = { id: expect.any(String), service: 'quote', request_id: 'req-valuation' }
    expect(await messagesOf('req-valuation')).toEqual([
      {
        ...common,
        event_type: 'VALUATION_PROCESSED',
        status: 'SUCCESS',
        timestamp: '2026-01-31T12:00:00.000Z',
        metadata: {
          rate_id: valuation.data.id,
          asset_id: null,
          asset_code: 'BTC',
          rate: 1.5,
          currency: 'USD',
          is_static: false,
          providers: { kraken: 1.5 },
        },
      },
      {
        ...common,
        event_type: 'VALUATION_REQUESTED',
        status: 'PENDING',
        timestamp: '2026-01-31T11:59:58.000Z',
        metadata: { asset_code: 'BTC' },
      },
    ])
  })

  test('is stored once, however often it is delivered', async () => {
    const again = { ...valuation, id: Bun.randomUUIDv7(), requestId: 'req-again' }
    await Promise.all([tracker.consume(again), tracker.consume(again)])
    const stored = await messagesOf('req-again')
    await tracker.consume(again)
    expect(stored).toHaveLength(2)
    expect(await messagesOf('req-again')).toEqual(stored)
  })

  test('uses its own id as request id when no request caused it', async () => {
    const id = Bun.randomUUIDv7()
    await tracker.consume({ ...valuation, id, requestId: null })
    expect(await messagesOf(id)).toHaveLength(2)
  })
})

describe('a recorded log message', () => {
  test('is stored as it is', async () => {
    const entry = {
      service: 'somebody-else',
      request_id: 'as-it-is',
      event_type: 'ERROR_OCCURRED',
      status: 'FAILURE',
      timestamp: '2026-01-31T12:00:00.123Z',
      metadata: { ünïcode: '😀', empty: null, list: [] },
    } as const
    await tracker.record(entry)
    expect(await messagesOf('as-it-is')).toEqual([{ id: expect.any(String), ...entry }])
  })

  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['0999-01-31T12:00:00Z', '0999-01-31T12:00:00.000Z'],
  ])('its time %s is shown as %s', async (timestamp, shown) => {
    await tracker.record({ request_id: `time-${timestamp}`, timestamp })
    const [message] = await messagesOf(encodeURIComponent(`time-${timestamp}`))
    expect(message.timestamp).toBe(shown)
  })

  test('metadata of 32 KB is kept, more is replaced by its size', async () => {
    const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    await tracker.record({ request_id: 'just-right', metadata: sized(32 * 1024) })
    await tracker.record({ request_id: 'too-large', metadata: sized(32 * 1024 + 1) })
    await tracker.record({ request_id: 'too-large-in-bytes', metadata: { text: 'ü'.repeat(20_000) } })
    expect((await messagesOf('just-right'))[0].metadata).toEqual(sized(32 * 1024))
    expect((await messagesOf('too-large'))[0].metadata).toEqual({ truncated: true, size: 32 * 1024 + 1 })
    expect((await messagesOf('too-large-in-bytes'))[0].metadata).toEqual({ truncated: true, size: 40_011 })
  })

  test('many at once are all stored and counted', async () => {
    const entries = Array.from({ length: 200 }, (_, n) => envelopeOf({ service: 'busy', request_id: `busy-${n}` }))
    await Promise.all(entries.map((envelope) => tracker.consume(envelope)))
    const { data, pagination } = (await tracker.get('/log-messages?service=busy&limit=100')).body
    expect(pagination.total).toBe(200)
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(100)
  })
})

test('an event for the tracker without a log message is refused at the start', () => {
  const unworded: EventType = {
    name: 'some.thing.unworded',
    type: 'X',
    payload: t.Object({}),
    consumers: ['log-tracker'],
  }
  expect(() => logMessageConsumers(tracker.deps, [unworded])).toThrow(unworded.name)
  const forOthers: EventType = { ...unworded, consumers: ['webhook'] }
  expect(logMessageConsumers(tracker.deps, [forOthers])).toEqual([])
})
