import { expect, test } from 'bun:test'
import type { ServiceName } from '@bursar/contracts/services'
import { table } from '../access/table'
import { readPathOf, readPattern } from './reads'

const values = { id: 'a/b', transactionId: 't1' }

test.each<[ServiceName, string, string | null]>([
  ['account', 'PUT /accounts/:id', '/accounts/:id'],
  ['core-ledger', 'POST /transactions/:id/fail', '/transactions/:id'],
  ['core-ledger', 'POST /api/v1/core/transactions/:id/reject-frozen-deposit', '/api/v1/core/transactions/:id'],
  ['main-api', 'PUT /admin/pfi/:id/credit-line', '/admin/pfi/:id'],
  ['webhook', 'POST /webhooks/endpoints/:id/rotate-secret', '/webhooks/endpoints/:id'],
  ['transaction-manager', 'PUT /transfer/:transactionId/review', '/transactions/:transactionId'],
  ['account', 'POST /accounts', null],
  ['gateway', 'POST /x/:id', null],
])('%s %s is read by %p', (service, route, pattern) => expect(readPattern(service, route)).toBe(pattern))

test('takes values of the path and the body, escaped; no path if one is missing', () => {
  expect(readPathOf('account', 'PUT /accounts/:id', values)).toBe('/accounts/a%2Fb')
  expect(readPathOf('core-ledger', 'POST /transactions/complete-screening', values)).toBe('/transactions/t1')
  expect(readPathOf('core-ledger', 'POST /transactions/complete-screening', {})).toBeNull()
})

/** Acts on one object that nothing shows: what is asked for and the answer are all that the trail has of them. */
const unshown = new Set([
  'main-api POST /participants/:id/accounts',
  'main-api POST /participants/:id/documents',
  'main-api PUT /admin/additional-information/:id',
  'main-api DELETE /admin/additional-information/:id',
  'identity-manager POST /auth/change-password/:changePasswordToken',
  'identity-manager POST /auth/reset-password/:resetPasswordToken',
  'identity-manager DELETE /users/sessions/:id',
  'identity-manager POST /users/mfa/passkeys/:passkeyId/remove',
  'blockchain POST /simulated/:network/deposits',
])

test('every action on one object has a read, or is listed as having none', () => {
  const acts = Object.entries(table).flatMap(([service, rules]) =>
    Object.keys(rules)
      .filter((route) => !route.startsWith('GET ') && route.includes('/:'))
      // The gateway itself reads users, by contract.
      .filter((route) => !route.includes('/:userId'))
      .filter((route) => readPattern(service as ServiceName, route) === null)
      .map((route) => `${service} ${route}`),
  )
  expect(acts.filter((act) => !unshown.has(act))).toEqual([])
})
