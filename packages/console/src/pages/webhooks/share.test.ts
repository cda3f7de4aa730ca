import { expect, test } from 'bun:test'
import { shareOf } from './share'

test('what is not all is never called all, nor none', () => {
  expect([shareOf(3, 3), shareOf(999, 1000), shareOf(1, 1000), shareOf(0, 3), shareOf(2, 3)]).toEqual([
    '100 %',
    '99.9 %',
    '0.1 %',
    '0 %',
    '67 %',
  ])
})
