import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { type Bus, connectBus } from '../src'
import { Counted, envelope, keptLog, Told, Whispered } from './events'

let redis: TestRedis
const open: Bus[] = []
let prefixes = 0

beforeAll(async () => {
  redis = await testRedis()
})

afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()))
  await redis.stop()
})

/** A world of its own for each test: its buses share queues with each other and with nobody else. */
function world(log = silentLog) {
  const prefix = `test-${++prefixes}`
  return (service: 'account' | 'quote' | 'message') => {
    const bus = connectBus({ url: redis.url, service, log, prefix })
    open.push(bus)
    return bus
  }
}

function collector() {
  const seen: Envelope[] = []
  return { seen, handle: async (e: Envelope) => void seen.push(e) }
}

describe('publish', () => {
  test('gives every consumer of the catalogue each event once, as it was', async () => {
    const bus = world()
    const [quote, message] = [collector(), collector()]
    bus('quote').consume(quote.handle)
    bus('message').consume(message.handle)
    const [one, two] = [envelope(Told, { n: 1 }), envelope(Counted, { n: 2 })]
    await bus('account').publish([one, two])
    await until(() => quote.seen.length === 2 && message.seen.length === 1, { what: 'the events' })
    expect(quote.seen).toEqual([one, two])
    expect(message.seen).toEqual([one])
  })

  test('ignores an event that is on the queue or was handled already', async () => {
    const bus = world()
    const publisher = bus('account')
    const quote = bus('quote')
    const event = envelope(Counted, { n: 1 })
    await publisher.publish([event, event])
    await publisher.publish([event])
    expect(await quote.depth()).toBe(1)
    const { seen, handle } = collector()
    quote.consume(handle)
    await until(async () => (await quote.depth()) === 0)
    const last = envelope(Counted, { n: 2 })
    await publisher.publish([event, last])
    await until(() => seen.some(({ id }) => id === last.id))
    expect(seen.map(({ id }) => id)).toEqual([event.id, last.id])
  })

  test('sends an event that nobody hears to nobody', async () => {
    const account = world()('account')
    await account.publish([envelope(Whispered, { n: 1 })])
    await account.publish([])
    expect(await account.depth()).toBe(0)
  })

  test('refuses an event that is not in the catalogue, and sends the others', async () => {
    const bus = world()
    const stranger = { ...envelope(Counted, { n: 1 }), name: 'bus-test.number.unheard' }
    const sending = bus('account').publish([stranger, envelope(Counted, { n: 2 })])
    await expect(sending).rejects.toThrow('bus-test.number.unheard')
    expect(await bus('quote').depth()).toBe(1)
  })

  test('sends a thousand events in one go', async () => {
    const bus = world()
    const { seen, handle } = collector()
    bus('quote').consume(handle)
    await bus('account').publish(Array.from({ length: 1000 }, (_, n) => envelope(Counted, { n })))
    await until(() => seen.length === 1000)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1000)
  })
})

describe('consume', () => {
  test('tries an event again after its handler failed', async () => {
    const log = keptLog()
    const bus = world(log)
    let calls = 0
    bus('quote').consume(async () => {
      if (++calls === 1) throw new Error('Not today')
    })
    await bus('account').publish([envelope(Counted, { n: 1 })])
    await until(() => calls === 2, { what: 'a second attempt' })
    const said = log.lines.filter(({ message }) => message.includes('tried again'))
    expect(said).toMatchObject([{ level: 'warn', fields: { attempt: 1, error: 'Not today' } }])
  })

  test('puts an event that does not fit its schema aside, without a second attempt', async () => {
    const log = keptLog()
    const bus = world(log)
    const { seen, handle } = collector()
    const quote = bus('quote')
    quote.consume(handle)
    await bus('account').publish([envelope(Counted, { n: 'secret' }), envelope(Counted, { n: 2 })])
    await until(async () => seen.length === 1 && (await quote.depth()) === 0)
    expect(seen[0]?.data).toEqual({ n: 2 })
    const said = log.lines.filter(({ level }) => level === 'error')
    expect(said).toMatchObject([{ fields: { event: 'bus-test.number.counted', wrong: '/n: Expected integer' } }])
    expect(JSON.stringify(log.lines)).not.toContain('secret')
  })

  test('handles many events that came together, each once, and tries again only those that failed', async () => {
    const bus = world()
    const quote = bus('quote')
    const calls = new Map<number, number>()
    const seen: number[] = []
    quote.consume(async (event) => {
      const { n } = event.data as { n: number }
      calls.set(n, (calls.get(n) ?? 0) + 1)
      if (n % 40 === 7 && calls.get(n) === 1) throw new Error('not yet')
      seen.push(n)
    })
    const all = Array.from({ length: 120 }, (_, n) => n)
    await bus('account').publish(all.map((n) => envelope(Counted, { n })))
    await until(() => seen.length === 120, { what: 'all of them' })
    expect(seen.toSorted((a, b) => a - b)).toEqual(all)
    expect(all.filter((n) => calls.get(n) === 2)).toEqual([7, 47, 87])
    await until(async () => (await quote.depth()) === 0, { what: 'the queue to be empty' })
  })

  test('an event of a batch that does not fit its schema is put aside alone', async () => {
    const log = keptLog()
    const bus = world(log)
    const quote = bus('quote')
    const { seen, handle } = collector()
    quote.consume(handle)
    const good = Array.from({ length: 6 }, (_, n) => envelope(Counted, { n }))
    const bad = { ...envelope(Counted, { n: 1 }), data: { n: 'x' } }
    await bus('account').publish([...good, bad as never])
    await until(() => seen.length === 6, { what: 'the good ones' })
    await until(async () => (await quote.depth()) === 0, { what: 'the queue to be empty' })
    expect(seen).not.toContainEqual(bad)
  })

  test('works on as many at once as it was told, and close waits for them', async () => {
    const bus = world()
    const gate = Promise.withResolvers<void>()
    let [now, most, done] = [0, 0, 0]
    const quote = bus('quote')
    const consumer = quote.consume(
      async () => {
        most = Math.max(most, ++now)
        await gate.promise
        now--
        done++
      },
      { concurrency: 4 },
    )
    const publisher = bus('account')
    // One by one: many together would be one job.
    for (let n = 0; n < 10; n++) await publisher.publish([envelope(Counted, { n })])
    await until(() => now === 4)
    expect(await quote.depth()).toBe(10)
    const closed = consumer.close()
    gate.resolve()
    await closed
    expect({ most, now, done }).toEqual({ most: 4, now: 0, done: 4 })
    expect(await quote.depth()).toBe(6)
  })
})

test('healthy resolves while Redis answers', async () => {
  await world()('account').healthy()
})

test('refuses a URL that is not one of Redis, without quoting it', () => {
  const connect = () => connectBus({ url: 'http://:hidden@localhost', service: 'account', log: silentLog })
  expect(connect).toThrow('redis://')
  expect(connect).not.toThrow('hidden')
})
