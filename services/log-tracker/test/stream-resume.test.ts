import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { missedSince } from '../src/log-messages/missed-messages'
import { openEventStream } from '../src/stream/event-stream'
import { eventReader, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeEach(async () => {
  tracker = await testTracker()
})
afterEach(() => tracker.close())

const path = '/tracker/v1/log-messages/stream'
type Events = ReturnType<typeof eventReader>

async function follow(query = '', headers: Record<string, string> = {}) {
  const events = eventReader(await tracker.open(`${path}${query}`, { headers }))
  expect(await events.next()).toEqual([': messages follow'])
  return events
}
const idOf = async (requestId: string): Promise<string> =>
  (await tracker.get(`/log-messages?requestId=${requestId}`)).body.data[0].id

const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)
const recordAll = (requestIds: string[]) => tracker.record(...requestIds.map((request_id) => ({ request_id })))

/** The request ids of the next events; any other event as its lines. */
async function nextOf(events: Events, count: number) {
  const found: unknown[] = []
  for (let n = 0; n < count; n++) {
    const lines = await events.next()
    const message = lines[0]?.startsWith('id: ') ? JSON.parse(lines[1]?.slice('data: '.length) ?? '') : null
    found.push(message ? message.request_id : lines)
  }
  return found
}
const gap = (reason: string) => ['event: gap', `data: {"reason":"${reason}"}`]

describe('GET /log-messages/stream after a message: missed messages come first', () => {
  test('by Last-Event-ID, then new ones', async () => {
    await recordAll(names(5))
    const events = await follow('', { 'last-event-id': await idOf('m2') })
    await recordAll(['new'])
    expect(await nextOf(events, 3)).toEqual(['m3', 'm4', 'new'])
  })

  test('by `lastEventId`; the header takes precedence', async () => {
    await recordAll(names(5))
    expect(await nextOf(await follow(`?lastEventId=${await idOf('m3')}`), 1)).toEqual(['m4'])
    const both = await follow(`?lastEventId=${await idOf('m0')}`, { 'last-event-id': await idOf('m3') })
    expect(await nextOf(both, 1)).toEqual(['m4'])
  })

  test('with an empty header: only new messages', async () => {
    await recordAll(names(2))
    const events = await follow('', { 'last-event-id': '' })
    await recordAll(['new'])
    expect(await nextOf(events, 1)).toEqual(['new'])
  })

  test('only messages that match the filters', async () => {
    await tracker.record({ request_id: 'first' })
    const transaction_id = '01a1fe8f-0000-7000-8000-000000000001'
    await tracker.record(
      { request_id: 'other', service: 'wallet' },
      { request_id: 'wanted', service: 'quote', metadata: { transaction_id } },
      { request_id: 'error', service: 'quote', event_type: 'ERROR_OCCURRED', metadata: { transaction_id } },
    )
    const after = await idOf('first')
    expect(await nextOf(await follow(`?service=quote&lastEventId=${after}`), 2)).toEqual(['wanted', 'error'])
    expect(await nextOf(await follow(`?service=wallet&lastEventId=${after}`), 1)).toEqual(['other'])
    const some = await follow(
      `?transactionId=${transaction_id}&excludeTypes=ERROR_OCCURRED,HEALTH_CHECK&lastEventId=${after}`,
    )
    await tracker.record({ request_id: 'no' }, { request_id: 'later', metadata: { transaction_id } })
    expect(await nextOf(some, 2)).toEqual(['wanted', 'later'])
    expect(await nextOf(await follow(`?requestId=other&lastEventId=${after}`), 1)).toEqual(['other'])
  })

  test('an unknown or invalid id: a `gap` event, then new messages', async () => {
    await recordAll(names(3))
    for (const id of ['01a1fe8f-0000-7000-8000-000000000001', Bun.randomUUIDv7(), 'nonsense']) {
      const events = await follow('', { 'last-event-id': id })
      await recordAll([`after-${id}`])
      expect(await nextOf(events, 2)).toEqual([gap('unknown'), `after-${id}`])
      await events.cancel()
    }
  })

  test('more than a thousand: a `gap` event, then the newest thousand', async () => {
    await recordAll(names(1003))
    const events = await follow('', { 'last-event-id': await idOf('m0') })
    expect(await nextOf(events, 1001)).toEqual([gap('too many'), ...names(1003).slice(3)])
    await recordAll(['new'])
    expect(await nextOf(events, 1)).toEqual(['new'])
    expect(await nextOf(await follow('', { 'last-event-id': await idOf('m3') }), 1)).toEqual(['m4'])
  })

  test('much metadata: no more than the limit of unread data', async () => {
    const metadata = { text: 'x'.repeat(30_000) }
    await tracker.record(...names(40).map((request_id) => ({ request_id, metadata })))
    const events = await follow('', { 'last-event-id': await idOf('m0') })
    expect(await nextOf(events, 18)).toEqual([gap('too many'), ...names(40).slice(-17)])
    expect(tracker.stream.readers()).toBe(1)
  })

  test('an invalid `lastEventId`: 400', async () => {
    const { status, body } = await tracker.get(`${path}?lastEventId=nonsense`)
    expect(status).toBe(400)
    expect(body.error.details.map(({ field }: { field: string }) => field)).toEqual(['lastEventId'])
    expect(tracker.stream.readers()).toBe(0)
  })
})

