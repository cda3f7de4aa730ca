import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type Account, gatewayPath } from './execution-harness'
import { type Ledger, openLedger } from './harness'

let wallet: LocalServer
let ledger: Ledger
let portfolio: Account
// Anew for each test: a request that one has given up may still be on its way to its wallet service.
beforeEach(async () => {
  wallet = localServer(() => Response.json({}))
  ledger = await openLedger({ urls: { wallet: wallet.url } })
  portfolio = await ledger.account({ type: 'PORTFOLIO' })
})
afterEach(async () => {
  await ledger.close()
  await wallet.stop()
})

interface Refusal {
  message: string | string[]
}

const executed = { transactionId: 'wallet-tx-1', txHash: '0xabc' }
const signed = {
  signature: '0x1',
  r: '0x2',
  s: '0x3',
  v: 27,
  messageHash: '0x4',
  message: 'hello',
  walletAddress: '0x5',
  network: 'ethereum',
  signMode: 'personal_sign',
  status: 'completed',
  completedAt: '2026-01-01T00:00:00.000Z',
}
const transactionData = { to: '0x1', value: '0x0', data: { deep: [1, { odd: null }] }, anything: true, list: ['a'] }
const execution = (fields: object = {}) => ({ accountId: portfolio.id, chainId: 1, transactionData, ...fields })
const signing = (fields: object = {}) => ({
  accountId: portfolio.id,
  chainId: 1,
  signMode: 'PERSONAL_SIGN',
  message: 'hello',
  messageEncoding: 'UTF8',
  ...fields,
})
const post = <T = Record<string, unknown>>(path: string, body: unknown, headers?: Record<string, string>) =>
  ledger.ask<T>('POST', `${gatewayPath}/portfolio${path}`, body, headers)
const forwarded = () => JSON.parse(wallet.requests.at(-1)?.body ?? 'null')
/** The keys of an account's requests at the wallet service. */
const keysOf = (accountId: string) =>
  wallet.requests
    .filter(({ body }) => JSON.parse(body).accountId.toLowerCase() === accountId)
    .map(({ headers }) => headers.get('idempotency-key'))
/** Asks until the wallet service has got it, which never answers: on a busy machine the time may be over before that. */
async function unanswered(body: ReturnType<typeof execution>, key: Record<string, string>): Promise<void> {
  wallet.answer(() => new Promise<never>(() => {}))
  await until(async () => {
    expect((await ledger.impatiently(() => post('/execute', body, key))).status).toBe(504)
    return keysOf(body.accountId).length > 0
  })
}

describe('POST /api/v1/core/transactions/portfolio/execute', () => {
  beforeEach(() => wallet.answer(() => Response.json(executed)))

  test('200 with the wallet service’s answer; the payload is forwarded unchanged', async () => {
    const { status, body } = await post('/execute', execution({ unknown: 1 }))
    expect([status, body]).toEqual([200, executed])
    expect(wallet.requests.at(-1)).toMatchObject({ method: 'POST', path: '/internal/portfolio/execute' })
    expect(forwarded()).toEqual(execution())
  })

  test('400 names every field that is missing or of a wrong type', async () => {
    const missing = await post<Refusal>('/execute', {})
    expect([missing.status, missing.body.message]).toEqual([
      400,
      ['accountId should not be empty', 'chainId must be an integer', 'transactionData must be an object'],
    ])
    for (const transactionData of ['0x', [], null, 1]) {
      const wrong = await post<Refusal>('/execute', execution({ transactionData }))
      expect([wrong.status, wrong.body.message]).toEqual([400, ['transactionData must be an object']])
    }
    for (const chainId of ['1', 1.5, 0, -1]) expect((await post('/execute', execution({ chainId }))).status).toBe(400)
  })

  test('repeated with its key it is executed once, and again with another', async () => {
    const count = () => wallet.requests.length
    const before = count()
    const key = { 'idempotency-key': 'execute-1' }
    await post('/execute', execution(), key)
    const again = await post('/execute', execution(), key)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([executed, 'true'])
    expect(count()).toBe(before + 1)
    expect((await post('/execute', execution({ chainId: 2 }), key)).status).toBe(422)
  })

  test('a repeat after a timeout carries the same key to the wallet service', async () => {
    const key = { 'idempotency-key': 'execute-2' }
    await unanswered(execution(), key)
    const before = keysOf(portfolio.id).length
    wallet.answer(() => Response.json(executed))
    expect((await post('/execute', execution(), key)).status).toBe(200)
    const [first, ...others] = keysOf(portfolio.id)
    expect(first).toBeTruthy()
    expect(others.length).toBeGreaterThanOrEqual(before)
    expect(new Set(others)).toEqual(new Set([first as string]))
  })

  test('one key for two accounts is two executions for the wallet service', async () => {
    const other = await ledger.account({ type: 'PORTFOLIO' })
    const key = { 'idempotency-key': 'execute-3' }
    await unanswered(execution(), key)
    const [first] = keysOf(portfolio.id)
    await unanswered(execution({ accountId: other.id }), key)
    const [second] = keysOf(other.id)
    expect(second).toBeTruthy()
    expect(second).not.toBe(first as string)
    wallet.answer(() => Response.json(executed))
    const body = execution({ accountId: portfolio.id.toUpperCase() })
    expect((await post('/execute', body, { 'idempotency-key': 'execute-3' })).status).toBe(200)
    expect(new Set(keysOf(portfolio.id))).toEqual(new Set([first as string]))
  })
})

