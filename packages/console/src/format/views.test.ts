import { expect, test } from 'bun:test'
import { isSameQuery } from './views'

test('a view is the present one in whatever order its filters stand', () => {
  expect(isSameQuery('?status=FROZEN&from=7d', 'from=7d&status=FROZEN')).toBe(true)
  expect(isSameQuery('', '?')).toBe(true)
  expect(isSameQuery('status=FROZEN', 'status=FROZEN&from=7d')).toBe(false)
})
