import { describe, expect, test } from 'bun:test'
import { eventText } from '@bursar/contracts/event'
import { afterAwake, testRedis, until } from '@bursar/testing'
import { Redis } from 'ioredis'
import { type Bus, connectBus } from '../src'
import { withDeadline } from '../src/deadline'
import { Counted, envelope, keptLog, patienceMs, secret } from './events'

/**
 * A Redis of the test's own, so that the tests can run side by side, with buses and what they log. They are patient but in
 * tests of a Redis that hangs.
 */
async function place(options: { patienceMs?: number } = { patienceMs }) {
  const redis = await testRedis()
  const log = keptLog()
  const buses: Bus[] = []
  return {
    redis,
    log,
    bus(service: 'account' | 'quote') {
      const connected = connectBus({ url: redis.url, service, log, secret, ...options })
      buses.push(connected)
      return connected
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(buses.map((bus) => bus.close()))
      await redis.stop()
    },
  }
}

/** The events that a service gets, each once: after a crash one may come twice. */
function consumedBy(consumer: Bus): Set<string> {
  const ids = new Set<string>()
  consumer.consume(async ({ id }) => void ids.add(id))
  return ids
}

const one = () => [envelope(Counted, { n: 1 })]

/** Asks until it is answered within the time of a service: the first answer of a process takes a busy machine longer. */
const answered = (ask: () => Promise<void>) =>
  until(() => ask().then(() => true), { what: 'an answer in time' }).then(() => {})

/** Rejects when the work takes longer than so many milliseconds in which this process ran. */
async function withinAwake(work: Promise<unknown>, ms: number, message: string): Promise<void> {
  const late = Promise.withResolvers<never>()
  const cancel = afterAwake(ms, () => late.reject(new Error(message)))
  await Promise.race([work, late.promise]).finally(cancel)
}

describe.concurrent('side by side', () => {
  test('with Redis away at the start: refuses at once, calls back when it is there, and consumes then', async () => {
    await using own = await place()
    const { redis, bus } = own
    await redis.stop()
    const [account, quote] = [bus('account'), bus('quote')]
    const seen = consumedBy(quote)
    let [losses, reconnects] = [0, 0]
    account.onLost(() => void losses++)
    account.onReconnect(() => void reconnects++)
    // Refused by the connection, not by a deadline: its message would be another.
    await expect(account.publish(one().map(eventText))).rejects.toThrow('Redis is away')
    await expect(account.publish(one().map(eventText))).rejects.toThrow('Redis is away')
    await expect(account.healthy()).rejects.toThrow('Redis is away')
    await expect(quote.depth()).rejects.toThrow('Redis is away')
    await redis.restart()
    await until(() => reconnects === 1, { what: 'the connection' })
    // Not for each attempt that failed.
    expect(losses).toBe(1)
    await account.publish(one().map(eventText))
    await until(() => seen.size === 1, { what: 'the event' })
  })

  test('after a crash of Redis: publishing and consuming go on by themselves, with one line each', async () => {
    await using own = await place()
    const { redis, log, bus } = own
    const [account, quote] = [bus('account'), bus('quote')]
    const seen = consumedBy(quote)
    let [losses, reconnects] = [0, 0]
    account.onLost(() => void losses++)
    account.onReconnect(() => void reconnects++)
    await account.publish(one().map(eventText))
    await until(() => seen.size === 1, { what: 'the event' })
    await redis.kill()
    await expect(account.publish(one().map(eventText))).rejects.toThrow()
    await until(() => losses === 1, { what: 'the loss' })
    await redis.restart()
    await until(() => reconnects === 1, { what: 'the connection' })
    await account.publish(one().map(eventText))
    await until(() => seen.size === 2, { what: 'the event after the crash' })
    // Whether the first job was recorded, and its answer lost, as Redis crashed is chance: lost-answer.test.ts.
    const told = () =>
      log.lines.filter(({ message }) => message !== 'A job was recorded before, or is another worker’s')
    await until(() => told().length >= 4, { what: 'the lines of both' })
    expect(
      told()
        .map(({ level }) => level)
        .sort(),
    ).toEqual(['info', 'info', 'warn', 'warn'])
    expect([losses, reconnects]).toEqual([1, 1])
  })

  test('a Redis that hangs while nothing is published counts as lost', async () => {
    await using own = await place({})
    const { redis, bus } = own
    const account = bus('account')
    await answered(account.healthy)
    // A machine that is busy for long enough counts as a loss as well, before and after.
    let [losses, reconnects] = [0, 0]
    redis.pause()
    account.onLost(() => void losses++)
    await until(() => losses > 0, { what: 'the loss' })
    account.onReconnect(() => void reconnects++)
    redis.resume()
    await until(() => reconnects > 0, { what: 'the connection' })
  })

  test('with a Redis that refuses to write: refuses with its message, and works again later', async () => {
    await using own = await place()
    const { redis, log, bus } = own
    const [account, quote] = [bus('account'), bus('quote')]
    await account.healthy()
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory', '1')
    await expect(account.publish(one().map(eventText))).rejects.toThrow('OOM')
    await expect(account.healthy()).rejects.toThrow('OOM')
    await admin.config('SET', 'maxmemory', '0')
    await account.publish(one().map(eventText))
    await admin.config('SET', 'maxmemory', '1')
    const seen = consumedBy(quote)
    const refused = () => log.lines.some(({ message }) => message === 'The queue of events refuses its worker')
    await until(refused, { what: 'the line' })
    await admin.config('SET', 'maxmemory', '0')
    await until(() => seen.size === 1, { what: 'the event' })
    await account.healthy()
    expect(await admin.keys('*probe*')).toEqual([])
    admin.disconnect()
  })
})

// Alone: what runs beside them would take some of their time.
test('with a Redis that hangs: refuses within 2 s, and works again when it goes on', async () => {
  await using own = await place({})
  const { redis, bus } = own
  const [account, quote] = [bus('account'), bus('quote')]
  const seen = consumedBy(quote)
  const first = one().map(eventText)
  await answered(() => account.publish(first))
  redis.pause()
  const refused = [account.publish(one().map(eventText)), account.healthy(), quote.depth()]
  for (const work of refused) work.catch(() => {})
  // By a timer of this process: a busy machine delays both.
  await withDeadline(Promise.allSettled(refused), 2000, 'not refused within 2 s')
  redis.resume()
  for (const work of refused) await expect(work).rejects.toThrow()
  const last = one()
  await until(() => account.publish(last.map(eventText)).then(() => true), { what: 'publishing' })
  await until(async () => (await quote.depth()) === 0 && seen.has(last[0]?.id ?? ''), { what: 'the events' })
})

test('closes within a moment while Redis is away', async () => {
  await using own = await place({})
  const { redis, bus } = own
  const [account, quote] = [bus('account'), bus('quote')]
  const seen = consumedBy(quote)
  const first = one().map(eventText)
  await answered(() => account.publish(first))
  // Its consumer is loaded by then.
  await until(() => seen.size === 1, { what: 'the event' })
  await redis.stop()
  const closed = Promise.all([account.close(), quote.close()])
  // Less than the time that a worker may take when Redis is there.
  await withinAwake(closed, 1900, 'not closed within 1.9 s')
})
