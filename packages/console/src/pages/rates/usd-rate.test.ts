import { expect, test } from 'bun:test'
import { rateText, typedRate } from './usd-rate'

test.each([
  [1, '1', '1'],
  [64_250.5, '64,250.5', '64250.5'],
  [0.1, '0.1', '0.1'],
  [1.0725, '1.0725', '1.0725'],
  [1.23e-7, '0.000000123', '0.000000123'],
  [1e21, '1,000,000,000,000,000,000,000', '1000000000000000000000'],
  [1 / 3, '0.3333333333333333', '0.3333333333333333'],
])('%d USD are shown as %s, and typed as %s', (rate, shown, typed) => {
  expect([rateText(rate), typedRate(rate), Number(typedRate(rate))]).toEqual([shown, typed, rate])
})
