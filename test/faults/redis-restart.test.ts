import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { type Bus, connectBus } from '@bursar/bus'
import { event } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { t } from '@bursar/contracts/schema'
import { emit, type OpenStore, openStore, type Relay, receive, startRelay } from '@bursar/store'
import { type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { effects } from './fixture/fault.table'

const Happened = event('fault-test.thing.happened', t.Object({ n: t.Integer() }), { consumers: ['quote'] })
const migrations = join(import.meta.dir, 'fixture/migrations')
const patienceMs = 2000

let redis: TestRedis
let producer: { store: OpenStore; bus: Bus; relay: Relay }
let consumer: { store: OpenStore; bus: Bus }
/** The longest that anybody waited, in milliseconds. */
const longest = { commit: 0, publish: 0 }

beforeAll(async () => {
  redis = await testRedis()
  const dir = tempDir()
  const open = (service: string) => openStore({ service, file: join(dir, `${service}.sqlite`), migrations })
  const connect = (service: 'account' | 'quote') => connectBus({ url: redis.url, service, log: silentLog })
  const [store, bus] = [await open('account'), connect('account')]
  const relay = startRelay(store, {
    publish: (events) => timed('publish', bus.publish(events)),
    log: silentLog,
  })
  bus.onReconnect(() => relay.resend())
  producer = { store, bus, relay }
  consumer = { store: await open('quote'), bus: connect('quote') }
  consumer.bus.consume(async (envelope) => {
    await receive(consumer.store, envelope, async (tx) => {
      await tx.insert(effects).values(envelope.data as { n: number })
    })
  })
})

afterAll(async () => {
  await producer.relay.stop()
  await Promise.all([producer.bus.close(), consumer.bus.close()])
  await Promise.all([producer.store.close(), consumer.store.close()])
  await redis.stop()
})

async function timed<T>(what: keyof typeof longest, work: Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work
  } finally {
    longest[what] = Math.max(longest[what], performance.now() - start)
  }
}

/** Commits some hundred events a second until told to stop. */
function load() {
  let [committed, stopped] = [0, false]
  const commits: Promise<unknown>[] = []
  const commit = (n: number) =>
    producer.store.commit(async (tx) => {
      await tx.insert(effects).values({ n })
      await emit(tx, Happened, { n })
    })
  const finished = (async () => {
    for await (const _ of setInterval(10)) {
      if (stopped) break
      for (let i = 0; i < 4; i++) commits.push(timed('commit', commit(commits.length)).then(() => committed++))
    }
    await Promise.all(commits)
  })()
  return {
    committed: () => committed,
    async stop() {
      stopped = true
      await finished
      return committed
    },
  }
}

const handled = () => consumer.store.read.$count(effects)

test('however often Redis goes away, every event is acted on once and nobody waits for it', async () => {
  const work = load()
  const faults: { name: string; strike(): unknown; end(): unknown }[] = [
    { name: 'a crash', strike: redis.kill, end: () => redis.restart() },
    { name: 'a stop', strike: redis.stop, end: () => redis.restart() },
    { name: 'a crash that loses everything', strike: redis.kill, end: () => redis.restart({ empty: true }) },
    { name: 'a freeze', strike: redis.pause, end: redis.resume },
    { name: 'another crash', strike: redis.kill, end: () => redis.restart() },
  ]
  for (const { name, strike, end } of faults) {
    const before = await handled()
    await until(async () => (await handled()) > before + 50, { what: `events to flow before ${name}` })
    await strike()
    const committed = work.committed()
    await until(() => work.committed() > committed + 100, { what: `commits during ${name}` })
    await end()
  }
  const total = await work.stop()
  expect(await producer.relay.flush(10_000)).toBe(true)
  await until(async () => (await handled()) >= total, { timeoutMs: 20_000, what: `all ${total} events to be handled` })
  await until(async () => (await consumer.bus.depth()) === 0, { timeoutMs: 10_000, what: 'the queue to be empty' })

  const seen = await consumer.store.read.select({ n: effects.n }).from(effects)
  expect(seen.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n))
  // A hundred and more during each fault, by the waits above.
  expect(total).toBeGreaterThan(faults.length * 100)
  expect(longest.publish).toBeLessThan(patienceMs)
  expect(longest.commit).toBeLessThan(patienceMs)
}, 60_000)
