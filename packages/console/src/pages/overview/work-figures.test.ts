import { expect, test } from 'bun:test'
import { oldestWork } from './oldest-work'
import { inStatus } from './work-figures'

const of = (status: 'FROZEN' | 'PENDING', count: number, oldestAt: string) => ({ status, count, oldestAt })

test('the oldest of all types in a status counts', () => {
  const counts = [
    of('FROZEN', 3, '2026-11-20T10:00:00.000Z'),
    of('FROZEN', 2, '2026-11-19T10:00:00.000Z'),
    of('PENDING', 9, '2026-11-01T10:00:00.000Z'),
  ]
  expect(inStatus(counts, 'FROZEN')).toEqual({ count: 5, oldestAt: '2026-11-19T10:00:00.000Z' })
  expect(inStatus(counts, 'FAILED')).toEqual({ count: 0, oldestAt: null })
})

test('the three that wait longest, whatever they wait for', () => {
  const frozen = ['04', '02', '05'].map((day) => ({ id: `f${day}`, createdAt: `2026-11-${day}T10:00:00.000Z` }))
  const stuck = ['03', '01'].map((day) => ({ id: `s${day}`, queuedAt: `2026-11-${day}T10:00:00.000Z` }))
  const items = oldestWork({ frozen, stuck } as never)
  expect(items.map(({ id, is }) => `${id} ${is}`)).toEqual(['s01 stuck', 'f02 frozen', 's03 stuck'])
})
