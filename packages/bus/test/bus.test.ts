import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { Redis } from 'ioredis'
import { type Bus, connectBus } from '../src'
import { Counted, collector, envelope, keptLog, patienceMs, Shared, secret, Unconsumed } from './events'

let redis: TestRedis
const open: Bus[] = []
let prefixes = 0

beforeAll(async () => {
  redis = await testRedis()
  // The first publish of a process loads BullMQ, which a busy machine does not do within a publish's time.
  const first = busesOf()('account')
  first.consume(async () => {})
  await until(
    () =>
      first
        .publish([])
        .then(() => first.depth())
        .then(
          () => true,
          () => false,
        ),
    { what: 'the first publish' },
  )
})

afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()))
  await redis.stop()
})

/** Buses that share queues with each other and with no other test. */
function busesOf(log = silentLog) {
  const prefix = `test-${++prefixes}`
  return (service: 'account' | 'quote' | 'message') => {
    const bus = connectBus({ url: redis.url, service, log, secret, prefix, patienceMs })
    open.push(bus)
    return bus
  }
}

// Side by side: each has queues of its own, and what one of them waits for holds up no other.
describe.concurrent('publish', () => {
  test('gives every consumer of the catalogue each event once, as it was', async () => {
    const bus = busesOf()
    const [quote, message] = [collector(), collector()]
    bus('quote').consume(quote.handle)
    bus('message').consume(message.handle)
    const [one, two] = [envelope(Shared, { n: 1 }), envelope(Counted, { n: 2 })]
    await bus('account').publish([one, two].map(eventText))
    await until(() => quote.seen.length === 2 && message.seen.length === 1, { what: 'the events' })
    expect(quote.seen).toEqual([one, two])
    expect(message.seen).toEqual([one])
  })

  test('ignores an event that is on the queue or was handled already', async () => {
    const bus = busesOf()
    const publisher = bus('account')
    const quote = bus('quote')
    const event = envelope(Counted, { n: 1 })
    await publisher.publish([event, event].map(eventText))
    await publisher.publish([event].map(eventText))
    expect(await quote.depth()).toBe(1)
    const { seen, handle } = collector()
    const consumer = quote.consume(handle)
    await until(async () => (await quote.depth()) === 0)
    await consumer.close()
    const last = envelope(Counted, { n: 2 })
    await publisher.publish([event, last].map(eventText))
    expect([await quote.depth(), seen]).toEqual([1, [event]])
    quote.consume(handle)
    await until(() => seen.length === 2)
    expect(seen).toEqual([event, last])
  })

  test('sends an event without consumers to no queue', async () => {
    const account = busesOf()('account')
    await account.publish([envelope(Unconsumed, { n: 1 })].map(eventText))
    await account.publish([])
    expect(await account.depth()).toBe(0)
  })

  test('refuses an event that is not in the catalogue, and sends the others', async () => {
    const bus = busesOf()
    const stranger = { ...envelope(Counted, { n: 1 }), name: 'bus-test.number.unknown' }
    const sending = bus('account').publish([stranger, envelope(Counted, { n: 2 })].map(eventText))
    await expect(sending).rejects.toThrow('bus-test.number.unknown')
    expect(await bus('quote').depth()).toBe(1)
  })

  test('sends a thousand events in one go', async () => {
    const bus = busesOf()
    const { seen, handle } = collector()
    bus('quote').consume(handle)
    await bus('account').publish(Array.from({ length: 1000 }, (_, n) => envelope(Counted, { n })).map(eventText))
    await until(() => seen.length === 1000)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1000)
  })
})

