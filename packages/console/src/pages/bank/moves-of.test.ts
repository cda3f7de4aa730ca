import { expect, test } from 'bun:test'
import { commonMoves, movesOf, ownMovesOf } from './moves-of'
import type { Payment } from './payment'

const payment = (type: Payment['type'], status: Payment['status']) => ({ type, status }) as Payment

test('a deposit is completed when the wire arrives; a withdrawal is approved first', () => {
  expect(movesOf(payment('DEPOSIT', 'PENDING'))).toContain('COMPLETED')
  expect(movesOf(payment('WITHDRAWAL', 'PENDING'))).not.toContain('COMPLETED')
  expect(movesOf(payment('TRANSFER', 'REJECTED'))).toEqual([])
})

test('many can become what each of them can', () => {
  const of = [payment('DEPOSIT', 'APPROVED'), payment('TRANSFER', 'APPROVED')]
  expect(commonMoves(of)).toEqual(['PROCESSING', 'CANCELLED', 'FAILED'])
  expect(commonMoves([...of, payment('TRANSFER', 'PROCESSING')])).toEqual(['FAILED'])
  expect(commonMoves([...of, payment('TRANSFER', 'COMPLETED')])).toEqual([])
  expect(commonMoves([])).toEqual([])
})

test('a participant takes back its own transfer while it can be cancelled, and does nothing else', () => {
  const from = { participantId: 'own' } as Payment['from']
  const own = { ...payment('TRANSFER', 'PENDING'), from }
  expect(ownMovesOf(own, 'own')).toEqual(['CANCELLED'])
  expect(ownMovesOf({ ...own, status: 'COMPLETED' }, 'own')).toEqual([])
  expect(ownMovesOf(own, 'other')).toEqual([])
  expect(ownMovesOf({ ...own, type: 'WITHDRAWAL' }, 'own')).toEqual([])
  expect(ownMovesOf({ ...own, from: null }, '')).toEqual([])
})
