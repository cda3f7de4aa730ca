import { expect, test } from 'bun:test'
import { getAddress, type TransactionReceipt } from 'viem'
import { feeOf } from './receipts'

const from = '0xa11ce00000000000000000000000000000000001'
const receipt = (fields: object) =>
  ({ from, gasUsed: 21_000n, effectiveGasPrice: 7n, ...fields }) as unknown as TransactionReceipt

test.each([
  ['on a network of its own', {}, 147_000n],
  ['with what a rollup has paid below', { l1Fee: '0x10' }, 147_016n],
  ['where that is said to be nothing', { l1Fee: null }, 147_000n],
])('what a transaction cost %s', (_what, fields, amount) => {
  expect(feeOf(receipt(fields))).toEqual({ payer: getAddress(from), amount })
})
