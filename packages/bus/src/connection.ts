import type { Log } from '@bursar/contracts/log'
import type { Cluster, RedisOptions } from 'ioredis'
import { withDeadline } from './deadline'
import { type Connection, isCluster, mastersOf, openRedis } from './redis-url'

/** Reconnects soon, then every second: Redis is near, and events wait for it. */
export const retryStrategy = (attempt: number) => Math.min(attempt * 100, 1000)
export const common: RedisOptions = { connectTimeout: 1000, disconnectTimeout: 100 }

/** A publisher's commands fail rather than wait. A socket without an answer for 2 s is replaced. */
const publisherOptions: RedisOptions = {
  ...common,
  maxRetriesPerRequest: 1,
  commandTimeout: 1500,
  socketTimeout: 2000,
}

/** A worker's commands wait for Redis as long as necessary; a silent socket is replaced, or a cut cable would stop it. */
const workerOptions: RedisOptions = { ...common, maxRetriesPerRequest: null, socketTimeout: 20_000 }

const heartbeatMs = 1000
const onceTimeoutMs = 5000

export type Publisher = ReturnType<typeof openPublisher>

/**
 * Opens the connection that events are published on. Does not throw if Redis is away: it keeps trying. `patienceMs` is for
 * tests.
 */
export function openPublisher(url: string, log: Log, patienceMs?: number) {
  const patience = patienceMs && { connectTimeout: patienceMs, commandTimeout: patienceMs, socketTimeout: patienceMs }
  const options = { ...publisherOptions, ...patience }
  const redis = openRedis(url, { options, retryStrategy, enableOfflineQueue: false })
  const lostCallbacks: (() => void)[] = []
  const reconnectCallbacks: (() => void)[] = []
  const report = connectionReport(log)
  let lost = false
  let reason = 'closed'

  const onClose = () => {
    report.lost(reason)
    if (lost) return
    lost = true
    for (const callback of lostCallbacks) callback()
  }
  redis.on('error', (error: Error) => {
    reason = error.message
    // While no Sentinel answers nothing is closed: there is no connection yet.
    if (redis.status === 'connecting' && error.message.startsWith('All sentinels')) onClose()
  })
  redis.on('close', onClose)
  redis.on('ready', () => {
    if (!lost) return
    lost = false
    reason = 'closed'
    report.back()
    for (const callback of reconnectCallbacks) callback()
  })
  // Without a ping, a hanging Redis would go unnoticed while nothing is published: socketTimeout needs a command.
  const heartbeat = setInterval(() => {
    if (redis.status === 'ready') for (const master of mastersOf(redis)) master.ping().catch(() => {})
  }, heartbeatMs)
  heartbeat.unref()

  return {
    redis,
    /** Settles at once, except during the first attempt to connect: rejects if Redis is away. */
    async ready(timeoutMs: number): Promise<void> {
      if (redis.status === 'ready') return
      if (lost) throw new Error(`Redis is away (${reason})`)
      await withDeadline(firstAttempt(redis), timeoutMs, 'Redis does not answer')
    },
    /** True from the moment the connection breaks, or cannot be made, until it is ready. */
    isLost: () => lost,
    /** Calls back each time the connection breaks, not for each failed attempt after it. */
    onLost: (changed: () => void) => void lostCallbacks.push(changed),
    /** Calls back each time the connection is ready again. */
    onReconnect: (changed: () => void) => void reconnectCallbacks.push(changed),
    /** Calls back each time a master of a cluster is lost or replaced, while others are there: it may have lost what it took last. */
    onReplaced: (changed: () => void) => {
      if (isCluster(redis)) watchMasters(redis, () => !lost && changed())
    },
    /** Lets pending commands finish for a moment, then disconnects. */
    async close() {
      clearInterval(heartbeat)
      redis.off('close', onClose)
      if (redis.status === 'ready') await withDeadline(redis.quit(), 500, 'No answer to QUIT').catch(() => {})
      end(redis)
    },
  }
}

