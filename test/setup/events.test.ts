import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Bus, connectBus, countDeadLetters, type DeadLetterBox, openDeadLetters } from '@bursar/bus'
import { silentLog } from '@bursar/contracts/log'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import { withoutPassword } from '../../scripts/stack/redis'
import { runCommand } from '../commands'

const secret = new Uint8Array(32)

let redis: TestRedis
let box: DeadLetterBox
let tracker: Bus

beforeAll(async () => {
  redis = await testRedis()
  box = await openDeadLetters({ url: redis.url, service: 'log-tracker' })
  tracker = connectBus({ url: redis.url, service: 'log-tracker', log: silentLog, secret, patienceMs: 60_000 })
})
afterAll(async () => {
  await Promise.all([box.close(), tracker.close()])
  await redis.stop()
})

async function events(...args: string[]) {
  const { code, out, error } = await runCommand('events', ['--redis-url', redis.url, ...args])
  return { code, out, error }
}

test('bun run events lists, shows and retries dead letters', async () => {
  // Not signed: they come back to the dead letters each time.
  const forged = { events: '[{"id":"1","name":"forged"}]', mac: '' }
  for (const jobId of ['one', 'two']) await box.queue.add('forged', forged, { jobId })
  const consumer = tracker.consume(async () => {})
  await until(async () => (await countDeadLetters(box)) === 2, { what: 'the dead letters' })
  await consumer.close()

  const listed = await events('failed')
  expect(listed).toMatchObject({ code: 0, error: '' })
  expect(listed.out).toContain('account: 0 dead letters\n')
  expect(listed.out).toMatch(/log-tracker: 2 dead letters\n {2}\S+Z {2}(one|two) {2}forged .*does not verify/)
  expect((await events('failed', 'log-tracker', '--limit', '1')).out.split('\n')).toHaveLength(3)

  const shown = await events('show', 'log-tracker', 'one')
  expect(JSON.parse(shown.out)).toMatchObject({ id: 'one', attempts: 1, events: [{ id: '1', name: 'forged' }] })

  expect(await events('retry', 'log-tracker', 'one')).toEqual({
    code: 0,
    out: 'log-tracker: 1 dead letter back on the queue\n',
    error: '',
  })
  expect(await countDeadLetters(box)).toBe(1)
  expect((await events('retry', 'log-tracker', '--all')).out).toBe('log-tracker: 1 dead letter back on the queue\n')
  expect(await tracker.depth()).toBe(2)

  const again = tracker.consume(async () => {})
  await until(async () => (await countDeadLetters(box)) === 2, { what: 'the dead letters' })
  await again.close()
  expect((await events('drop', 'log-tracker', 'one')).out).toBe('log-tracker: 1 dead letter deleted\n')
  expect(await events('drop', 'log-tracker', 'one', 'two')).toMatchObject({
    code: 1,
    out: 'log-tracker: 1 dead letter deleted\n',
  })
  expect(await countDeadLetters(box)).toBe(0)
})

test('no message has a password of Redis, nor one of its Sentinels', () => {
  const urls = [
    'redis://127.0.0.1:6379/1',
    'redis://me:x@a:1/1',
    'redis+sentinel://:x@a:1,b:2/name?sentinelPassword=y@z',
  ]
  expect(urls.map(withoutPassword)).toEqual([
    'redis://127.0.0.1:6379/1',
    'redis://***@a:1/1',
    'redis+sentinel://***@a:1,b:2/name',
  ])
})

test('bun run events refuses what it cannot do, and helps', async () => {
  expect((await events('--help')).out).toMatch(/^Usage: bun run events failed/)
  for (const [args, error] of [
    [[], 'no command. See bun run events --help'],
    [['failed', 'nobody'], 'nobody is not a service that consumes events'],
    [['failed', 'account', '--limit', '0'], '--limit must be a whole number'],
    [['show', 'log-tracker'], 'show takes a service and an id'],
    [['show', 'log-tracker', 'unknown'], 'log-tracker has no dead letter unknown'],
    [['retry', 'log-tracker', 'unknown'], '1 of the ids are not among the dead letters'],
    [['drop', 'log-tracker'], 'drop takes ids'],
    [['drop', 'log-tracker', '--all'], 'drop takes ids'],
    [['drop', 'log-tracker', 'unknown'], '1 of the ids are not among the dead letters'],
    [['failed', '--what'], 'See bun run events --help'],
    [['failed', '--redis-url', 'redis://:hidden@127.0.0.1:9'], 'redis://***@127.0.0.1:9'],
  ] as const) {
    const run = await events(...args)
    expect(run.code).toBe(1)
    expect(run.error).toContain(error)
  }
  const twice = { REDIS_URL: redis.url, REDIS_URL_FILE: '/none' }
  expect(await runCommand('events', ['failed'], { env: { ...process.env, ...twice } })).toMatchObject({
    code: 1,
    error: 'REDIS_URL and REDIS_URL_FILE are both set: remove one of them\n',
  })
})
