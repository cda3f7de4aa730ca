import { expect, test } from 'bun:test'
import { byCause, causeOf } from './stuck-cause'

test.each([
  ['Account 01a204fb-e46c-72d7-97a9-2cc7f528ad09 is suspended; only active accounts can be used', 'not active'],
  ['The institution of account x is PAUSED; only accounts of active institutions can be used', 'not active'],
  ['network bitcoin is not configured', 'network unknown'],
  ['insufficient funds: 0x1 holds 3 USDC, and 10 is to be sent', 'no coins'],
  ['The wallet service failed or cannot be reached; repeat the request in a moment', 'silent'],
  [null, 'unconfirmed'],
])('%s: %s', (reason, key) => expect(causeOf(reason, 'APPROVED').key).toBe(key))

test('what the wallet has paid after all is settled by hand, whatever else is said', () => {
  expect(causeOf('insufficient funds', 'FAILED').key).toBe('paid after all')
})

test('reasons that differ by ids alone are one cause, in their own words', () => {
  const [one, other] = [causeOf('Order 12 of 0xab is odd', 'APPROVED'), causeOf('Order 7 of 0xcd is odd', 'APPROVED')]
  expect([one.key === other.key, one.title]).toEqual([true, 'Order 12 of 0xab is odd'])
})

test('those of one cause stand together', () => {
  const rows = ['a', 'b', 'a'].map((reason, id) => ({ id, reason, status: 'APPROVED' as const }))
  expect(byCause(rows).map(({ id }) => id)).toEqual([0, 2, 1])
})
