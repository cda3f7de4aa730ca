// What the blockchain service says of a transfer comes in any order and more than once: what was said last, by its time,
// holds.
import { describe, expect, test } from 'bun:test'
import { type ConfirmedDeposit, MovementReversed } from '@bursar/contracts/blockchain'
import { formatAmount } from '@bursar/money'
import { eq } from '@bursar/store'
import fc from 'fast-check'
import { retryUnmatched } from '../src/deposits/deposits.consumer'
import { unmatchedDeposits } from '../src/deposits/unmatched-deposits.table'
import { bench, deliver, eachWithChain, ledger, recorded, reverse } from './deposit-harness'
import { openMovementBench } from './movement-bench'
import { complete, makeAsset, screen, shortfallOf } from './steps'

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

/** The same with events that were lost, the last one never. It comes back with another amount each time. */
const lossy = fc.integer({ min: 1, max: 5 }).chain((days) => {
  const before = fc.subarray(Array.from({ length: days - 1 }, (_, i) => i + 1))
  return before
    .chain((some) => fc.shuffledSubarray([...some, ...some, days, days], { minLength: some.length * 2 + 2 }))
    .map((order) => ({ isOnChain: days % 2 === 1, days, order }))
})
const amountOn = (number: number) => `${1_500_000 + number}`
const unknown = '0x00000000000000000000000000000000000000bb'

/** Tells what happened on a day. */
async function say(number: number, fields: Partial<ConfirmedDeposit>): Promise<void> {
  if (isConfirmed(number)) await deliver({ ...fields, amount: amountOn(number), confirmedAt: day(number) })
  else {
    const confirmedAt = day(number - 1)
    await reverse({ ...fields, amount: amountOn(number - 1), confirmedAt, reversedAt: day(number) })
  }
}

/** The amounts that are set aside under an id. */
const asideOf = async (id: string) =>
  (await ledger.store.read.select().from(unmatchedDeposits).where(eq(unmatchedDeposits.id, id))).map(
    ({ deposit }) => deposit.amount,
  )

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

  test('what is set aside is what its chain has last, with its last amount', async () => {
    let hash = 1
    await fc.assert(
      fc.asyncProperty(lossy, async ({ isOnChain, days, order }) => {
        const place = { txHash: `0x${(hash++).toString(16).padStart(64, 'b')}`, id: Bun.randomUUIDv7() }
        for (const number of order) await say(number, { ...place, contractAddress: unknown })
        expect([order, await asideOf(place.id)]).toEqual([order, isOnChain ? [amountOn(days)] : []])
      }),
      runs,
    )
    const assetId = await makeAsset(ledger, { address: unknown })
    await retryUnmatched(ledger.deps, new Date(Date.now() + 120_000))
    const aside = await ledger.store.read.select().from(unmatchedDeposits)
    expect([aside, (await recorded()).every((each) => each.assetId === assetId)]).toEqual([[], true])
  })

  test('one is credited with what its chain has last, or waits for a person', async () => {
    let hash = 1
    await fc.assert(
      fc.asyncProperty(lossy, async ({ isOnChain, days, order }) => {
        const place = { txHash: `0x${(hash++).toString(16).padStart(64, 'c')}`, id: Bun.randomUUIDv7() }
        for (const number of order) await say(number, place)
        const found = (await recorded()).find((each) => each.txHash === place.txHash)
        if (!found) return expect([order, isOnChain]).toEqual([order, false])
        const isSame = isOnChain && found.amount === formatAmount(BigInt(amountOn(days)), 6)
        await screen(ledger, found.id, true)
        const ends = [await complete(ledger, found.id), await asideOf(place.id)]
        expect([order, ends]).toEqual([order, [isSame ? 'done' : 'held', isOnChain && !isSame ? [amountOn(days)] : []]])
      }),
      runs,
    )
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
