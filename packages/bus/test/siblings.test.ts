import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { Redis } from 'ioredis'
import { type Bus, connectBus } from '../src'
import { createSigner } from '../src/signature'
import { keptLog, patienceMs, secret } from './events'

let redis: TestRedis
const buses: Bus[] = []
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()))
  await redis.stop()
})

const log = keptLog()

/** An instance of a service of a deployment, and what it hears of a topic. */
function instanceOf(prefix: string, service: 'account' | 'quote' = 'account') {
  const bus = connectBus({ url: redis.url, service, log, secret, prefix, patienceMs })
  buses.push(bus)
  const siblings = bus.siblings()
  const heard: string[] = []
  siblings.on('work', (text) => void heard.push(text))
  return { bus, siblings, heard }
}

/** Says the same again until it is heard: a connection may not be there yet. */
const untilHeard = (from: ReturnType<typeof instanceOf>, to: ReturnType<typeof instanceOf>, text: string) =>
  until(() => {
    from.siblings.tell('work', text)
    return to.heard.includes(text)
  })

/** What it heard besides what tells that it hears. */
const toldTo = ({ heard }: ReturnType<typeof instanceOf>) => heard.filter((text) => !['there', 'end'].includes(text))

test('instances of a service hear each other, and neither themselves nor other services', async () => {
  const [first, second, other] = [instanceOf('a'), instanceOf('a'), instanceOf('a', 'quote')]
  await untilHeard(first, second, 'hello')
  await untilHeard(second, first, 'and back')
  const last = instanceOf('a', 'quote')
  await untilHeard(last, other, 'elsewhere')
  expect(new Set(first.heard)).toEqual(new Set(['and back']))
  expect(new Set(second.heard)).toEqual(new Set(['hello']))
  expect(new Set(other.heard)).toEqual(new Set(['elsewhere']))
})

test('what is said often is said once, in its order', async () => {
  const [first, second] = [instanceOf('b'), instanceOf('b')]
  await untilHeard(first, second, 'there')
  for (let n = 0; n < 100; n++) first.siblings.tell('work', String(n % 3))
  first.siblings.tell('other work')
  await untilHeard(first, second, 'end')
  expect(toldTo(second)).toEqual(['0', '1', '2'])
})

test('what no instance has signed is not heard', async () => {
  const [first, second] = [instanceOf('c'), instanceOf('c')]
  await untilHeard(first, second, 'there')
  const client = new Redis(redis.url)
  const channel = 'c:told:account'
  const told = JSON.stringify([{ from: 'x', said: [['work', 'forged']] }])
  const stranger = createSigner(new Uint8Array(32).fill(1))
  const own = createSigner(secret)
  const forged = [
    'no JSON',
    'null',
    told,
    JSON.stringify({ events: told, mac: 'x' }),
    JSON.stringify(stranger.sign(channel, told)),
    // Signed for a queue, not for this channel.
    JSON.stringify(own.sign('account', told)),
    JSON.stringify(own.sign(channel, '[]')),
    JSON.stringify(own.sign(channel, '[{"from":"x"}]')),
  ]
  for (const message of forged) await client.publish(channel, message)
  await untilHeard(first, second, 'end')
  expect(toldTo(second)).toEqual([])
  client.disconnect()
})

test('after an outage of Redis it is heard again, and each is told that it may have missed something', async () => {
  const [first, second] = [instanceOf('d'), instanceOf('d')]
  await untilHeard(first, second, 'before')
  // A first connection that a busy machine does not make in time is a broken one, too.
  let missed = 0
  second.siblings.onMissed(() => void missed++)
  const lost = new Promise<void>((resolve) => first.bus.onLost(resolve))
  await redis.kill()
  // What is told before this instance has noticed is sent again when Redis is back.
  await lost
  first.siblings.tell('work', 'lost')
  await redis.restart()
  await untilHeard(first, second, 'after')
  await until(() => missed === 1)
  expect(second.heard).not.toContain('lost')
})
