import { expect, test } from 'bun:test'
import { parseTransfers } from './parse-transfers'

const [one, two] = ['01a201f6-433d-76f7-bf9e-081b1cf7e7e9', '01A201F6-43AE-7122-8DB0-6F8523191F80']
const common = { fromParticipantBankId: one, toParticipantBankId: two }

test('reads lines parted by commas, semicolons and tabs; passes over heads and empty lines', () => {
  const text = `from,to,amount,currency\n${one}, ${two}, 10.50, usd, INV-1\n\n${one};${two};7;JPY\r\n${one}\t${two}\t0.1\tEUR\t`
  expect(parseTransfers(text)).toEqual({
    transfers: [
      { ...common, amount: '10.50', currency: 'USD', reference: 'INV-1' },
      { ...common, amount: '7', currency: 'JPY' },
      { ...common, amount: '0.1', currency: 'EUR' },
    ],
    problems: [],
  })
})

test.each([
  ['x, y, 1, USD', 'Line 1: the first value must be the id of the account that pays'],
  [`${one}, y, 1, USD`, 'Line 1: the second value must be the id of the account that receives'],
  [`${one}, ${two}, 1e3, USD`, 'Line 1: the third value must be an amount, such as 1250.50'],
  [`${one}, ${two}, 1.000,50, EUR`, 'Line 1: the fourth value must be a currency, such as USD'],
  [`${one}, ${two}, 1, USD, a, b`, 'Line 1: there are more than five values'],
])('%j is refused', (text, problem) => {
  expect(parseTransfers(text)).toEqual({ transfers: [], problems: [problem] })
})

test('takes no more than the service does', () => {
  const text = `${one},${two},1,USD\n`.repeat(101)
  expect(parseTransfers(text).problems).toEqual(['There are more than 100 transfers'])
})
