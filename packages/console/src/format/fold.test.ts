import { expect, test } from 'bun:test'
import { folds } from './fold'

test('a part of a text is found in any case; nothing typed is found everywhere', () => {
  expect(folds(' HARB ', [null, 'New harbour'])).toBe(true)
  expect(folds('harb', ['Main', null])).toBe(false)
  expect(folds(' ', [])).toBe(true)
  expect(folds('x', [])).toBe(false)
})
