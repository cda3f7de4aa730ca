import { expect, test } from 'bun:test'
import type { LogMessage } from './log-query'
import { wordsOf } from './message-words'

const words = (event_type: string, metadata: Record<string, unknown>) =>
  Object.values(wordsOf({ event_type, metadata } as LogMessage))

test('a message in words', () => {
  const reject = { action: 'review_rejected', amount: '0.199', asset_code: 'BTC', detail: 'Source not shown' }
  expect(words('TRANSACTION_CANCELLED', reject)).toEqual([
    'Transaction',
    'review rejected',
    '0.199 BTC · Source not shown',
  ])
  const large = { action: 'created', amount: '3980000.25', asset_code: 'USDC' }
  expect(words('TRANSACTION_CREATED', large)).toEqual(['Transaction', 'created', '3,980,000.25 USDC'])
  const rate = { rate: 97250.5, currency: 'USD', asset_code: 'BTC', asset_id: 'x', providers: ['kraken'] }
  expect(words('VALUATION_PROCESSED', rate)).toEqual(['Valuation processed', '', 'BTC 97250.5 USD'])
  expect(words('VALUATION_REQUESTED', { asset_code: 'BTC' })).toEqual(['Valuation requested', '', 'BTC'])
})

test('other facts, where there is no amount and no reason', () => {
  const id = '01a1f2eb-db0b-776d-a495-fe0c65f5e456'
  expect(words('WALLET_CREATED', { wallet_id: id, network: 'polygon', deep: { a: 1 }, note: null })).toEqual([
    'Wallet created',
    '',
    'wallet 01a1f2eb…e456 · network polygon',
  ])
  expect(words('WALLET_TRANSACTION', { wallet_status: 'broadcast', transaction_id: id })[1]).toBe('broadcast')
  expect(words('ERROR_OCCURRED', { action: 'sanctions_hit' })).toEqual(['Error occurred', 'sanctions hit', ''])
  expect(words('HEALTH_CHECK', {})).toEqual(['Health check', '', ''])
})
