import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, mastersOf, openOnce, withDeadline } from '@bursar/bus'
import { readKeyFile } from '@bursar/http/key-file'
import { requirePorts } from './ports'
import { type Entry, quoted, readPort } from './procfile'
import { answerMs } from './ready'
import { isOldRedis, minimumRedis, provideRedisServer } from './redis-server'

/** The port of the Redis that the runner starts: beside the services' ports, away from a Redis the machine may have. */
export const usualRedisPort = 4379

/** Why the Redis at `url` cannot be used, or null when it can: it answers and is recent enough. */
export async function problemWithRedis(url: string): Promise<string | null> {
  try {
    return await withRedis(url, async (redis) => {
      const about = await Promise.all(mastersOf(redis).map((master) => master.info('server')))
      const versions = about.map((text) => /redis_version:(\S+)/.exec(text)?.[1] ?? '')
      const old = versions.find(isOldRedis)
      return old === undefined ? null : `it is version ${old}, and ${minimumRedis} or later is needed`
    })
  } catch (error) {
    const { message } = error as Error
    if (message.startsWith('The URL of Redis')) return message
    return /NOAUTH|WRONGPASS/.test(message) ? 'it wants another user or password' : 'no Redis answers there'
  }
}

/** Asks the Redis at `url`, which has its time to take the connection, and as much to answer. */
export async function withRedis<T>(url: string, ask: (redis: Connection) => Promise<T>): Promise<T> {
  const redis = await openOnce(url, answerMs)
  try {
    return await withDeadline(ask(redis), answerMs, 'no Redis answers there')
  } finally {
    redis.disconnect()
  }
}

/** The Redis that REDIS_URL names, else where the one that we start ourselves for the data folder answers. */
export function redisUrlOf(env: NodeJS.ProcessEnv, dataDir: string): string {
  if (env.REDIS_URL) return env.REDIS_URL
  const port = readPort(env, 'REDIS_PORT', usualRedisPort)
  return existsSync(join(dataDir, passwordFile)) ? ownUrl(dataDir, port) : `redis://127.0.0.1:${port}`
}

const ownUrl = (dataDir: string, port: number): string =>
  `redis://:${encodeURIComponent(passwordIn(dataDir))}@127.0.0.1:${port}`

const passwordFile = 'redis.password'

/** Every account of the machine reaches the port: only those who can read the data folder may use it. */
const passwordIn = (dataDir: string): string => readKeyFile(dataDir, passwordFile).trim()

/** Finds or installs a Redis, sets REDIS_URL to where it will answer, and gives the line that starts it. */
export async function ownRedis(dataDir: string, say: (sentence: string) => void): Promise<Entry> {
  const port = readPort(process.env, 'REDIS_PORT', usualRedisPort)
  await requirePorts([{ name: 'redis', host: '127.0.0.1', port, variable: 'REDIS_PORT' }])
  const server = await provideRedisServer(say)
  process.env.REDIS_URL = ownUrl(dataDir, port)
  return redisEntry(server, port, dataDir)
}

/**
 * Our own Redis: on the loopback only, with a password, every write kept, nothing evicted. Its settings are in a file that only
 * its owner can read: everybody can see a command line.
 */
function redisEntry(server: string, port: number, dataDir: string): Entry {
  const folder = join(dataDir, 'redis')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const log = join(folder, 'redis.log')
  const settings = join(folder, 'redis.conf')
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${JSON.stringify(passwordIn(dataDir))}`,
    `dir ${JSON.stringify(folder)}`,
    `logfile ${JSON.stringify(log)}`,
    'appendonly yes',
    'save ""',
    'maxmemory-policy noeviction',
  ]
  writeFileSync(settings, `${lines.join('\n')}\n`, { mode: 0o600 })
  return { name: 'redis', command: `exec ${quoted(server)} ${quoted(settings)}`, log }
}

/** A URL without its passwords, for messages: those of Sentinels are behind its question mark. */
export const withoutPassword = (url: string): string => url.replace(/\?.*$/, '').replace(/\/\/.*@/, '//***@')
