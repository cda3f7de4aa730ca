import { expect, test } from 'bun:test'
import { reopenDelayMs, withLastEvent } from './stream-resume'

test('a refused stream is asked for again ever more slowly', () => {
  expect([0, 1, 2, 4, 5, 20].map(reopenDelayMs)).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
})

test('a stream goes on after its last event', () => {
  expect(withLastEvent('/s', '')).toBe('/s')
  expect([withLastEvent('/s', 'a/b'), withLastEvent('/s?x=1', '7')]).toEqual([
    '/s?lastEventId=a%2Fb',
    '/s?x=1&lastEventId=7',
  ])
})