/** Opens a connection for an operator's few commands: one attempt, with time. Rejects when Redis does not answer. */
export async function openOnce(url: string, timeoutMs = onceTimeoutMs): Promise<Connection> {
  const options = { connectTimeout: timeoutMs, disconnectTimeout: 100, maxRetriesPerRequest: 0 }
  const redis = openRedis(url, { options, retryStrategy: () => null, lazyConnect: true })
  let reason = ''
  redis.on('error', (error: Error) => {
    reason = error.message
  })
  try {
    await withDeadline(redis.connect(), timeoutMs, 'it does not answer')
    return redis
  } catch (error) {
    redis.disconnect()
    throw new Error(`Redis is away (${reason || (error instanceof Error ? error.message : error)})`)
  }
}

/** Opens a worker's connection, and keeps the copies that BullMQ makes of it, so that all can be closed. */
export function openWorkerConnections(url: string): { redis: Connection; end(): void } {
  const redis = openRedis(url, { options: workerOptions, retryStrategy })
  const all: Connection[] = [redis]
  const keep = <C extends Connection>(copy: C): C => {
    all.push(copy)
    return copy
  }
  if (isCluster(redis)) {
    const duplicate = redis.duplicate.bind(redis)
    redis.duplicate = (nodes, options) => keep(duplicate(nodes, options))
  } else {
    const duplicate = redis.duplicate.bind(redis)
    redis.duplicate = (options) => keep(duplicate(options))
  }
  return { redis, end: () => all.forEach(end) }
}

/** Calls back, once for what happens together, when a master of a cluster is lost, or another one is in its place. */
function watchMasters(cluster: Cluster, changed: () => void): void {
  const names = () =>
    mastersOf(cluster)
      .map(({ options: { host, port } }) => `${host}:${port}`)
      .sort()
      .join()
  let known = names()
  let isTold = true
  const look = () => {
    const found = names()
    if (found === known) return
    known = found
    if (!isTold) return
    isTold = false
    setImmediate(() => {
      isTold = true
      changed()
    })
  }
  for (const event of ['-node', '+node', 'refresh']) cluster.on(event, look)
}

/** Closes a connection permanently, in any state, and fails its waiting commands. */
function end(redis: Connection): void {
  if (redis.status === 'end') return
  const hasSocket = redis.status !== 'reconnecting'
  // BullMQ removes its error handlers before the last error.
  redis.on('error', () => {})
  redis.disconnect()
  if (hasSocket || isCluster(redis)) return
  // Waiting commands fail when a socket closes. Between two attempts there is none: open one more.
  redis.once('connect', () => redis.disconnect())
  redis.connect().catch(() => {})
}

const closedMessages = /^(Connection is closed|Socket timeout|Command timed out|Stream isn't writeable)/

/** True for a broken or silent connection; false for errors that Redis answered, and for any other. */
export const isConnectionError = (error: Error): boolean => 'syscall' in error || closedMessages.test(error.message)

function firstAttempt(redis: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      redis.off('ready', onReady)
      redis.off('close', onClose)
      error ? reject(error) : resolve()
    }
    const onReady = () => settle()
    const onClose = () => settle(new Error('Redis is away'))
    redis.once('ready', onReady)
    redis.once('close', onClose)
  })
}

const quietMs = 10_000

/** Logs a line when the connection is lost and one when it is back; a pair in 10 s at most. */
function connectionReport(log: Log) {
  let lostAt: number | undefined
  let loggedAt = Number.NEGATIVE_INFINITY
  let logged = false
  return {
    lost(reason: string) {
      const now = performance.now()
      lostAt ??= now
      if (logged || now - loggedAt < quietMs) return
      logged = true
      loggedAt = now
      log.warn({ reason }, 'Redis is away: events wait until it is back')
    },
    back() {
      if (logged && lostAt !== undefined) {
        log.info({ awayMs: Math.round(performance.now() - lostAt) }, 'Redis is back')
      }
      logged = false
      lostAt = undefined
    },
  }
}
