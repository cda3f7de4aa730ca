import { expect, test } from 'bun:test'
import { nextRow } from './row-steps'

test('j and k walk the rows, and stop at both ends', () => {
  expect([nextRow(-1, 1, 3), nextRow(0, 1, 3), nextRow(2, 1, 3)]).toEqual([0, 1, 2])
  expect([nextRow(-1, -1, 3), nextRow(2, -1, 3), nextRow(0, -1, 3)]).toEqual([2, 1, 0])
  expect([nextRow(-1, 1, 0), nextRow(4, 1, 2)]).toEqual([-1, 1])
})
