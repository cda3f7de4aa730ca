import { expect, test } from 'bun:test'
import { queryText } from './http'

test('a query leaves out what is not given', () => {
  expect(queryText({ status: 'FROZEN', q: '', limit: 50, count: true, after: undefined })).toBe(
    '?status=FROZEN&limit=50&count=true',
  )
  expect([queryText({}), queryText({ q: '' }), queryText()]).toEqual(['', '', ''])
})
