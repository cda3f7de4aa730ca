import { createBoundedCache } from '../bounded-cache'

/** How much may be taken: `burst` at once, and that much again evenly over `seconds`. */
export interface Policy {
  /** In `RateLimit-Policy`. */
  readonly name: string
  readonly burst: number
  readonly seconds: number
}

/** What a bucket gave. */
export interface Grant {
  /** At most what was asked for; 0 when the bucket is empty. */
  readonly granted: number
  /** What is left, rounded down. */
  readonly left: number
  /** Until it holds one again; 0 when it does. */
  readonly waitMs: number
}

/** Token buckets, each full at first. */
export interface Buckets {
  take(key: string, policy: Policy, wanted: number): Grant
  /** Puts back what was taken and not used. */
  giveBack(key: string, policy: Policy, count: number): void
}

/** What a bucket is worth now, and after it has given. */
export function takeFrom(
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

/** More callers than that share nothing worth keeping: a forgotten bucket is a full one. */
const mostBuckets = 50_000

/** In this process' memory: what this gateway has let through by itself. */
export function createMemoryBuckets(now: () => number = Date.now): Buckets {
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
