import { expect, test } from 'bun:test'
import { eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { testRedis, until } from '@bursar/testing'
import { connectBus } from '../src'
import { waitingEvents } from '../src/waiting-events'
import { Counted, envelope, patienceMs, Shared, secret } from './events'

test('gives every event that is on a queue once, whatever state its job is in, and none that is forged', async () => {
  const redis = await testRedis()
  const options = { url: redis.url, log: silentLog, secret, patienceMs }
  const account = connectBus({ ...options, service: 'account' })
  const quote = connectBus({ ...options, service: 'quote' })
  const forger = connectBus({ ...options, service: 'account', secret: new Uint8Array(32).fill(1) })
  const failing = envelope(Counted, { n: 1 })
  const misfit = envelope(Counted, { n: 'one' })
  const done = envelope(Counted, { n: 2 })
  let handled = 0
  const consumer = quote.consume(async ({ id }) => {
    handled += 1
    if (id === failing.id) throw new Error('Not today')
  })
  for (const event of [failing, misfit, done]) await account.publish([event].map(eventText))
  // The one that fails is tried again after a second.
  await until(async () => handled >= 2 && (await quote.depth()) === 1)
  await consumer.close()
  const many = Array.from({ length: 60 }, (_, n) => envelope(Shared, { n }))
  await account.publish(many.map(eventText))
  await forger.publish([envelope(Counted, { n: 3 })].map(eventText))

  // An operator's connection has 5 s, which a busy machine may take longer.
  const waiting = await until(() => waitingEvents({ url: redis.url, secret }))
  const inOrder = (events: { id: string }[]) => events.map(({ id }) => id).sort()
  expect(inOrder(waiting)).toEqual(inOrder([failing, misfit, ...many]))
  expect(waiting.find(({ id }) => id === failing.id)).toEqual(failing)

  await Promise.all([account, quote, forger].map((bus) => bus.close()))
  await redis.stop()
  await expect(waitingEvents({ url: redis.url, secret })).rejects.toThrow('Redis is away')
})
