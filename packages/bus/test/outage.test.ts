import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { Redis } from 'ioredis'
import { type Bus, connectBus } from '../src'
import { Counted, envelope, keptLog } from './events'

let redis: TestRedis
let log: ReturnType<typeof keptLog>
let buses: Bus[] = []

beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.stop())
beforeEach(() => {
  log = keptLog()
})
afterEach(async () => {
  await Promise.all(buses.map((bus) => bus.close()))
  buses = []
})

function bus(service: 'account' | 'quote', prefix: string) {
  const connected = connectBus({ url: redis.url, service, log, prefix })
  buses.push(connected)
  return connected
}

/** How long it took to be refused, in milliseconds. */
async function refusedAfter(work: Promise<unknown>): Promise<number> {
  const start = performance.now()
  await expect(work).rejects.toThrow()
  return performance.now() - start
}

const one = () => [envelope(Counted, { n: 1 })]

test('with Redis away at the start: refuses at once, tells when it is there, and consumes then', async () => {
  await redis.stop()
  const [account, quote] = [bus('account', 'start'), bus('quote', 'start')]
  let [seen, reconnected] = [0, 0]
  quote.consume(async () => void seen++)
  account.onReconnect(() => void reconnected++)
  expect(await refusedAfter(account.publish(one()))).toBeLessThan(500)
  expect(await refusedAfter(account.publish(one()))).toBeLessThan(50)
  expect(await refusedAfter(account.healthy())).toBeLessThan(50)
  expect(await refusedAfter(quote.depth())).toBeLessThan(500)
  await redis.restart()
  await until(() => reconnected === 1, { what: 'the connection' })
  await account.publish(one())
  await until(() => seen === 1, { what: 'the event' })
})

test('after a crash of Redis: publishing and consuming go on by themselves, with one line each', async () => {
  const [account, quote] = [bus('account', 'crash'), bus('quote', 'crash')]
  let [seen, reconnected] = [0, 0]
  quote.consume(async () => void seen++)
  account.onReconnect(() => void reconnected++)
  await account.publish(one())
  await until(() => seen === 1)
  await redis.kill()
  expect(await refusedAfter(account.publish(one()))).toBeLessThan(2000)
  await redis.restart()
  await until(() => reconnected === 1, { what: 'the connection' })
  await account.publish(one())
  await until(() => seen === 2, { what: 'the event after the crash' })
  await until(() => log.lines.length === 4)
  expect(log.lines.map(({ level }) => level).sort()).toEqual(['info', 'info', 'warn', 'warn'])
})

test('with a Redis that hangs: refuses within 2 s, and works again when it goes on', async () => {
  const [account, quote] = [bus('account', 'hang'), bus('quote', 'hang')]
  let seen = 0
  quote.consume(async () => void seen++)
  await account.publish(one())
  redis.pause()
  const waits = await Promise.all([
    refusedAfter(account.publish(one())),
    refusedAfter(account.healthy()),
    refusedAfter(quote.depth()),
  ])
  redis.resume()
  expect(Math.max(...waits)).toBeLessThan(2000)
  const last = one()
  await until(() => account.publish(last).then(() => true), { what: 'publishing' })
  await until(async () => (await quote.depth()) === 0 && seen >= 2, { what: 'the events' })
})

test('with a Redis that refuses to write: refuses with its words, and works again later', async () => {
  const [account, quote] = [bus('account', 'full'), bus('quote', 'full')]
  let seen = 0
  await account.healthy()
  const admin = new Redis(redis.url)
  await admin.config('SET', 'maxmemory', '1')
  await expect(account.publish(one())).rejects.toThrow('OOM')
  await admin.config('SET', 'maxmemory', '0')
  await account.publish(one())
  await admin.config('SET', 'maxmemory', '1')
  quote.consume(async () => void seen++)
  await until(() => log.lines.some(({ message }) => message.includes('trouble')), { what: 'the complaint' })
  await admin.config('SET', 'maxmemory', '0')
  await until(() => seen === 1, { what: 'the event' })
  admin.disconnect()
})

test('closes within a moment while Redis is away', async () => {
  const [account, quote] = [bus('account', 'close'), bus('quote', 'close')]
  quote.consume(async () => {})
  await account.publish(one())
  await redis.stop()
  const start = performance.now()
  await Promise.all([account.close(), quote.close()])
  buses = []
  expect(performance.now() - start).toBeLessThan(1000)
  await redis.restart()
})
