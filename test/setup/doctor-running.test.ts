// What `bun run doctor` finds of a Redis that takes no events, and of a service that fails and has no reasons.
import { expect, test } from 'bun:test'
import { services } from '@bursar/contracts/services'
import { freePort, localServer, tempDir, testRedis } from '@bursar/testing'
import { RedisClient } from 'bun'
import { examineRedis } from '../../scripts/doctor/redis'
import { examineServices } from '../../scripts/doctor/services'
import { home } from '../../scripts/stack/installation'

const patient = (env: Record<string, string>) => ({ home, env, dataDir: tempDir(), timeUrl: null })

test('sees a Redis that is full, and a replica', async () => {
  const redis = await testRedis()
  const client = new RedisClient(redis.url)
  const found = () => examineRedis(patient({ REDIS_URL: redis.url }))
  await client.send('CONFIG', ['SET', 'maxmemory', '1'])
  expect(await found()).toContainEqual(
    expect.objectContaining({
      verdict: 'wrong',
      says: expect.stringMatching(/ % of its maxmemory and takes no events: raise it$/),
    }),
  )
  await client.send('CONFIG', ['SET', 'maxmemory', '0'])
  await client.send('REPLICAOF', ['127.0.0.1', '9'])
  expect(await found()).toContainEqual(
    expect.objectContaining({
      verdict: 'wrong',
      says: `${redis.url} is a replica, which takes no events: name its master, or its Sentinels, in REDIS_URL`,
    }),
  )
  client.close()
  await redis.stop()
})

test('says why the log tracker fails, whose health has no reasons', async () => {
  const tracker = localServer(({ url }) => {
    if (url.endsWith('/health/live')) return new Response('ok')
    const body = url.endsWith('/ready') ? { error: 'database: full' } : { checks: { database: false } }
    return Response.json(body, { status: 503 })
  })
  const env: Record<string, string> = {}
  for (const { slug } of Object.values(services)) env[`${slug.toUpperCase()}_PORT`] = String(await freePort())
  env.TRACKER_PORT = new URL(tracker.url).port
  const found = await examineServices(patient(env))
  await tracker.stop()
  expect(found.map(({ says }) => says)).toContain('log-tracker: database: full')
})
