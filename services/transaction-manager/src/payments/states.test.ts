import { describe, expect, test } from 'bun:test'
import { creditEffects, moves, type PaymentStatus, type PaymentType, statuses, types } from './states'

// Written by hand from decisions (Transaction manager states), not derived from the table.
const final: PaymentStatus[] = ['COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED']
const incoming: PaymentType[] = ['DEPOSIT', 'DO_DEPOSIT', 'INTERNAL_DEPOSIT']

const reachableFrom = (type: PaymentType, from: PaymentStatus, seen = new Set<PaymentStatus>([from])) => {
  for (const to of moves[type][from]) {
    if (seen.has(to)) continue
    seen.add(to)
    reachableFrom(type, to, seen)
  }
  return seen
}

describe.each([...types])('the states of a %s', (type) => {
  test('are all reached, and end', () => {
    expect([...reachableFrom(type, 'PENDING')].sort()).toEqual([...statuses].sort())
    for (const status of statuses) {
      expect([status, moves[type][status].length === 0]).toEqual([status, final.includes(status)])
      expect(final.some((end) => reachableFrom(type, status).has(end))).toBe(true)
    }
  })

  test('never go back', () => {
    for (const status of statuses) {
      const later = new Set(moves[type][status].flatMap((to) => [...reachableFrom(type, to)]))
      expect([status, later.has(status)]).toEqual([status, false])
    }
  })

  test('let a payment be cancelled and rejected before it is carried out, never after', () => {
    const may = (to: PaymentStatus) => statuses.filter((status) => moves[type][status].includes(to))
    expect(may('CANCELLED')).toEqual(['PENDING', 'IN_REVIEW', 'APPROVED'])
    expect(may('REJECTED')).toEqual(['PENDING', 'IN_REVIEW'])
  })

  test('complete without approval only for incoming money', () => {
    expect(moves[type].PENDING.includes('COMPLETED')).toBe(incoming.includes(type))
    expect(moves[type].IN_REVIEW.includes('COMPLETED')).toBe(false)
    expect(moves[type].APPROVED.includes('COMPLETED')).toBe(incoming.includes(type))
  })
})

test('ended payments leave nothing reserved', () => {
  expect(Object.keys(creditEffects).sort()).toEqual([...final].sort())
})
