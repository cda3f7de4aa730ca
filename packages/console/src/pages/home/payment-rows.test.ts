import { expect, test } from 'bun:test'
import { isUnderWay, type PaymentEvent, paymentRows } from './payment-rows'

const own = 'own'
const event = (at: number, transactionId: string, status: string, more: object = {}): PaymentEvent => ({
  id: `${transactionId}-${at}`,
  type: 'transaction.status_updated',
  timestamp: `2026-11-23T10:00:0${at}.000Z`,
  data: {
    transactionId,
    type: 'WITHDRAWAL',
    status,
    amount: '1.5',
    currency: 'USDC',
    fromParticipant: own,
    toParticipant: null,
    ...more,
  },
})

test('a payment is shown once, as its newest event has left it; the last changed comes first', () => {
  const events = [event(1, 'a', 'PENDING'), event(2, 'b', 'PENDING'), event(3, 'a', 'COMPLETED')]
  const rows = paymentRows(events, own)
  expect(rows.map(({ id, status, at }) => [id, status, at])).toEqual([
    ['a', 'COMPLETED', '2026-11-23T10:00:03.000Z'],
    ['b', 'PENDING', '2026-11-23T10:00:02.000Z'],
  ])
  expect(rows.map(isUnderWay)).toEqual([false, true])
})

test('the direction is as the institution sees it', () => {
  const directions = [
    event(1, 'paid', 'PENDING'),
    event(2, 'received', 'PENDING', { fromParticipant: 'other', toParticipant: own }),
    event(3, 'deposited', 'PENDING', { fromParticipant: null, toParticipant: own }),
    event(4, 'moved', 'PENDING', { toParticipant: own }),
  ]
  expect(paymentRows(directions, own).map(({ id, direction }) => [id, direction])).toEqual([
    ['moved', 'within'],
    ['deposited', 'in'],
    ['received', 'in'],
    ['paid', 'out'],
  ])
})
