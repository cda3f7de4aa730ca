import { expect, test } from 'bun:test'
import { createRateLimits } from './rate-limits'
import type { SharedBuckets } from './redis-buckets'
import { createMemoryBuckets, type Policy } from './token-bucket'

const start = Date.UTC(2026, 0, 1)
const login: Policy = { name: 'login', burst: 5, seconds: 300 }

/** A gateway's limits with a Redis that the test holds, and a clock. */
function limits(shared: SharedBuckets['take']) {
  const clock = { now: start }
  const { take } = createRateLimits({ take: shared, close: async () => {} }, () => clock.now)
  const passed = async (most: number, policy = login) => {
    let count = 0
    for (let n = 0; n < most; n++) {
      const isTaken = await Promise.resolve(take('address:1', policy)).then(
        () => true,
        () => false,
      )
      if (isTaken) count += 1
    }
    return count
  }
  return { clock, passed }
}
const ofRedis = () => createMemoryBuckets(() => start).take
const away = () => Promise.reject(new Error('Redis is away'))

test('a Redis that comes and goes gives nobody the limit twice', async () => {
  const redis = ofRedis()
  let calls = 0
  const { passed } = limits((...args) => (calls++ % 2 === 0 ? Promise.resolve(redis(...args)) : away()))
  expect(await passed(20)).toBe(5)
})

test('nor does a Redis that counts a request and answers too late', async () => {
  const redis = ofRedis()
  const { passed } = limits((...args) => {
    redis(...args)
    return away()
  })
  expect(await passed(20)).toBe(5)
})

test('a limit that other gateways used up is refused, and leaves the local bucket unchanged', async () => {
  let isUsedUp = true
  const { passed } = limits(async () => ({ granted: isUsedUp ? 0 : 1, left: 0, waitMs: 1000 }))
  expect(await passed(50)).toBe(0)
  isUsedUp = false
  expect(await passed(20)).toBe(5)
})

test('of a lease that Redis grants in part, that part is used', async () => {
  const { passed, clock } = limits(async (_key, _policy, wanted) => ({ granted: wanted - 1, left: 0, waitMs: 1000 }))
  // A tenth of the burst at a time, of which one is missing.
  expect(await passed(1000, { name: 'requests', burst: 20, seconds: 1 })).toBeLessThanOrEqual(20)
  clock.now += 1000
  expect(await passed(1, { name: 'requests', burst: 20, seconds: 1 })).toBe(1)
})

test('refilled tokens are granted again', async () => {
  const { passed, clock } = limits(away)
  expect(await passed(20)).toBe(5)
  clock.now += 60_000
  expect(await passed(20)).toBe(1)
})
