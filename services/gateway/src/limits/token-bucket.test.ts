import { expect, test } from 'bun:test'
import { createMemoryBuckets } from './token-bucket'

const policy = { name: 'requests', burst: 5, seconds: 1 }

test('a bucket never holds more than its burst, whatever time passes and whatever is returned', () => {
  let now = 0
  const buckets = createMemoryBuckets(() => now)
  expect(buckets.take('a', policy, 3).granted).toBe(3)
  now = 3_600_000
  expect(buckets.take('a', policy, 100)).toMatchObject({ granted: 5, left: 0 })
  buckets.giveBack('a', policy, 100)
  expect(buckets.take('a', policy, 100).granted).toBe(5)
})

test('a clock that goes back refills nothing', () => {
  let now = 10_000
  const buckets = createMemoryBuckets(() => now)
  expect(buckets.take('a', policy, 5).granted).toBe(5)
  now = 0
  expect(buckets.take('a', policy, 1).granted).toBe(0)
})