describe('POST /api/v1/core/transactions/portfolio/sign-message', () => {
  beforeEach(() => wallet.answer(() => Response.json(signed)))

  test('200 with the wallet service’s answer', async () => {
    const { status, body } = await post('/sign-message', signing())
    expect([status, body]).toEqual([200, signed])
    expect(wallet.requests.at(-1)?.path).toBe('/internal/portfolio/sign-message')
    expect(forwarded()).toEqual(signing())
  })

  test('typed data is forwarded unchanged, and modes are not validated here', async () => {
    const typed = {
      signMode: 'ANYTHING',
      messageEncoding: 'WHATEVER',
      domain: { name: 'Mail', chainId: 1, extra: {} },
      types: { Person: [{ name: 'name', type: 'string' }] },
      typedDataMessage: { from: { name: 'Cow' }, to: [] },
    }
    expect((await post('/sign-message', signing(typed))).status).toBe(200)
    expect(forwarded()).toEqual(signing(typed))
    const bare = { accountId: portfolio.id, chainId: 5, signMode: 'TYPED_DATA_V4' }
    expect((await post('/sign-message', bare)).status).toBe(200)
    expect(forwarded()).toEqual(bare)
  })

  test('400 names every field that is missing or of a wrong type', async () => {
    const missing = await post<Refusal>('/sign-message', {})
    expect([missing.status, missing.body.message]).toEqual([
      400,
      ['accountId should not be empty', 'chainId must be an integer', 'signMode should not be empty'],
    ])
    const wrong = { message: 1, messageEncoding: 1, domain: 'x', types: [], typedDataMessage: 1 }
    const { status, body } = await post<Refusal>('/sign-message', signing(wrong))
    expect([status, body.message]).toEqual([
      400,
      [
        'message must be a string',
        'messageEncoding must be a string',
        'domain must be an object',
        'types must be an object',
        'typedDataMessage must be an object',
      ],
    ])
  })
})

describe.each([
  ['/execute', execution, executed],
  ['/sign-message', signing, signed],
] as const)('portfolio%s', (path, input, answered) => {
  beforeEach(() => wallet.answer(() => Response.json(answered)))

  test('404 for an unknown account, 503 when it cannot be looked up', async () => {
    const { status, body } = await post<Refusal>(path, input({ accountId: 'nobody' }))
    expect([status, body.message]).toEqual([404, 'Account nobody not found'])
    expect((await post(path, input({ accountId: Bun.randomUUIDv7() }))).status).toBe(503)
  })

  test('400 for an account that is not a portfolio or is inactive, or whose customer is inactive', async () => {
    const before = wallet.requests.length
    const stablecoins = await ledger.account()
    const wrongType = await post<Refusal>(path, input({ accountId: stablecoins.id }))
    expect([wrongType.status, wrongType.body.message]).toEqual([
      400,
      `Account ${stablecoins.id} is of type STABLECOINS; it must be PORTFOLIO`,
    ])
    const suspended = await ledger.account({ type: 'PORTFOLIO', status: 'suspended' })
    expect((await post(path, input({ accountId: suspended.id }))).status).toBe(400)
    const orphan = await ledger.account({ type: 'PORTFOLIO', customerStatus: 'suspended' })
    expect((await post(path, input({ accountId: orphan.id }))).status).toBe(400)
    expect(wallet.requests).toHaveLength(before)
  })

  const refusing = (status: number) =>
    wallet.answer(() => Response.json({ error: { code: 'X', message: 'the wallet says no' } }, { status }))

  test.each([400, 404, 422])('%d of the wallet service is passed on with its message', async (refused) => {
    refusing(refused)
    const { status, body } = await post<Refusal>(path, input())
    expect([status, body.message]).toEqual([refused, 'the wallet says no'])
  })

  test.each([401, 403, 409, 500, 503])('502 after a %d of the wallet service', async (refused) => {
    refusing(refused)
    const { status, body } = await post<Refusal>(path, input())
    expect(status).toBe(502)
    expect(body.message).not.toContain('the wallet says no')
  })

  test('502 for an answer that breaks the contract, 504 for none in time', async () => {
    wallet.answer(() => Response.json({ half: true }))
    expect((await post(path, input())).status).toBe(502)
    wallet.answer(() => new Promise<never>(() => {}))
    expect((await ledger.impatiently(() => post(path, input()))).status).toBe(504)
  })

  test('502 while the wallet service is unavailable', async () => {
    const lonely = await openLedger()
    const { id } = await lonely.account({ type: 'PORTFOLIO' })
    const { status } = await lonely.ask('POST', `${gatewayPath}/portfolio${path}`, input({ accountId: id }))
    expect(status).toBe(502)
    await lonely.close()
  })
})
