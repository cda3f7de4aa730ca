import { expect, test } from 'bun:test'
import { counted, shorten, toWords } from './words'

test('names become words', () => {
  expect(['PENDING_REVIEW', 'credit-line', 'webhookDelivery', 'FROZEN', ''].map(toWords)).toEqual([
    'Pending review',
    'Credit line',
    'Webhook delivery',
    'Frozen',
    '',
  ])
})

test('what is long keeps its beginning and its end', () => {
  expect(shorten('01a1f2eb-db0b-776d-a495-fe0c65f5e456')).toBe('01a1f2eb…e456')
  expect([shorten('0123456789abc'), shorten('0123456789abcd')]).toEqual(['0123456789abc', '01234567…abcd'])
})

test('things are counted', () => {
  expect([counted(1, 'row'), counted(0, 'row'), counted(1200, 'entry', 'entries')]).toEqual([
    '1 row',
    '0 rows',
    '1,200 entries',
  ])
})
