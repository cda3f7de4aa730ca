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
])('%s', (action, parts) => expect(sentenceOf({ action, newStatus: null })).toEqual(parts as [string, string | null]))

test.each([
  ['PUT /accounts/:id', 'Changed the account'],
  ['POST /transactions/:id/fail', 'Failed'],
  ['POST /transactions/:id/release', 'Had credited after all'],
  ['PUT /admin/pfi/:id/status', 'Set the status'],
])('%s as a title: %s', (action, title) => expect(actTitle({ action, newStatus: null })).toBe(title))

test.each([
  ['PUT /accounts/:id', 'suspended', 'Suspended the account', ['suspended the account ', '']],
  ['PUT /users/:userId', 'DISABLED', 'Disabled the user', ['disabled the user ', '']],
  ['PUT /accounts/:id', 'dormant', 'Changed the account to Dormant', ['changed the account ', ' to Dormant']],
  [
    'PUT /accounts/:id',
    'constructor',
    'Changed the account to Constructor',
    ['changed the account ', ' to Constructor'],
  ],
  ['PUT /admin/pfi/:id/status', 'IN_REVIEW', 'Set the status to In review', ['set the status of ', ' to In review']],
  [
    'PUT /deposit/:reference',
    'APPROVED',
    'Moved the bank deposit to Approved',
    ['moved the bank deposit ', ' to Approved'],
  ],
  ['POST /accounts', 'active', 'Opened the account', ['opened the account ', '']],
])('%s with the status %s: %s', (action, newStatus, title, parts) => {
  expect(actTitle({ action, newStatus })).toBe(title)
  expect(sentenceOf({ action, newStatus })).toEqual(parts as [string, string])
})

test('a filter has each kind of act once, in the order of its words', () => {
  const words = knownActions.map(([, each]) => each)
  expect(words).toEqual([...new Set(words)].sort((one, other) => one.localeCompare(other)))
  expect(words).toContain('Invited the user')
})
