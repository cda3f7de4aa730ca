import { expect, test } from 'bun:test'
import { commonMoves, movesOf } from './moves-of'
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
