import { expect, test } from 'bun:test'
import { openOnce } from '@bursar/bus'
import { silentLog } from '@bursar/contracts/log'
import { testRedis, until } from '@bursar/testing'
import { openSharedBuckets } from '../src/limits/redis-buckets'

test('a Redis that refuses to count is told of once, and once when it counts again', async () => {
  const redis = await testRedis()
  const admin = await openOnce(redis.url)
  const allow = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'limited', ...rules)
  await allow('on', '>words', '~*', '&*', '+@all', '-eval', '-evalsha')
  const { host } = new URL(redis.url)
  const lines: [string, object][] = []
  const note = (fields: object, message: string) => void lines.push([message, fields])
  const buckets = openSharedBuckets(`redis://limited:words@${host}`, { ...silentLog, warn: note, info: note })
  const policy = { name: 'requests', burst: 10, seconds: 1 }
  const take = () =>
    buckets.take('somebody', policy, 1).then(
      ({ granted }) => granted,
      () => null,
    )
  await until(async () => (await take()) === null && lines.length > 0, { what: 'the refusal' })
  expect(lines).toEqual([
    ['Redis refuses to count rate limits: they are counted by this gateway alone', { reason: expect.any(String) }],
  ])
  await allow('+eval', '+evalsha')
  expect(await until(take)).toBe(1)
  expect(lines.slice(1)).toEqual([['Redis counts rate limits again', {}]])
  await buckets.close()
  admin.disconnect()
  await redis.stop()
})
