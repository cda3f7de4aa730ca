// What the blockchain service says of a transfer comes in any order and more than once: what was said last, by its time,
// holds.
import { describe, expect, test } from 'bun:test'
import { MovementReversed } from '@bursar/contracts/blockchain'
import { formatAmount } from '@bursar/money'
import fc from 'fast-check'
import { bench, deliver, eachWithChain, ledger, recorded, reverse } from './deposit-harness'
import { openMovementBench } from './movement-bench'
import { complete, screen, shortfallOf } from './steps'

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`

/**
 * Confirmed on the first day, taken back on the second, confirmed on the third, and so on for `days` days; in this order
 * of days.
 */
const told = fc.integer({ min: 1, max: 5 }).chain((days) => {
  const all = Array.from({ length: days }, (_, i) => i + 1)
  const some = fc.array(fc.constantFrom(...all), { maxLength: 4 })
  return some.chain((again) =>
    fc
      .shuffledSubarray([...all, ...again], { minLength: days + again.length })
      .map((order) => ({ isOnChain: days % 2 === 1, order })),
  )
})
const isConfirmed = (number: number) => number % 2 === 1
const runs = { numRuns: 60, seed: 20261129 }

describe('deposits', () => {
  eachWithChain()

  test('one that its chain has is credited, and no other', async () => {
    let hash = 1
    await fc.assert(
      fc.asyncProperty(told, async ({ isOnChain, order }) => {
        const txHash = `0x${(hash++).toString(16).padStart(64, '0')}`
        for (const number of order) {
          if (isConfirmed(number)) await deliver({ txHash, confirmedAt: day(number) })
          else await reverse({ txHash, confirmedAt: day(number - 1), reversedAt: day(number) })
        }
        const found = (await recorded()).find((each) => each.txHash === txHash)
        if (!found) return expect(isOnChain).toBe(false)
        await screen(ledger, found.id, true)
        expect([order, await complete(ledger, found.id)]).toEqual([order, isOnChain ? 'done' : 'held'])
      }),
      runs,
    )
    expect(await shortfallOf(ledger, bench.accountId, bench.assetId)).toBeNull()
  })

  test('one that was credited is missing while its chain does not have it', async () => {
    let hash = 1
    await fc.assert(
      fc.asyncProperty(told, async ({ isOnChain, order }) => {
        const txHash = `0x${(hash++).toString(16).padStart(64, 'a')}`
        await deliver({ txHash, confirmedAt: day(1) })
        const found = (await recorded()).find((each) => each.txHash === txHash)
        await screen(ledger, found?.id ?? '', true)
        await complete(ledger, found?.id ?? '')
        for (const number of order) {
          if (isConfirmed(number)) await deliver({ txHash, confirmedAt: day(number) })
          else await reverse({ txHash, confirmedAt: day(number - 1), reversedAt: day(number) })
        }
        const isMissing = (await shortfallOf(ledger, bench.accountId, bench.assetId)) !== null
        expect([order, isMissing]).toEqual([order, !isOnChain])
        // Nothing of it is left for the next one.
        await deliver({ txHash, confirmedAt: day(9) })
      }),
      runs,
    )
  })
})

test('a portfolio’s movement is missing while its chain does not have it', async () => {
  const books = await openMovementBench()
  await fc.assert(
    fc.asyncProperty(told, async ({ isOnChain, order }) => {
      const came = books.moved('in', '5')
      await books.deliver({ ...came, confirmedAt: day(1) })
      for (const number of order) {
        if (isConfirmed(number)) await books.deliver({ ...came, confirmedAt: day(number) })
        else await books.deliver({ ...came, confirmedAt: day(number - 1), reversedAt: day(number) }, MovementReversed)
      }
      expect([order, (await books.shortfall()) !== null]).toEqual([order, !isOnChain])
      await books.deliver({ ...came, confirmedAt: day(9) })
    }),
    runs,
  )
  await books.close()
})

test('movements of a portfolio come to the same balance in any order, told twice, and more often than it can pay', async () => {
  const books = await openMovementBench()
  let left = 100_000_000n
  const movement = fc.record({
    kind: fc.constantFrom('in', 'out', 'out', 'fee'),
    amount: fc.bigInt({ min: 1n, max: 40_000_000n }),
  })
  const story = fc
    .array(movement, { minLength: 1, maxLength: 6 })
    .chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys(), ...all.keys()], { minLength: all.length * 2 })),
    )
  await fc.assert(
    fc.asyncProperty(story, async ([all, order]) => {
      const told = all.map(({ kind, amount }) => books.moved(kind, `${amount}`))
      for (const place of order) {
        const one = told[place]
        if (one) await books.deliver(one)
      }
      for (const { kind, amount } of all) left += kind === 'in' ? amount : -amount
      const held = formatAmount(left > 0n ? left : 0n, 6)
      expect([await books.balance(), (await books.shortfall()) !== null]).toEqual([[held, '0', held], left < 0n])
      // What was not covered is, exactly, once as much comes in.
      if (left >= 50_000_000n) return
      await books.deliver(books.moved('in', `${50_000_000n - left}`))
      left = 50_000_000n
      expect([await books.balance(), await books.shortfall()]).toEqual([['50', '0', '50'], null])
    }),
    runs,
  )
  await books.close()
})
