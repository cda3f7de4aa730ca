import { expect, test } from 'bun:test'
import { possibleDecisions } from './possible-decisions'

test.each([
  ['FROZEN', {}, ['reject', 'approve']],
  ['FROZEN', { type: 'WITHDRAWAL', returns: 'deposit' }, ['reject']],
  ['APPROVED', {}, ['fail', 'retry']],
  ['REJECTED', {}, ['return', 'release']],
  ['FAILED', {}, ['return', 'release']],
  ['FAILED', { returnedBy: 'withdrawal' }, []],
  ['FAILED', { type: 'WITHDRAWAL' }, []],
  ['COMPLETED', {}, []],
  ['PENDING', {}, []],
  ['COMPLETED', { takenBack: true }, ['cover']],
  ['FAILED', { returnedBy: 'withdrawal', takenBack: true }, ['cover']],
  ['FAILED', { type: 'WITHDRAWAL', returns: 'deposit', unbookedPayment: true }, ['cover']],
  ['COMPLETED', { type: 'WITHDRAWAL', returns: 'deposit', unbookedPayment: true }, ['cover']],
] as const)('of one that is %s (%p): %p', (status, more, decisions) => {
  expect(possibleDecisions({ type: 'DEPOSIT', status, ...more })).toEqual(decisions)
})
