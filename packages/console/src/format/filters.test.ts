import { describe, expect, test } from 'bun:test'
import { filtersOf, givenFilters, withFilter } from './filters'

describe('filters in the URL', () => {
  test('are read by their names; others do not count', () => {
    expect(filtersOf(['status', 'q'], { status: 'FROZEN', page: '2' })).toEqual({ status: 'FROZEN', q: '' })
  })

  test('are changed one by one, and left out when they are empty', () => {
    expect(withFilter('/console/transactions', { status: 'FROZEN' })).toBe('/console/transactions?status=FROZEN')
    expect(withFilter('/console/transactions?status=FROZEN&q=a', { q: 'INV 1&2' })).toBe(
      '/console/transactions?status=FROZEN&q=INV+1%262',
    )
    expect(withFilter('/console/transactions?status=FROZEN', { status: '' })).toBe('/console/transactions')
  })

  test('what stands in the URL otherwise is left as it is, a question mark too', () => {
    const url = withFilter('/console/log?requestId=which?one&q=a%20b', { status: 'FAILURE' })
    expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toEqual({
      requestId: 'which?one',
      q: 'a b',
      status: 'FAILURE',
    })
  })

  test('what is written is read again', () => {
    const url = withFilter('/x', { q: 'ü ?&=#/100%' })
    expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toEqual({ q: 'ü ?&=#/100%' })
  })

  test('go into a request when they are set', () => {
    expect(givenFilters({ status: 'FROZEN', q: '' })).toEqual({ status: 'FROZEN' })
  })
})
