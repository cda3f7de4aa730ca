import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RoleName } from '@bursar/contracts/identity-manager'
import { services } from '@bursar/contracts/services'
import { refused, type TestGateway } from './harness'
import { bank, key, openRolesGateway, ownAccount, ownCustomer, ownTransaction } from './roles-gateway'

let opened: Awaited<ReturnType<typeof openRolesGateway>>
let gateway: TestGateway
const as = (role: RoleName) => opened.as(role)
beforeAll(async () => {
  opened = await openRolesGateway()
  gateway = opened.gateway
})
afterAll(() => opened?.close())

describe('operations with a role: 403 FORBIDDEN without it', () => {
  test.each<[string, string, RoleName[]]>([
    ['POST', `/core/v1/transactions/${ownTransaction}/approve-frozen-withdrawal`, ['admin', 'operator']],
    ['POST', `/core/v1/transactions/${ownTransaction}/reject-frozen-deposit`, ['admin', 'operator']],
    ['POST', `/api/v1/core/transactions/${ownTransaction}/approve-frozen-deposit`, ['admin', 'operator']],
    ['POST', '/core/v1/transactions/complete-screening', ['admin', 'operator']],
    ['POST', `/core/v1/transactions/${ownTransaction}/fail`, ['admin', 'operator']],
    ['POST', '/core/v1/transactions/deposit', ['admin', 'operator']],
    ['POST', '/core/v1/assets', ['admin']],
    ['POST', '/quote/v1/providers', ['admin']],
    ['PUT', `/quote/v1/providers/${bank}`, ['admin']],
    ['POST', '/quote/v1/asset-providers', ['admin']],
    ['DELETE', `/quote/v1/category-providers/${bank}/category/${bank}`, ['admin']],
    ['PUT', `/account/v1/accounts/${ownAccount}`, ['admin', 'operator']],
    ['PUT', `/customer/v1/customers/${ownCustomer}`, ['admin', 'operator']],
    ['DELETE', `/participant/v1/participants/${bank}`, ['admin']],
    ['GET', '/customer/v1/customers', ['admin', 'operator', 'viewer']],
    ['GET', '/participant/v1/participants', ['admin', 'operator', 'viewer']],
    ['GET', '/message/v1/messages', ['admin', 'operator', 'viewer']],
    ['GET', '/tracker/v1/log-messages', ['admin', 'operator', 'viewer']],
    ['GET', '/api/v1/core/overview/digital-assets', ['admin', 'operator', 'viewer']],
    ['GET', '/main/v1/admin/users', ['admin']],
    ['PUT', `/main/v1/admin/pfi/${bank}/status`, ['admin', 'operator']],
    ['PUT', `/main/v1/admin/pfi/${bank}/credit-line`, ['admin']],
    ['GET', '/main/v1/custodian-bank/balance', ['custodian-admin', 'custodian-user']],
    ['DELETE', `/main/v1/custodian-bank/users/${bank}`, ['custodian-admin']],
    ['POST', '/transactions/v1/transfer/execute-many-send-payment', ['admin', 'operator']],
    ['PUT', `/transactions/v1/transfer/${ownTransaction}/review`, ['admin', 'operator']],
  ])('%s %s', async (method, path, allowed) => {
    const roles: RoleName[] = [
      'admin',
      'operator',
      'viewer',
      'participant-admin',
      'participant-user',
      'custodian-admin',
      'custodian-user',
    ]
    for (const role of roles) {
      const headers = role.startsWith('participant') ? { ...(await as(role)), ...key } : await as(role)
      const answer = await gateway.ask(method, path, method === 'GET' ? undefined : {}, headers)
      expect([role, answer.status]).toEqual([role, allowed.includes(role) ? 200 : 403])
      if (answer.status === 403) expect(refused(answer, 403).code).toBe('FORBIDDEN')
    }
    if (!/^\/(main|tracker)/.test(path)) {
      expect((await gateway.ask(method, path, method === 'GET' ? undefined : {}, key)).status).toBe(403)
    }
  })
})

describe('operations outside the table', () => {
  test.each(['/quote/v1/nothing', '/core/v1/assets/x/y', '/wallet/v1/held-orders', '/quote/v1/'])(
    '%s: 404, whoever asks',
    async (path) => {
      expect(refused(await gateway.get(path, await as('admin')), 404).code).toBe('NOT_FOUND')
    },
  )

  test('an unsupported method: 405 with the supported ones', async () => {
    const answer = await gateway.ask('DELETE', '/quote/v1/rates', undefined, await as('admin'))
    expect(refused(answer, 405).code).toBe('METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe('GET, POST')
  })

  test('HEAD is treated as GET', async () => {
    expect((await gateway.ask('HEAD', '/quote/v1/assets', undefined, await as('viewer'))).status).toBe(200)
    expect((await gateway.ask('HEAD', '/quote/v1/providers', undefined, key)).status).toBe(403)
  })
})

test('every service is in the table', () => {
  const { gateway: _, ...others } = services
  return import('../src/access/table').then(({ table }) =>
    expect(Object.keys(table).sort()).toEqual(Object.keys(others).sort()),
  )
})
