import { expect, test } from 'bun:test'
import { actTitle, knownActions, sentenceOf } from './act-sentences'

test.each([
  ['PUT /accounts/:id', ['changed the account ', '']],
  ['POST /console/api/session', ['logged in', null]],
  ['POST /auth/change-password/:changePasswordToken', ['changed the password', null]],
  ['POST /participants/:id/accounts', ['added a bank account of ', '']],
  ['POST /transactions/:id/release', ['had ', ' credited after all']],
  ['POST (no such route)', ['did POST (no such route)', null]],
  ['constructor', ['did constructor', null]],
])('%s', (action, parts) => expect(sentenceOf(action)).toEqual(parts as [string, string | null]))

test.each([
  ['PUT /accounts/:id', 'Changed the account'],
  ['POST /transactions/:id/fail', 'Failed'],
  ['POST /transactions/:id/release', 'Had credited after all'],
  ['PUT /admin/pfi/:id/status', 'Set the status'],
])('%s as a title: %s', (action, title) => expect(actTitle(action)).toBe(title))

test('a filter has each kind of act once, in the order of its words', () => {
  const words = knownActions.map(([, each]) => each)
  expect(words).toEqual([...new Set(words)].sort((one, other) => one.localeCompare(other)))
  expect(words).toContain('Invited the user')
})
