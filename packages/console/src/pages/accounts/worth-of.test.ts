import { expect, test } from 'bun:test'
import { worthOf } from './worth-of'

test('the worth is of what has a rate', () => {
  expect([
    worthOf([]),
    worthOf([{ usdValue: null }]),
    worthOf([{ usdValue: 2 }, { usdValue: null }, { usdValue: 0.5 }]),
  ]).toEqual([null, null, 2.5])
})
