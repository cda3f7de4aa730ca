import { expect, test } from 'bun:test'
import { currencyDecimals } from './currency'

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['XOF', 0],
])('%s has %d decimals', (code, decimals) => expect(currencyDecimals(code)).toBe(decimals))

test.each(['usd', 'US', 'USDX', 'ZZZ', 'XAU', 'XTS', 'XDR', 'X' + 'XX', '', 'constructor', 'U$D'])(
  'nothing is paid in %p',
  (code) => expect(currencyDecimals(code)).toBeNull(),
)
