import { createBoundedCache } from '../bounded-cache'

/** A limit: `burst` at once, refilled evenly over `seconds`. */
export interface Policy {
  /** The name in `RateLimit-Policy`. */
  readonly name: string
  readonly burst: number
  readonly seconds: number
}

/** The result of taking from a bucket. */
export interface Grant {
  /** At most the requested number; 0 when the bucket is empty. */
  readonly granted: number
  /** The remainder, rounded down. */
  readonly left: number
  /** The time until it has one again; 0 if it has. */
  readonly waitMs: number
}

/** Token buckets, each full at first. */
interface Buckets {
  take(key: string, policy: Policy, wanted: number): Grant
  /** Returns unused tokens. */
  giveBack(key: string, policy: Policy, count: number): void
}

/** The state of a bucket now, and after taking. */
function takeFrom(
  bucket: { tokens: number; at: number } | undefined,
  { burst, seconds }: Policy,
  wanted: number,
  nowMs: number,
): { tokens: number; at: number } & Grant {
  const perMs = burst / seconds / 1000
  const refilled = bucket ? Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.at) * perMs) : burst
  const granted = Math.min(wanted, Math.floor(refilled))
  const tokens = refilled - granted
  return {
    tokens,
    at: nowMs,
    granted,
    left: Math.floor(tokens),
    waitMs: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs),
  }
}

/** Beyond this number buckets are dropped: a dropped bucket is a full one. */
const mostBuckets = 50_000

/** In this process' memory: counts the requests of this gateway only. */
export function createMemoryBuckets(now: () => number): Buckets {
  const buckets = createBoundedCache<{ tokens: number; at: number }>(mostBuckets)
  return {
    take(key, policy, wanted) {
      const { tokens, at, ...grant } = takeFrom(buckets.get(key), policy, wanted, now())
      buckets.set(key, { tokens, at })
      return grant
    },
    giveBack(key, { burst }, count) {
      const bucket = buckets.get(key)
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + count)
    },
  }
}
