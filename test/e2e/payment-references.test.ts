// A deposit is approved, completed and rejected by its reference in a path, and callers choose it.
import { expect, test } from 'bun:test'
import { fieldProblems } from '@bursar/http'
import { targetOf } from '../../services/gateway/src/front/target'
import { NewDeposit } from '../../services/transaction-manager/src/payments/requests.model'

const order = { amount: '1', currency: 'USD', participantBankId: 'bank' }
const isTaken = (reference: string): boolean => fieldProblems(NewDeposit, { ...order, reference }).length === 0

/** The reference that the service reads when an operator asks the gateway for its path. */
const readBack = (reference: string): string => {
  const target = targetOf(`http://localhost/transactions/v1/deposit/${encodeURIComponent(reference)}`)
  return decodeURIComponent(target?.path.replace('/deposit/', '') ?? '')
}

const parts = ['/', '\\', '.', '..', '%2F', '%', ' ', '#', '?', 'internal', 'a', '7']
const joined = (most: number): string[] =>
  most === 0 ? [''] : joined(most - 1).flatMap((text) => [text, ...parts.map((part) => text + part)])

test('the gateway passes on the path of every reference that a deposit may have', () => {
  const taken = [...new Set(joined(4))].filter(isTaken)
  expect(taken.length).toBeGreaterThan(1000)
  for (const reference of taken) expect(readBack(reference)).toBe(reference)
})

test.each(['INV/7', 'INV\\7', 'a b/c.d', '..7', '7..', '.7/8.'])('%s is one', (reference) => {
  expect(isTaken(reference)).toBe(true)
})
