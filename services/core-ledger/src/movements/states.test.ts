import { describe, expect, test } from 'bun:test'
import { sidesOf } from '../ledger/ledger-accounts'
import { entries, entriesUntil, moves, statuses, transactionTypes } from './states'

describe('the state machine', () => {
  test('has the moves of the specification, and no others', () => {
    const all = statuses.flatMap((from) => Object.keys(moves[from]).map((to) => `${from} → ${to}`))
    expect(all).toEqual([
      'PENDING → APPROVED',
      'PENDING → FROZEN',
      'FROZEN → APPROVED',
      'FROZEN → REJECTED',
      'APPROVED → COMPLETED',
      'APPROVED → FAILED',
      'APPROVED → FROZEN',
      'REJECTED → COMPLETED',
      'FAILED → COMPLETED',
    ])
  })

  test('freezes again, and releases from suspense, what it is for alone', () => {
    const bound = statuses.flatMap((from) =>
      Object.entries(moves[from]).flatMap(([to, { only }]) => (only ? `${from} → ${to}: ${only}` : [])),
    )
    expect(bound).toEqual([
      'APPROVED → FROZEN: WITHDRAWAL',
      'REJECTED → COMPLETED: DEPOSIT',
      'FAILED → COMPLETED: DEPOSIT',
    ])
  })

  const kinds = [
    ...transactionTypes.map((type) => ({ type, returns: null })),
    { type: 'WITHDRAWAL', returns: 'd' },
  ] as const
  test.each(kinds)('whatever becomes of a $type ($returns returned), its entries leave nothing held', (posted) => {
    const { type } = posted
    const of = { type, accountId: 'a', toAccountId: 'b', network: 'n' }
    for (const status of statuses) {
      const sums = new Map<string, number>()
      for (const kind of entriesUntil(posted, status)) {
        const { debit, credit } = sidesOf[kind](of)
        sums.set(debit, (sums.get(debit) ?? 0) - 1)
        sums.set(credit, (sums.get(credit) ?? 0) + 1)
      }
      const isOver = Object.values(moves[status]).every(({ only = type }) => only !== type)
      expect([...sums.values()].reduce((a, b) => a + b, 0)).toBe(0)
      if (isOver) expect([sums.get('frozen:a') ?? 0, sums.get('returning:n') ?? 0]).toEqual([0, 0])
      if (status === 'REJECTED' || status === 'FAILED') expect(sums.get('available:a') ?? 0).toBe(0)
    }
  })

  test('every status but the first is entered with its own entry at most', () => {
    expect(entries.DEPOSIT).toEqual({ PENDING: 'arrival', COMPLETED: 'credit' })
    expect(entriesUntil({ type: 'WITHDRAWAL', returns: null }, 'APPROVED')).toEqual(['hold'])
    expect(entriesUntil({ type: 'TRANSFER', returns: null }, 'COMPLETED')).toEqual(['hold', 'delivery'])
    expect(entriesUntil({ type: 'DEPOSIT', returns: null }, 'REJECTED')).toEqual(['arrival'])
    const back = { type: 'WITHDRAWAL', returns: 'd' } as const
    expect(entriesUntil(back, 'APPROVED')).toEqual(['return-hold'])
    expect(entriesUntil(back, 'COMPLETED')).toEqual(['return-hold', 'return'])
    expect(entriesUntil(back, 'FAILED')).toEqual(['return-hold', 'return-release'])
  })
})
