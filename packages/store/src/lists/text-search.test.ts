import { expect, test } from 'bun:test'
import { anywhere, folded } from './text-search'

test('case does not count, in any alphabet', () => {
  expect(folded('ÖSTERREICH Coin')).toBe(folded('österreich coin'))
})

test('wildcards in the text mean themselves', () => {
  expect(anywhere('50%_\\')).toBe('%50\\%\\_\\\\%')
})
