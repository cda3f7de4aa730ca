import { expect, test } from 'bun:test'
import { moneyText } from './money-text'

test.each([
  ['75.5', 'USD', '75.50'],
  ['120', 'USD', '120.00'],
  ['0.05', 'EUR', '0.05'],
  ['12345678901234567890123456', 'USD', '12345678901234567890123456.00'],
  ['3', 'JPY', '3'],
  ['9.5', 'KWD', '9.500'],
  ['-2.5', 'USD', '-2.50'],
  // More digits than the currency has are kept; an asset is no currency.
  ['1.23456', 'USD', '1.23456'],
  ['1.5', 'USDC', '1.5'],
  ['1', 'BTC', '1'],
])('%s %s: %s', (amount, currency, text) => expect(moneyText(amount, currency)).toBe(text))
