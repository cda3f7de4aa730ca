import { openPublisher, withDeadline } from '@bursar/bus'
import { type Log, silentLog } from '@bursar/contracts/log'
import type { Grant, Policy } from './token-bucket'

/** Token buckets that all gateways of the deployment share. */
export interface SharedBuckets {
  /** Rejects quickly while Redis is unreachable. */
  take(key: string, policy: Policy, wanted: number): Promise<Grant>
  close(): Promise<void>
}

/**
 * The bucket of token-bucket.ts, by the clock of Redis: gateways on several machines need not agree on the time. A full
 * bucket is forgotten.
 */
const script = `
local burst, seconds, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local perSecond = burst / seconds
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - at) * perSecond)
local granted = math.min(wanted, math.floor(tokens))
tokens = tokens - granted
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / perSecond * 1000) + 1000)
local waitMs = 0
if tokens < 1 then waitMs = math.ceil((1 - tokens) / perSecond * 1000) end
return { granted, math.floor(tokens), waitMs }
`

/** The longest that a request waits for Redis. */
const timeoutMs = 100
/** The pause after a failure of Redis. */
const pauseMs = 1000

export function openSharedBuckets(url: string, log: Log): SharedBuckets {
  // The bus reports when Redis is lost and found; here the consequence is logged.
  const { redis, isLost, onLost, onReconnect, close } = openPublisher(url, silentLog)
  onLost(() => log.warn({}, 'Redis is away: rate limits are counted by this gateway alone'))
  onReconnect(() => log.info({}, 'Redis is back: rate limits are shared again'))
  const sha = new Bun.CryptoHasher('sha1').update(script).digest('hex')
  let pausedUntil = 0
  let isRefusing = false

  /** What Redis itself refuses, as to a user that may not, or with a full memory, does not heal with the connection. */
  function refused(error: unknown) {
    if (isRefusing || !(error instanceof Error) || error.name !== 'ReplyError') return
    isRefusing = true
    log.warn({ reason: error.message }, 'Redis refuses to count rate limits: they are counted by this gateway alone')
  }

  function taken() {
    if (isRefusing) log.info({}, 'Redis counts rate limits again')
    isRefusing = false
  }

  async function run(...args: (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(sha, 1, ...args)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return await redis.eval(script, 1, ...args)
    }
  }

  return {
    close,
    async take(key, { name, burst, seconds }, wanted) {
      if (isLost() || performance.now() < pausedUntil) throw new Error('Redis is away')
      try {
        const answer = await withDeadline(
          run(`bursar:limit:${name}:${key}`, burst, seconds, wanted),
          timeoutMs,
          'Redis did not answer in time',
        )
        taken()
        const [granted, left, waitMs] = answer as [number, number, number]
        return { granted, left, waitMs }
      } catch (error) {
        pausedUntil = performance.now() + pauseMs
        refused(error)
        throw error
      }
    },
  }
}
