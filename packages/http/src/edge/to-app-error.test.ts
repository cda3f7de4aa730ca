import { expect, test } from 'bun:test'
import { CommitFailedError, DatabaseLostError, UnknownOutcomeError } from '@bursar/store'
import { toAppError } from './to-app-error'

test('what failed for want of the database is 503: repeated with its key it acts once', () => {
  for (const [error, words] of [
    [new CommitFailedError('no'), 'The service cannot write right now'],
    [new UnknownOutcomeError('lost'), 'It is not known whether this was written'],
    [new DatabaseLostError('lost'), 'The service cannot read right now'],
  ] as const) {
    const { status, message, headers } = toAppError(error)
    expect([status, message.startsWith(words), headers]).toEqual([503, true, { 'retry-after': '1' }])
  }
})
