import { expect, test } from 'bun:test'
import { barsOf } from './bars-of'

test('up for more than nothing, down for less, from one line', () => {
  expect(barsOf([30, -10, 0])).toEqual({
    zero: 75,
    bars: [
      { y: 0, height: 75 },
      { y: 75, height: 25 },
      { y: 74, height: 1 },
    ],
  })
})

test('where nothing is more, all stand on the ground', () => {
  expect(barsOf([-20, -5])).toEqual({
    zero: 100,
    bars: [
      { y: 0, height: 100 },
      { y: 75, height: 25 },
    ],
  })
  expect(barsOf([0])).toEqual({ zero: 100, bars: [{ y: 99, height: 1 }] })
  expect(barsOf([])).toEqual({ zero: 100, bars: [] })
})
