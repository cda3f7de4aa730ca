import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeTimers, fakeTimers, type TestRedis, testRedis, until } from '@bursar/testing'
import { RedisClient } from 'bun'
import { act, actionsOf, type Running, twoServices, upTo } from './fixture/two-services'

// Each case has a Redis and services of its own: one that fails leaves nothing to the next.
let redis: TestRedis
let services: ReturnType<typeof twoServices>
let clock: FakeTimers
let producer: Running
let consumers: Running[] = []
let acted = 0

beforeEach(async () => {
  redis = await testRedis()
  services = twoServices(redis)
  clock = fakeTimers()
  acted = 0
  producer = await services.startProducer({ clock, spacingMs: 0 })
})

afterEach(async () => {
  await Promise.all([producer, ...consumers].map((service) => service.stop()))
  consumers = []
  await redis.stop()
})

/** A consumer that is stopped by its case, or after it. */
async function startConsumer(): Promise<Running> {
  const { deps, stop } = await services.startConsumer()
  const consumer = {
    deps,
    async stop() {
      consumers = consumers.filter((other) => other !== consumer)
      await stop()
    },
  }
  consumers.push(consumer)
  return consumer
}

/** The file that Redis appends every write to. */
async function appendOnlyFile(): Promise<string> {
  const client = new RedisClient(redis.url)
  const { dir } = (await client.send('CONFIG', ['GET', 'dir'])) as { dir: string }
  client.close()
  const folder = join(dir, 'appendonlydir')
  const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'))
  return join(folder, name ?? '')
}

async function publishTen() {
  for (let i = 0; i < 10; i++) await act(producer.deps.store, acted++)
  // A busy machine may not publish in time: then the relay pauses, by this clock.
  const published = () => clock.advance(20).then(() => producer.deps.relay.depth() === 0)
  await until(published, { what: 'the events to be published' })
}

const gauges = async () => (await producer.deps.metrics.text()).match(/^bursar_(queue_depth|dead_letters)(?={)/gm)

/** Everything that was ever announced has arrived at the consumer, once. */
async function expectAllAt({ deps }: Running) {
  const arrived = async () => {
    await clock.advance(20)
    return (await actionsOf(deps.store)).length >= acted
  }
  await until(arrived, { what: 'the events at the consumer' })
  expect(await actionsOf(deps.store)).toEqual(upTo(acted))
}

const faults = [
  { name: 'stopped', strike: () => redis.stop(), losesLastSecond: false },
  { name: 'killed', strike: () => redis.kill(), losesLastSecond: false },
  { name: 'killed and without its last second', strike: () => redis.kill(), losesLastSecond: true },
]

for (const { name, strike, losesLastSecond } of faults) {
  for (const seconds of [1, 15, 60]) {
    test(`Redis is ${name}, away for ${seconds} s: nothing is missing at a consumer that was away too`, async () => {
      const before = await startConsumer()
      await publishTen()
      await expectAllAt(before)
      await before.stop()

      await until(async () => (await gauges())?.length === 2, { what: 'both gauges' })
      const file = await appendOnlyFile()
      const { size } = statSync(file)
      await publishTen()
      await clock.advance(400)
      await strike()
      if (losesLastSecond) truncateSync(file, size)
      await until(async () => !(await producer.deps.health.read()).healthy, { what: 'the loss to be seen' })
      // Unknown is not 0.
      expect(await gauges()).toBeNull()
      await clock.advance(seconds * 1000)
      await redis.restart()

      await expectAllAt(await startConsumer())
    })
  }
}
