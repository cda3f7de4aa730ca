import { expect, test } from 'bun:test'
import { isForAnother } from './review-moves'

const registered = { approvedAt: null, registeredBy: 'anna' }
const as = (id: string, fourEyesUsd: number | null = 1000) => ({ user: { id }, fourEyesUsd })

test('who registered an institution waits for another person, where two decide, and once', () => {
  expect(isForAnother(registered, as('anna'))).toBe(true)
  expect(isForAnother(registered, as('anna', 0))).toBe(true)
  expect(isForAnother(registered, as('anna', null))).toBe(false)
  expect(isForAnother(registered, as('boris'))).toBe(false)
  expect(isForAnother({ ...registered, registeredBy: null }, as('anna'))).toBe(false)
  expect(isForAnother({ ...registered, approvedAt: '2026-01-01T00:00:00.000Z' }, as('anna'))).toBe(false)
})
