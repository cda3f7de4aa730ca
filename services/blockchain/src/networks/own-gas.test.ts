import { expect, test } from 'bun:test'
import { ownGas } from './own-gas'

test('gasLimit comes before gas; neither, or null: it is estimated', () => {
  expect(ownGas({ gas: '21000', gasLimit: '0x5300' })).toBe('0x5300')
  expect(ownGas({ gas: 21_000 })).toBe(21_000)
  expect([ownGas({}), ownGas({ gas: null }), ownGas({ gas: '21000', gasLimit: null })]).toEqual([null, null, null])
})
