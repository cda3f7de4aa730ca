import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setInterval } from 'node:timers/promises'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { act, actionsOf, type Running, twoServices, upTo } from './fixture/two-services'

let redis: TestRedis
let producer: Running
let consumer: Running

beforeAll(async () => {
  redis = await testRedis()
  const services = twoServices(redis)
  producer = await services.startProducer()
  consumer = await services.startConsumer()
})

afterAll(async () => {
  await Promise.all([producer.stop(), consumer.stop()])
  await redis.stop()
})

/** Commits some hundred events a second until it is stopped. */
function load() {
  let [committed, stopped] = [0, false]
  const commits: Promise<unknown>[] = []
  const finished = (async () => {
    for await (const _ of setInterval(10)) {
      if (stopped) break
      for (let i = 0; i < 4; i++) commits.push(act(producer.deps.store, commits.length).then(() => committed++))
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

const handled = async () => (await actionsOf(consumer.deps.store)).length

test('however often Redis goes away, commits go on and every event is acted on once', async () => {
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
    const flows = { what: `events to flow before ${name}` }
    await until(async () => (await handled()) > before + 50, flows)
    await strike()
    const committed = work.committed()
    await until(() => work.committed() > committed + 100, { what: `commits during ${name}` })
    await end()
  }
  const total = await work.stop()
  await until(async () => (await handled()) >= total, { what: `all ${total} events to be handled` })
  expect(await actionsOf(consumer.deps.store)).toEqual(upTo(total))
  expect(await producer.deps.relay.flush(60_000)).toBe(true)
})
