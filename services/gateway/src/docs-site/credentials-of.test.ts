import { expect, test } from 'bun:test'
import type { ServiceName } from '@bursar/contracts/services'
import { credentialsOf } from './credentials-of'

const [token, key, both, client] = ['token', 'key', 'token+key', 'client']
function shown(service: ServiceName, operation: string, { roles = true, isForUsers = false } = {}): string[] {
  const [method = '', path = ''] = operation.split(' ')
  return credentialsOf({ service, method, path, roles, isForUsers }).map((each) =>
    [
      ...('accessToken' in each ? [token] : []),
      ...('apiKey' in each ? [key] : []),
      ...('clientToken' in each ? [client] : []),
    ].join('+'),
  )
}

test.each<[ServiceName, string, string[]]>([
  ['main-api', 'POST /participants', []],
  ['main-api', 'GET /admin/users', [token]],
  ['main-api', 'GET /custodian-bank/users', [token]],
  // Until there is a key, the token alone.
  ['main-api', 'GET /participants/detail', [token, both]],
  ['main-api', 'POST /participants/api-key', [token, both]],
  ['main-api', 'GET /custodians', [token, both]],
  ['main-api', 'GET /participants/{id}/accounts', [token, both]],
  ['log-tracker', 'GET /log-messages', [token]],
  ['core-ledger', 'GET /transactions/{id}', [token, key, client]],
  ['core-ledger', 'POST /transactions/{id}/fail', [token]],
  ['quote', 'GET /health', []],
])('%s: with roles, %s takes %p', (service, operation, ways) => {
  expect(shown(service, operation)).toEqual(ways)
})

test('without roles everybody may call, and a user without a participant has no key', () => {
  const roles = false
  expect(shown('main-api', 'GET /admin/users', { roles })).toEqual([token, both])
  expect(shown('core-ledger', 'POST /transactions/{id}/fail', { roles })).toEqual([token, key, client])
  expect(shown('quote', 'GET /health', { roles })).toEqual([])
})

test('operations about the calling user take its token', () => {
  for (const roles of [true, false]) {
    expect(shown('identity-manager', 'GET /users/profile', { roles, isForUsers: true })).toEqual([token])
  }
  expect(shown('identity-manager', 'GET /users')).toEqual([token, key, client])
})
