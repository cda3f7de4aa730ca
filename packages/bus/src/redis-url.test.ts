import { afterEach, expect, test } from 'bun:test'
import type { ClusterOptions, Redis } from 'ioredis'
import { type Connection, isCluster, openRedis, serverName } from './redis-url'

const opened: Connection[] = []
afterEach(() => {
  for (const connection of opened.splice(0)) connection.disconnect()
})

function open(url: string): Connection {
  const connection = openRedis(url, { options: {}, retryStrategy: () => null, lazyConnect: true })
  opened.push(connection)
  return connection
}

test('one server, as ioredis reads its URL', () => {
  const { options } = open('rediss://me:secret@redis.bank.example:6380/2') as Redis
  expect(options).toMatchObject({ host: 'redis.bank.example', port: 6380, db: 2, username: 'me', password: 'secret' })
  expect(options.tls).toBeTruthy()
  expect(options.sentinels).toBeNull()
})

test('Sentinels, with the name of the master', () => {
  const { options } = open('redis+sentinel://:se%40cret@10.0.0.1:26380,[fd00::2],sentinel-3/bursar') as Redis
  expect(options.sentinels).toEqual([
    { host: '10.0.0.1', port: 26_380 },
    { host: 'fd00::2', port: 26_379 },
    { host: 'sentinel-3', port: 26_379 },
  ])
  expect(options).toMatchObject({ name: 'bursar', password: 'se@cret', db: 0 })
  // A failover that it noticed while it connected would end the connection for good: redis-failover.test.ts sees that by chance.
  expect(options.failoverDetector).toBe(false)
  expect(options.sentinelPassword).toBeFalsy()
  expect(options.tls).toBeFalsy()
})

test('a database, a password of the Sentinels, and TLS to both', () => {
  const url = 'rediss+sentinel://me:a:b@10.0.0.1/bursar/3?sentinelPassword=other&sentinelUsername=watch'
  const { options } = open(url) as Redis
  expect(options).toMatchObject({ name: 'bursar', db: 3, username: 'me', password: 'a:b' })
  expect(options).toMatchObject({
    sentinelUsername: 'watch',
    sentinelPassword: 'other',
    enableTLSForSentinelMode: true,
  })
  expect([options.tls, options.sentinelTLS]).toEqual([{}, {}])
})

test('a master that turned into a replica is left', () => {
  const { reconnectOnError } = (open('redis+sentinel://10.0.0.1/bursar') as Redis).options
  const isLeft = (message: string) => reconnectOnError?.(new Error(message))
  expect([isLeft('READONLY You can’t write against a read only replica.'), isLeft('OOM')]).toEqual([true, false])
})

test('nodes of a cluster', () => {
  const cluster = open('rediss+cluster://me:secret@10.0.0.1:7000,10.0.0.2')
  expect(isCluster(cluster)).toBe(true)
  const { startupNodes, options } = cluster as unknown as { startupNodes: unknown[]; options: ClusterOptions }
  expect(startupNodes).toEqual([
    { host: '10.0.0.1', port: 7000 },
    { host: '10.0.0.2', port: 6379 },
  ])
  expect(options.redisOptions).toMatchObject({ username: 'me', password: 'secret', tls: {} })
})

test.each([
  'http://a',
  'redis+sentinel://a:26379',
  'redis+sentinel://a/name/x',
  'redis+sentinel://a/name/1/2',
  'redis+sentinel:///name',
  'redis+cluster://a,,b',
  'redis+cluster://a:7000/0',
  'redis+cluster://a b',
  'redis+other://a',
])('%s is refused, without what may be a password', (url) => {
  expect(() => open(url.replace('//', '//:hidden@'))).toThrow(/^The URL of Redis must be redis:/)
})

test('messages name the server without user and password', () => {
  const names = ['redis://:x@a:1', 'redis+sentinel://me:x@a,b/n?sentinelPassword=y', 'redis+cluster://a:1,b:2']
  expect(names.map(serverName)).toEqual(['redis://a:1', 'redis+sentinel://a,b/n', 'redis+cluster://a:1,b:2'])
})
