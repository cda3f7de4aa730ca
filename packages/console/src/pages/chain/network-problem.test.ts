import { expect, test } from 'bun:test'
import { problemOf } from './network-problem'

const fine = { head: 100, scannedTo: 99, lagBlocks: 1, watchedAddresses: 1, confirmations: 12, lastError: null }

test('a network is fine while it is read as blocks become final', () => {
  expect(problemOf(fine)).toBeNull()
  expect(problemOf({ ...fine, lagBlocks: 22 })).toBeNull()
  expect(problemOf({ ...fine, scannedTo: null, lagBlocks: null })).toBeNull()
})

test('it has a problem when its reading lags behind or fails', () => {
  expect(problemOf({ ...fine, lagBlocks: 23 })).toBe('The reading lags behind')
  expect(problemOf({ ...fine, lastError: { message: 'No node of base can be reached' } })).toBe(
    'No node of base can be reached',
  )
})
