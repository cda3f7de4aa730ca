import { expect, test } from 'bun:test'
import { paymentIn } from './payment-in'

const data = { transactionId: '1', type: 'DEPOSIT', status: 'PENDING', amount: '2', currency: 'USD' }

test('the payment of an event', () => expect(paymentIn({ type: 'payment.created', data })).toMatchObject(data))

test.each([null, 'text', {}, { data: null }, { data: { ...data, amount: 2 } }, { data: { jobId: '1' } }])(
  'none in %p',
  (body) => expect(paymentIn(body)).toBeNull(),
)
