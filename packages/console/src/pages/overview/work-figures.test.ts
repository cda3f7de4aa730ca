import { expect, test } from 'bun:test'
import { inStatus } from './work-figures'

const of = (type: string, status: string, count: number, oldestAt: string | null, oldestId: string | null) => ({
  type,
  status,
  count,
  oldestAt,
  oldestId,
})

test('the oldest of all types in a status counts', () => {
  const counts = [
    of('DEPOSIT', 'FROZEN', 3, '2026-11-20T10:00:00.000Z', 'b'),
    of('WITHDRAWAL', 'FROZEN', 2, '2026-11-19T10:00:00.000Z', 'a'),
    of('TRANSFER', 'FROZEN', 0, null, null),
    of('DEPOSIT', 'PENDING', 9, '2026-11-01T10:00:00.000Z', 'c'),
  ]
  expect(inStatus(counts, 'FROZEN')).toEqual({ count: 5, oldestAt: '2026-11-19T10:00:00.000Z', oldestId: 'a' })
  expect(inStatus(counts, 'FAILED')).toEqual({ count: 0, oldestAt: null, oldestId: null })
})
