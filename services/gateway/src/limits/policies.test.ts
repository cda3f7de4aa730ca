import { expect, test } from 'bun:test'
import { createPolicies } from './policies'

const { attemptOf } = createPolicies({ perSecond: 25, login: 5 })
const nameOf = (path: string, method = 'POST') =>
  attemptOf({ service: 'identity-manager', path, query: '' }, method)?.policy.name ?? null

test('password, second factor and passkey challenge of a log-in have a limit each', () => {
  const steps = ['/auth/login', '/auth/mfa/options', '/auth/mfa']
  expect(steps.map((path) => nameOf(path))).toEqual(['login', 'passkey', 'code'])
  expect(nameOf('/users/mfa/options')).toBeNull()
  expect(nameOf('/auth/mfa', 'GET')).toBeNull()
})
