import { describe, expect, test } from 'bun:test'
import { servicePath, targetOf } from './target'

const at = (path: string) => targetOf(`http://gateway.example${path}`)

describe('the service of a path', () => {
  test.each([
    ['/quote/v1/assets', 'quote', '/v1/assets'],
    ['/quote/assets', 'quote', '/v1/assets'],
    ['/quote/v1/assets/', 'quote', '/v1/assets'],
    ['/core/v1/transactions/1', 'core-ledger', '/v1/transactions/1'],
    ['/api/v1/core/transactions/1', 'core-ledger', '/api/v1/core/transactions/1'],
    ['/core/v1/api/v1/core/transactions', 'core-ledger', '/api/v1/core/transactions'],
    ['/tracker/v1/log-messages', 'log-tracker', '/v1/log-messages'],
    ['/main/v1/participants', 'main-api', '/v1/participants'],
    ['/transactions/v1/deposit/INV%2F204', 'transaction-manager', '/v1/deposit/INV%2F204'],
    ['/transactions/v1/deposit/..%20', 'transaction-manager', '/v1/deposit/..%20'],
    ['/webhook/v1/webhooks/delivery/status/internal', 'webhook', '/v1/webhooks/delivery/status/internal'],
    ['/customer/../quote/v1/assets', 'quote', '/v1/assets'],
    ['/customer/%2E./quote//v1/./assets', 'quote', '/v1/assets'],
    ['/quote\\v1\\assets', 'quote', '/v1/assets'],
    ['/quote/v1/assets#/../internal', 'quote', '/v1/assets'],
  ])('%s', (path, service, asked) => {
    const target = at(path)
    expect([target?.service, target && servicePath(target)]).toEqual([service as never, asked])
  })

  test('the query is kept as it is', () => {
    expect(at('/quote/v1/assets?limit=1&x=/../internal?y')?.query).toBe('?limit=1&x=/../internal?y')
  })

  test('a request without a Host is known by its path', () => {
    expect(targetOf('/quote/v1/assets?limit=1')).toEqual({ service: 'quote', path: '/assets', query: '?limit=1' })
  })
})

describe('paths that are not served from outside', () => {
  test.each([
    '/',
    '/unknown/v1/assets',
    '/gateway/v1/health',
    '/Quote/v1/assets',
    '/api/v2/core/transactions',
    '/quote/internal/x',
    '/quote/v1/internal',
    '/quote/v1//internal/x',
    '/quote/v1/./internal',
    '/quote/v1/assets/../internal/x',
    '/quote/v1/assets/%2e%2e/internal/x',
    '/quote/v1/assets/.%2E/internal/x',
    '/quote/v1/%69nternal/x',
    '/quote/v1/INTERNAL/x',
    '/quote/v1%2Finternal/x',
    '/quote/v1/internal%2Fx',
    '/quote/v1/internal#x',
    '/quote/v1\\internal\\x',
    '/quote/v1/v1/internal/x',
    '/tracker/tracker/v1/internal/ledger-heads',
    '/tracker/v1/tracker/internal/ledger-heads',
    // The service would remove the second one, too: what is said of its streams and lists would not hold for them.
    '/tracker/v1/tracker/log-messages/stream',
    '/tracker/tracker/log-messages/stream',
    '/tracker/v1/%74racker/log-messages',
    '/tracker/v1/tracker',
    '/quote/v1/v1/assets',
    '/core/metrics',
    '/core/v1/metrics',
    '/core/v1/swagger',
    '/core/v1/swagger/json',
    '/core/v1/Swagger/json',
    '/quote/%76%31/internal',
  ])('%s', (path) => {
    expect(at(path)).toBeNull()
  })
})

describe('400: ambiguous paths', () => {
  test.each([
    '/quote/v1/assets/..%2Finternal',
    '/quote/v1/assets/%2e%2e%2finternal',
    '/quote/v1/assets/..%5cinternal',
    '/quote/v1/assets/%2Finternal',
    '/quote/v1/assets/x%2F%2Fy',
    '/quote/v1/assets/%zz',
    '/quote/v1/assets/%',
    '/quote/v1/assets/%c0%af',
    '/quote/v1/assets/a%00b',
    '/quote/v1/assets/a%0d%0ab',
  ])('%s', (path) => {
    expect(() => at(path)).toThrow(expect.objectContaining({ status: 400, code: 'INVALID_REQUEST' }))
  })
})
