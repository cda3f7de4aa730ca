import { expect, test } from 'bun:test'
import { monthPeriod, monthsUntil, monthWords } from './months'

test('a month is from its first moment until before that of the next, over the end of a year', () => {
  expect(monthPeriod('2026-02')).toEqual({ from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' })
  expect(monthPeriod('2026-12')?.to).toBe('2027-01-01T00:00:00.000Z')
  for (const wrong of ['', '2026-13', '2026-00', '26-01', '2026-1', 'x2026-01']) expect(monthPeriod(wrong)).toBeNull()
})

test('months go back from the present one, also on the last day of a long month', () => {
  expect(monthsUntil(new Date('2026-03-31T23:59:59.000Z'), 4)).toEqual(['2026-03', '2026-02', '2026-01', '2025-12'])
  expect(monthWords('2025-12')).toBe('December 2025')
})
