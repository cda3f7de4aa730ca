import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RoleName } from '@bursar/contracts/identity-manager'
import { refused, type TestGateway } from './harness'
import {
  answerAsOwner,
  bank,
  custodianBank,
  foreignPayment,
  freshCustomer,
  key,
  omnibus,
  openRolesGateway,
  otherAccount,
  otherBank,
  otherBankAccount,
  otherCustomer,
  otherMessage,
  otherTransaction,
  ownAccount,
  ownBankAccount,
  ownCustomer,
  ownMessage,
  ownTransaction,
  paid,
  received,
} from './roles-gateway'

let opened: Awaited<ReturnType<typeof openRolesGateway>>
let gateway: TestGateway
const as = (role: RoleName) => opened.as(role)
const asParticipant = (role?: 'participant-admin' | 'participant-user') => opened.asParticipant(role)
beforeAll(async () => {
  opened = await openRolesGateway()
  gateway = opened.gateway
})
afterAll(() => opened?.close())

describe('a participant finds its own objects, and others are 404', () => {
  test.each<[string, string, object | undefined, string | object]>([
    ['GET', `/participant/v1/participants/${bank}`, undefined, `/participant/v1/participants/${otherBank}`],
    ['GET', `/account/v1/accounts/${ownAccount}`, undefined, `/account/v1/accounts/${otherAccount}`],
    ['GET', `/account/v1/accounts/${omnibus}/balance`, undefined, `/account/v1/accounts/${otherAccount}/balance`],
    [
      'GET',
      `/account/v1/accounts/${ownAccount}/addresses`,
      undefined,
      `/account/v1/accounts/${otherAccount}/addresses`,
    ],
    ['GET', `/customer/v1/customers/${ownCustomer}`, undefined, `/customer/v1/customers/${otherCustomer}`],
    [
      'GET',
      `/customer/v1/customers/${ownCustomer}/accounts/addresses`,
      undefined,
      `/customer/v1/customers/${otherCustomer}/accounts/addresses`,
    ],
    ['GET', `/core/v1/transactions/${ownTransaction}`, undefined, `/core/v1/transactions/${otherTransaction}`],
    ['GET', `/api/v1/core/transactions/${ownTransaction}`, undefined, `/api/v1/core/transactions/${otherTransaction}`],
    ['GET', `/core/v1/balances/account/${ownAccount}`, undefined, `/core/v1/balances/account/${otherAccount}`],
    [
      'GET',
      `/core/v1/balances/accounts?accountIds=${ownAccount},${omnibus}`,
      undefined,
      `/core/v1/balances/accounts?accountIds=${ownAccount},${otherAccount}`,
    ],
    [
      'GET',
      `/core/v1/balances/accounts?accountIds=${ownAccount}&accountIds=${omnibus}`,
      undefined,
      `/core/v1/balances/accounts?accountIds=${ownAccount}&accountIds=${otherAccount}`,
    ],
    [
      'GET',
      `/core/v1/balances/accounts/history?accountIds=${ownAccount}`,
      undefined,
      `/core/v1/balances/accounts/history?accountIds=${ownAccount},${otherAccount}`,
    ],
    ['GET', `/core/v1/balances/customer/${ownCustomer}`, undefined, `/core/v1/balances/customer/${otherCustomer}`],
    [
      'GET',
      `/core/v1/transactions?accountId=${ownAccount}`,
      undefined,
      `/core/v1/transactions?accountId=${otherAccount}`,
    ],
    [
      'GET',
      `/api/v1/core/transactions?customerId=${ownCustomer}`,
      undefined,
      `/api/v1/core/transactions?customerId=${ownCustomer}&customerId=${otherCustomer}`,
    ],
    [
      'GET',
      `/wallet/v1/wallets/account/${ownAccount}/network/solana`,
      undefined,
      `/wallet/v1/wallets/account/${otherAccount}/network/solana`,
    ],
    ['POST', `/wallet/v1/wallets/${ownAccount}/token-account`, {}, `/wallet/v1/wallets/${otherAccount}/token-account`],
    [
      'POST',
      `/wallet/v1/wallets/${ownAccount}/token-account`,
      { feePayerAccountId: ownAccount },
      { feePayerAccountId: otherAccount },
    ],
    ['GET', `/message/v1/messages/${ownMessage}`, undefined, `/message/v1/messages/${otherMessage}`],
    ['GET', `/transactions/v1/transactions/${paid}`, undefined, `/transactions/v1/transactions/${foreignPayment}`],
    ['GET', `/transactions/v1/transactions/${received}`, undefined, `/transactions/v1/transactions/${foreignPayment}`],
    ['GET', `/main/v1/participants/${bank}/accounts`, undefined, `/main/v1/participants/${otherBank}/accounts`],
    ['POST', '/core/v1/transactions/withdrawal', { accountId: ownAccount }, { accountId: otherAccount }],
    ['POST', '/core/v1/transactions/withdrawal', { accountId: ownAccount.toUpperCase() }, { accountId: 'no-account' }],
    [
      'POST',
      '/core/v1/transactions/transfer',
      { fromAccountId: ownAccount, toAccountId: otherAccount },
      { fromAccountId: otherAccount, toAccountId: ownAccount },
    ],
    [
      'POST',
      '/api/v1/core/transactions/withdrawal',
      { accountId: ownAccount, participantId: bank },
      { accountId: ownAccount, participantId: otherBank },
    ],
    ['POST', '/api/v1/core/transactions/portfolio/execute', { accountId: ownAccount }, { accountId: otherAccount }],
    [
      'POST',
      '/api/v1/core/transactions/portfolio/sign-message',
      { accountId: ownAccount },
      { accountId: otherAccount },
    ],
    ['POST', '/account/v1/accounts', { customerId: ownCustomer }, { customerId: otherCustomer }],
    [
      'POST',
      '/account/v1/accounts',
      { customerExternalId: 'own-customer' },
      { customerId: ownCustomer, customerExternalId: 'other' },
    ],
    ['GET', `/customer/v1/customers/${freshCustomer}`, undefined, `/customer/v1/customers/${otherCustomer}`],
    ['POST', '/account/v1/accounts', { customerId: freshCustomer }, { customerId: Bun.randomUUIDv7() }],
    ['POST', '/account/v1/accounts', { customerExternalId: 'fresh' }, { customerExternalId: 'unknown' }],
    ...['.', '..', '%2e%2e', '../fresh', '\ud800', 'x'.repeat(256), ''].map(
      (customerExternalId): [string, string, object, object] => [
        'POST',
        '/account/v1/accounts',
        { customerExternalId: 'fresh' },
        { customerExternalId },
      ],
    ),
    [
      'POST',
      '/transactions/v1/withdrawal',
      { participantBankId: ownBankAccount },
      { participantBankId: otherBankAccount },
    ],
    ['POST', '/transactions/v1/deposit', { participantBankId: bank }, { participantBankId: otherBank }],
    [
      'POST',
      '/transactions/v1/transfer',
      { fromParticipantBankId: ownBankAccount, toParticipantBankId: otherBankAccount },
      { fromParticipantBankId: otherBankAccount },
    ],
    ['POST', '/transactions/v1/transfer/cancel', { transactionId: paid }, { transactionId: received }],
    ['POST', '/main/v1/aml-engine', { participantId: bank }, { participantId: otherBank }],
  ])('%s %s %p', async (method, path, body, others) => {
    const headers = await asParticipant()
    expect((await gateway.ask(method, path, body, headers)).status).toBe(200)
    const [otherPath, otherBody] = typeof others === 'string' ? [others, body] : [path, others]
    const refusal = await gateway.ask(method, otherPath, otherBody, headers)
    expect(refused(refusal, 404)).toEqual({ code: 'NOT_FOUND', message: 'There is no such resource' })
    // Staff is not asked whose it is.
    expect((await gateway.ask(method, otherPath, otherBody, await as('operator'))).status).toBe(200)
  })

  test.each([
    ['GET', '/core/v1/transactions', undefined],
    ['GET', '/api/v1/core/transactions?status=PENDING', undefined],
    ['POST', '/core/v1/transactions/withdrawal', {}],
    ['POST', '/core/v1/transactions/withdrawal', { accountId: [ownAccount] }],
    ['POST', '/core/v1/transactions/withdrawal', [ownAccount]],
    ['POST', '/account/v1/accounts', { type: 'STABLECOINS' }],
    ['POST', '/account/v1/accounts', { customerId: null }],
  ])('%s %s %p names no object of its own: 403', async (method, path, body) => {
    expect(refused(await gateway.ask(method, path, body, await asParticipant()), 403).code).toBe('FORBIDDEN')
  })

  test('a custodian bank checks payments of its own participants alone, through itself', async () => {
    const check = async (role: RoleName, participantId: string, custodianBankId: string) =>
      (await gateway.post('/main/v1/aml-engine', { participantId, custodianBankId }, await as(role))).status
    for (const role of ['custodian-admin', 'custodian-user'] as const) {
      expect(await check(role, bank, custodianBank)).toBe(200)
      expect(await check(role, otherBank, custodianBank)).toBe(404)
      expect(await check(role, bank, otherBank)).toBe(404)
      expect(await check(role, Bun.randomUUIDv7(), custodianBank)).toBe(404)
    }
    expect(await check('operator', otherBank, custodianBank)).toBe(200)
    expect(await check('viewer', bank, custodianBank)).toBe(403)
  })

  test.each([10, 64 * 1024, 64 * 1024 + 1, 500_000])('a document of %p bytes is uploaded', async (size) => {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(size).fill(65)], 'statement.txt', { type: 'text/plain' }))
    const upload = async (id: string, headers: Record<string, string>) => {
      const url = `${gateway.url}/main/v1/participants/${id}/documents`
      return (await fetch(url, { method: 'POST', body: form, headers })).status
    }
    expect(await upload(bank, await asParticipant('participant-admin'))).toBe(200)
    expect(await upload(otherBank, await asParticipant('participant-admin'))).toBe(404)
    expect(await upload(bank, await asParticipant('participant-user'))).toBe(403)
    expect(await upload(otherBank, await as('operator'))).toBe(200)
  })

  test('a form where the route expects JSON: 400', async () => {
    const body = new URLSearchParams({ accountId: ownAccount })
    const headers = await asParticipant()
    const ask = (type: string) =>
      fetch(`${gateway.url}/core/v1/transactions/withdrawal`, {
        method: 'POST',
        body: JSON.stringify({ accountId: ownAccount }),
        headers: { ...headers, 'content-type': type },
      })
    const answer = await fetch(`${gateway.url}/core/v1/transactions/withdrawal`, { method: 'POST', body, headers })
    expect(answer.status).toBe(400)
    // As the services read types.
    expect((await ask('multipart/form-data; boundary=json')).status).toBe(400)
    expect((await ask('application/vnd.bank+json; charset=utf-8')).status).toBe(200)
  })

  test('the notes of compliance are not shown to the participant', async () => {
    for (const path of [
      `/account/v1/accounts/${ownAccount}/history`,
      `/customer/v1/customers/${ownCustomer}/history`,
    ]) {
      for (const headers of [await asParticipant('participant-admin'), key]) {
        expect([path, (await gateway.get(path, headers)).status]).toEqual([path, 403])
      }
      expect((await gateway.get(path, await as('viewer'))).status).toBe(200)
    }
  })

  test('a body with more values than a service takes is not parsed, whoever sends it: 400', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`field${i}`, 0]))
    const deep = `{"accountId":"${ownAccount}","x":${'['.repeat(5000)}${']'.repeat(5000)}}`
    const withdrawals = () => opened.owner.requests.filter(({ path }) => path.endsWith('/withdrawal')).length
    const before = withdrawals()
    for (const headers of [await asParticipant(), await as('operator')]) {
      for (const [body, message] of [
        [{ accountId: ownAccount, ...many }, 'The body holds more than 20,000 values'],
        [deep, 'The body is nested more than 64 levels deep'],
      ] as const) {
        const answer = await gateway.post('/core/v1/transactions/withdrawal', body, headers)
        expect(refused(answer, 400)).toEqual({ code: 'INVALID_REQUEST', message })
      }
    }
    const fine = { accountId: ownAccount }
    expect((await gateway.post('/core/v1/transactions/withdrawal', fine, await as('operator'))).status).toBe(200)
    expect(withdrawals()).toBe(before + 1)
  })

  test('a body that is not JSON: 400', async () => {
    const answer = await gateway.post('/core/v1/transactions/withdrawal', '{"accountId"', await asParticipant())
    expect(refused(answer, 400).code).toBe('INVALID_REQUEST')
  })

  test('an API key alone has the rights of its participant', async () => {
    expect((await gateway.get(`/account/v1/accounts/${ownAccount}`, key)).status).toBe(200)
    expect((await gateway.get(`/account/v1/accounts/${otherAccount}`, key)).status).toBe(404)
    expect((await gateway.get('/account/v1/accounts/omnibus', key)).status).toBe(200)
  })

  test('administration of the institution takes its administrator, or the key', async () => {
    const change = (headers: Record<string, string>) =>
      gateway.patch(`/participant/v1/participants/${bank}`, {}, headers)
    expect((await change(await asParticipant('participant-user'))).status).toBe(403)
    expect((await change(await asParticipant('participant-admin'))).status).toBe(200)
    expect((await change(key)).status).toBe(200)
  })

  test('a user without roles, or with a participant’s role but no participant, may do none of it', async () => {
    expect((await gateway.get('/quote/v1/assets', await gateway.user({ roles: [] }))).status).toBe(403)
    const stray = await gateway.user({ roles: ['participant-admin'], participantId: null })
    expect((await gateway.get(`/account/v1/accounts/${ownAccount}`, stray)).status).toBe(403)
    // Services take a caller without a participant for staff.
    for (const path of ['/notification/v1/events', '/sanctions/v1/sanctions/jobs', '/webhook/v1/webhooks/endpoints']) {
      expect([path, (await gateway.get(path, stray)).status]).toEqual([path, 403])
    }
    const custodian = await gateway.user({ roles: ['custodian-admin'], custodianId: null })
    expect((await gateway.get('/main/v1/custodian-bank/balance', custodian)).status).toBe(403)
  })

  test('the owner of an object is unavailable: 503', async () => {
    opened.owner.answer(() => new Response(null, { status: 503 }))
    const answer = await gateway.get(`/message/v1/messages/${ownMessage}`, key)
    opened.owner.answer(answerAsOwner)
    expect(refused(answer, 503).code).toBe('SERVICE_UNAVAILABLE')
  })
})
