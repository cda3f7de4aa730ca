import { expect, test } from 'bun:test'
import { readLosses, readMovements, type TransactionRecord } from './balance-changes'

interface Held {
  owner: string
  before: number
  after: number
  mint?: string
}

/** A transaction without a fee, after whose first account the token accounts follow. */
const record = (...held: Held[]): TransactionRecord => {
  const balances = (side: 'before' | 'after') =>
    held.map(({ owner, mint = 'mint', ...amounts }, i) => ({
      accountIndex: i + 1,
      mint,
      owner,
      uiTokenAmount: { amount: String(amounts[side]), decimals: 6 },
    }))
  const coins = [0n, ...held.map(() => 0n)]
  return {
    slot: 7n,
    blockTime: 0n,
    transaction: {
      signatures: ['s'],
      message: { accountKeys: ['payer', ...held.map((_, i) => `account ${i + 1}`)], instructions: [] },
    },
    meta: {
      err: null,
      fee: 0n,
      preBalances: coins,
      postBalances: coins,
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
    },
  }
}
const told = (movements: ReturnType<typeof readLosses>) =>
  movements.map(({ side, logIndex, from, to, amount }) => [side, logIndex, from, to, amount])

test('each that gave is told with what it gave, whoever is said to have paid', () => {
  const two = record(
    { owner: 'anna', before: 10, after: 0 },
    { owner: 'bert', before: 5, after: 1 },
    { owner: 'carl', before: 0, after: 14 },
  )
  expect(told(readMovements(two))).toEqual([['in', 7, 'payer', 'carl', 14n]])
  expect(told(readLosses(two))).toEqual([
    ['out', 3, 'anna', 'carl', 10n],
    ['out', 5, 'bert', 'carl', 4n],
  ])
})

test('what was burned nobody got: it went to the mint', () => {
  const burned = record({ owner: 'anna', before: 10, after: 3 })
  expect(readMovements(burned)).toEqual([])
  expect(told(readLosses(burned))).toEqual([['out', 3, 'anna', 'mint', 7n]])
})

test('what goes between the accounts of one holder has not moved; the rest has', () => {
  const own = record({ owner: 'anna', before: 10, after: 0 }, { owner: 'anna', before: 0, after: 10 })
  expect([...readMovements(own), ...readLosses(own)]).toEqual([])
  const swap = record(
    { owner: 'anna', before: 10, after: 0 },
    { owner: 'anna', before: 0, after: 15 },
    { owner: 'pool', before: 5, after: 0 },
  )
  expect(told(readMovements(swap))).toEqual([['in', 5, 'pool', 'anna', 5n]])
  expect(told(readLosses(swap))).toEqual([['out', 7, 'pool', 'anna', 5n]])
})

test('one that failed has moved nothing', () => {
  const { meta, ...rest } = record({ owner: 'anna', before: 10, after: 0 })
  const failed = { ...rest, meta: meta && { ...meta, err: 'x' } }
  expect([...readMovements(failed), ...readLosses(failed)]).toEqual([])
})
