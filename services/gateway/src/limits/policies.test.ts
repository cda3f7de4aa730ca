import { expect, test } from 'bun:test'
import { createPolicies } from './policies'

const { attemptOf } = createPolicies({ perSecond: 25, login: 5 })
const nameOf = (path: string, method = 'POST') =>
  attemptOf({ service: 'identity-manager', path, query: '' }, method)?.policy.name ?? null

test('both steps of a log-in are counted by themselves, and what a passkey has to sign besides: it takes all three', () => {
  const steps = ['/auth/login', '/auth/mfa/options', '/auth/mfa']
  expect(steps.map((path) => nameOf(path))).toEqual(['login', 'passkey', 'code'])
  expect(nameOf('/users/mfa/options')).toBeNull()
  expect(nameOf('/auth/mfa', 'GET')).toBeNull()
})