describe('missed messages', () => {
  test('every message is found by its id, and the limits hold', async () => {
    const all = names(30)
    await recordAll(all)
    const { read } = tracker.deps.store
    const limits = { scanned: 10, messages: 5, bytes: 10_000 }
    for (const [n, name] of all.entries()) {
      const after = await idOf(name)
      const missed = await missedSince(read, after.toUpperCase(), {})
      expect(missed.messages.map((message) => message.request_id)).toEqual(all.slice(n + 1))
      expect(missed.gap).toBeNull()
      const some = await missedSince(read, after, {}, limits)
      expect(some.messages.map((message) => message.request_id)).toEqual(all.slice(n + 1).slice(-5))
      expect(some.gap).toBe(n < 24 ? 'too many' : null)
      const few = await missedSince(read, after, { requestId: 'm29' }, limits)
      expect(few.messages).toHaveLength(n < 29 ? 1 : 0)
      expect(few.gap).toBe(n < 19 ? 'too many' : null)
    }
  })

  test('in an empty log: unknown', async () => {
    expect(await missedSince(tracker.deps.store.read, Bun.randomUUIDv7(), {})).toEqual({ messages: [], gap: 'unknown' })
  })
})

describe('while missed messages are read', () => {
  const reader = { address: null, filter: {} }

  test('new messages follow, and none comes twice', async () => {
    await recordAll(['old', 'missed'])
    const { stream } = tracker
    const opened = await openEventStream(stream, reader, async () => {
      await recordAll(['stored meanwhile'])
      const missed = await missedSince(tracker.deps.store.read, await idOf('old'), {})
      await recordAll(['late'])
      return missed
    })
    const events = eventReader(new Response(opened as ReadableStream))
    await recordAll(['new'])
    expect(await nextOf(events, 5)).toEqual([[': messages follow'], 'missed', 'stored meanwhile', 'late', 'new'])
  })

  test('the stream may end, with the reason', async () => {
    const { stream } = tracker
    const opened = await openEventStream(stream, reader, async () => {
      stream.end()
      return { messages: [], gap: null }
    })
    const events = eventReader(new Response(opened as ReadableStream))
    expect(await nextOf(events, 2)).toEqual([
      [': messages follow'],
      ['event: end', 'data: {"reason":"The service is stopping"}'],
    ])
    expect(await events.isOver()).toBe(true)
  })

  test('reading may fail: the reader is removed', async () => {
    const failing = openEventStream(tracker.stream, reader, () => Promise.reject(new Error('no disk')))
    expect(failing).rejects.toThrow('no disk')
    await failing.catch(() => {})
    expect(tracker.stream.readers()).toBe(0)
  })
})
