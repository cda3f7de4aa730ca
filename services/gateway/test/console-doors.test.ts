// Who gets past the doors of the console's own routes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { admin, openConsole, ownPage, type TestConsole } from './console-harness'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'

let consoles: TestConsole
let cookie: string
beforeAll(async () => {
  consoles = await openConsole()
  cookie = await consoles.logIn(await consoles.member({ role: 'participant-admin', participantId: bank }))
})
afterAll(() => consoles?.close())

describe('a user of an institution', () => {
  test.each([
    ['GET', '/health', undefined],
    ['GET', '/services/core-ledger/dead-letters', undefined],
    ['GET', '/audit', undefined],
    ['GET', '/audit/export', undefined],
    ['GET', '/audit/verify', undefined],
    ['GET', `/audit/${bank}`, undefined],
    ['GET', `/review/assignments?ids=${bank}`, undefined],
    ['GET', '/review/colleagues', undefined],
    ['GET', `/review/${bank}/comments`, undefined],
    ['GET', `/institutions/${bank}/addresses`, undefined],
    ['PUT', `/institutions/${bank}/addresses`, { addresses: [] }],
    ['PUT', `/review/${bank}/assignee`, { userId: null }],
    ['POST', `/review/${bank}/comments`, { text: 'x' }],
    ['POST', `/services/core-ledger/dead-letters/x/retry`, {}],
  ] as const)('is refused %s %s, which are for staff: 403', async (method, path, body) => {
    const answer = await consoles.ask(path, { method, body, cookie })
    expect([answer.status, answer.body?.error?.code]).toEqual([403, 'FORBIDDEN'])
  })
})

test('a user of an institution that ends is logged out, also while the identity manager is away', async () => {
  const other = await openConsole()
  const own = await other.logIn(await other.member({ role: 'participant-admin', participantId: bank }))
  const status = async () => (await other.ask('/session', { cookie: own })).status
  expect(await status()).toBe(200)
  await other.platform.stop('identity-manager')
  other.main.move(bank, 'OFFBOARDED')
  await until(async () => (await status()) === 401, { what: 'the end of the session' })
  await other.close()
})

test('nobody but a trusted proxy says that a request came by TLS', async () => {
  const answer = await consoles.ask('/session', {
    body: admin,
    headers: { ...ownPage, host: 'desk.bank.example', 'x-forwarded-proto': 'https' },
  })
  expect([answer.status, answer.cookie]).toEqual([403, null])
})