describe.concurrent('consume', () => {
  test('retries an event after its handler failed', async () => {
    const log = keptLog()
    const bus = busesOf(log)
    let calls = 0
    bus('quote').consume(async () => {
      if (++calls === 1) throw new Error('Not today')
    })
    await bus('account').publish([envelope(Counted, { n: 1 })].map(eventText))
    await until(() => calls === 2, { what: 'a second attempt' })
    const lines = log.lines.filter(({ message }) => message.includes('will be retried'))
    expect(lines).toMatchObject([{ level: 'warn', fields: { attempt: 1, error: 'Not today' } }])
    expect(lines).toMatchObject([{ fields: { err: { stack: expect.stringContaining('bus.test.ts') } } }])
  })

  test('an event that does not fit its schema is a dead letter, without a second attempt', async () => {
    const log = keptLog()
    const bus = busesOf(log)
    const { seen, handle } = collector()
    const quote = bus('quote')
    quote.consume(handle)
    await bus('account').publish([envelope(Counted, { n: 'secret' }), envelope(Counted, { n: 2 })].map(eventText))
    await until(async () => seen.length === 1 && (await quote.depth()) === 0)
    expect(seen[0]?.data).toEqual({ n: 2 })
    const lines = log.lines.filter(({ level }) => level === 'error')
    expect(lines).toMatchObject([{ fields: { event: 'bus-test.number.counted', wrong: '/n: Expected integer' } }])
    expect(JSON.stringify(log.lines)).not.toContain('secret')
  })

  test('handles many events that came together, each once, and retries only those that failed', async () => {
    const bus = busesOf()
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
    await bus('account').publish(all.map((n) => envelope(Counted, { n })).map(eventText))
    await until(() => seen.length === 120, { what: 'all of them' })
    expect(seen.toSorted((a, b) => a - b)).toEqual(all)
    expect(all.filter((n) => calls.get(n) === 2)).toEqual([7, 47, 87])
    await until(async () => (await quote.depth()) === 0, { what: 'the queue to be empty' })
  })

  test('an event of a batch that does not fit its schema is a dead letter alone', async () => {
    const log = keptLog()
    const bus = busesOf(log)
    const quote = bus('quote')
    const { seen, handle } = collector()
    quote.consume(handle)
    const good = Array.from({ length: 6 }, (_, n) => envelope(Counted, { n }))
    const bad = { ...envelope(Counted, { n: 1 }), data: { n: 'x' } }
    await bus('account').publish([...good, bad as never].map(eventText))
    await until(() => seen.length === 6, { what: 'the good ones' })
    await until(async () => (await quote.depth()) === 0, { what: 'the queue to be empty' })
    expect(seen).not.toContainEqual(bad)
  })

  test('works on `concurrency` at once, and close waits for them', async () => {
    const bus = busesOf()
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
    for (let n = 0; n < 10; n++) await publisher.publish([envelope(Counted, { n })].map(eventText))
    await until(() => now === 4)
    expect(await quote.depth()).toBe(10)
    const closed = consumer.close()
    gate.resolve()
    await closed
    expect({ most, now, done }).toEqual({ most: 4, now: 0, done: 4 })
    expect(await quote.depth()).toBe(6)
  })
})

test.concurrent('depth counts the jobs that wait for a retry', async () => {
  const bus = busesOf()
  const quote = bus('quote')
  let calls = 0
  quote.consume(async () => {
    calls += 1
    throw new Error('Not today')
  })
  await bus('account').publish([envelope(Counted, { n: 1 })].map(eventText))
  await until(() => calls > 0)
  expect(await quote.depth()).toBe(1)
})

test.concurrent('close of a bus waits for its handlers', async () => {
  const bus = busesOf()
  const quote = bus('quote')
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  let begun = false
  quote.consume(async () => {
    begun = true
    await gate.promise
    order.push('handled')
  })
  await bus('account').publish([envelope(Counted, { n: 1 })].map(eventText))
  await until(() => begun)
  const closed = quote.close().then(() => order.push('closed'))
  gate.resolve()
  await closed
  expect(order).toEqual(['handled', 'closed'])
})

test.concurrent('an event whose consumer is killed while it works goes to another', async () => {
  const bus = busesOf()
  const prefix = `test-${prefixes}`
  const event = envelope(Counted, { n: 1 })
  await bus('account').publish([event].map(eventText))
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/hang.child.ts`, redis.url, prefix], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  child.kill('SIGKILL')
  await child.exited
  const { seen, handle } = collector()
  bus('quote').consume(handle)
  await until(() => seen.length === 1, { what: 'the event at the second consumer' })
  expect(seen).toEqual([event])
})

// A job may have a megabyte, and a full Redis stops every consumer: none of them could make room again.
test('of jobs that are done Redis keeps the last hundred', async () => {
  const bus = busesOf()
  const prefix = `test-${prefixes}`
  const [account, quote, { seen, handle }] = [bus('account'), bus('quote'), collector()]
  quote.consume(handle)
  for (let n = 0; n < 110; n++) await account.publish([envelope(Counted, { n })].map(eventText))
  await until(async () => seen.length === 110 && (await quote.depth()) === 0, { what: 'the events' })
  const admin = new Redis(redis.url)
  expect(await admin.zcard(`${prefix}:quote:completed`)).toBe(100)
  admin.disconnect()
})

test('healthy resolves while Redis answers', async () => {
  const account = busesOf()('account')
  // Within a second, which a busy machine may need for the connection alone.
  await until(() => account.healthy().then(() => true), { what: 'the bus to be healthy' })
})

test.concurrent('refuses a URL that is not one of Redis, without quoting it', () => {
  const connect = () => connectBus({ url: 'http://:hidden@localhost', service: 'account', log: silentLog, secret })
  expect(connect).toThrow('redis://')
  expect(connect).not.toThrow('hidden')
})
