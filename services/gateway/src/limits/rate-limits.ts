import { createBoundedCache } from '../bounded-cache'
import { fail } from '../errors'
import { limitDetails, limitHeaders } from './limit-headers'
import type { SharedBuckets } from './redis-buckets'
import { createMemoryBuckets, type Grant, type Policy } from './token-bucket'

/** Requests reserved from the shared bucket in advance. */
interface Lease {
  left: number
  /** The remainder in the shared bucket. */
  leftThere: number
  until: number
}

/** A tenth of the burst is reserved at once, and expires soon, so that requests seldom wait for Redis. */
const share = 10
const leaseMs = 1000
const mostLeases = 50_000

/**
 * Limits that several gateways share: never more in total than the policy allows. A gateway may leave up to a tenth,
 * reserved in advance, unused for a second. Each gateway also counts by itself, and only so while Redis is unreachable,
 * so that a Redis that comes and goes, or is slow, gives nobody the limit twice.
 */
export function createRateLimits(shared: SharedBuckets, now: () => number) {
  const alone = createMemoryBuckets(now)
  const leases = createBoundedCache<Lease>(mostLeases)
  const underWay = new Map<string, Promise<Grant>>()

  function fromLease(id: string, policy: Policy): Record<string, string> | null {
    const lease = leases.get(id)
    if (!lease || lease.left < 1 || lease.until <= now()) return null
    lease.left -= 1
    return limitHeaders(policy, { left: lease.left + lease.leftThere })
  }

  /** From the own bucket and, while Redis answers, from the shared one. */
  async function takeBoth(id: string, key: string, policy: Policy, wanted: number): Promise<Grant> {
    const own = alone.take(id, policy, wanted)
    if (own.granted === 0) return own
    const grant = await shared.take(key, policy, own.granted).catch(() => own)
    alone.giveBack(id, policy, own.granted - grant.granted)
    return grant
  }

  /** Takes a lease. Concurrent requests wait for it. */
  function lease(id: string, key: string, policy: Policy): Promise<Grant> {
    const known = underWay.get(id)
    if (known) return known
    const wanted = Math.max(1, Math.floor(policy.burst / share))
    const taken = takeBoth(id, key, policy, wanted)
      .then((grant) => {
        leases.set(id, { left: grant.granted, leftThere: grant.left, until: now() + leaseMs })
        return grant
      })
      .finally(() => underWay.delete(id))
    underWay.set(id, taken)
    return taken
  }

  return {
    /** The headers for the answer. Fails (429) when the limit is reached. */
    take(key: string, policy: Policy): Record<string, string> | Promise<Record<string, string>> {
      const id = `${policy.name} ${key}`
      return fromLease(id, policy) ?? waitForLease(id, key, policy)
    },
  }

  async function waitForLease(id: string, key: string, policy: Policy): Promise<Record<string, string>> {
    for (;;) {
      const grant = await lease(id, key, policy)
      const headers = fromLease(id, policy)
      if (headers) return headers
      if (grant.granted === 0) throw fail('RATE_LIMITED', limitDetails(policy, grant, now()))
    }
  }
}
