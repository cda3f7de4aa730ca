import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compactSums } from './compact-sums'

const sum = fc.oneof(
  fc.bigInt(-(2n ** 64n), 2n ** 64n),
  fc.bigInt(-(2n ** 130n), 2n ** 130n),
  fc.constantFrom(
    0n,
    -1n,
    2n ** 63n,
    2n ** 64n - 1n,
    -(2n ** 63n),
    2n ** 127n,
    2n ** 127n - 1n,
    -(2n ** 127n),
    10n ** 76n,
  ),
)

test('keeps two sums for each key, however large, as a Map does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40), fc.constantFrom(0, 1), sum), { maxLength: 200 }), (writes) => {
      const sums = compactSums()
      const model = new Map<string, bigint>()
      for (const [key, part, value] of writes) {
        sums.set(sums.rowOf(`key ${key}`), part as 0 | 1, value)
        model.set(`${key} ${part}`, value)
      }
      for (let key = 0; key <= 40; key++) {
        const row = sums.find(`key ${key}`)
        const known = [0, 1].some((part) => model.has(`${key} ${part}`))
        expect(row >= 0).toBe(known)
        for (const part of [0, 1] as const)
          if (known) expect(sums.get(row, part)).toBe(model.get(`${key} ${part}`) ?? 0n)
      }
    }),
  )
})

test('a million keys take less than 60 MB, and all are found', () => {
  const sums = compactSums()
  Bun.gc(true)
  const before = process.memoryUsage()
  const key = (i: number) => `account-${i} asset`
  for (let i = 0; i < 1_000_000; i++) sums.set(sums.rowOf(key(i)), 0, BigInt(i) * 10n ** 18n)
  Bun.gc(true)
  const after = process.memoryUsage()
  const taken = after.arrayBuffers - before.arrayBuffers + (after.heapUsed - before.heapUsed)
  expect(taken / 2 ** 20).toBeLessThan(60)
  expect(sums.size()).toBe(1_000_000)
  for (let i = 0; i < 1_000_000; i += 997) expect(sums.get(sums.find(key(i)), 0)).toBe(BigInt(i) * 10n ** 18n)
  expect(sums.find(key(1_000_000))).toBe(-1)
})
