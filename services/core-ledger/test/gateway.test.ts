import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { GatewayTransaction } from '../src/reporting/gateway.model'
import {
  type Account,
  destinationAddress,
  gatewayPath,
  phase,
  type RunningLedger,
  runLedger,
} from './execution-harness'
import { openLedger } from './harness'

let running: RunningLedger
let account: Account
const participantId = 'participant-1'
beforeAll(async () => {
  running = await runLedger()
  account = await running.funded('1000', { participantId })
})
afterAll(() => running.close())

const nobody = '01a1fe8f-0000-7000-8000-000000000000'

interface Refusal {
  statusCode: number
  message: string | string[]
  error: string
}

const post = <T = GatewayTransaction>(path: string, body?: unknown, headers?: Record<string, string>) =>
  running.ledger.ask<T>('POST', `${gatewayPath}${path}`, body, headers)
const list = <T = GatewayTransaction[]>(query: Record<string, string> = {}) =>
  running.ledger.ask<T>('GET', `${gatewayPath}?${new URLSearchParams(query)}`)
const withdrawal = (fields: object = {}) => ({
  accountId: account.id,
  amount: '1.5',
  assetCode: running.asset.code,
  network: running.asset.network,
  participantId,
  destinationAddress,
  ...fields,
})

describe('POST /api/v1/core/transactions/withdrawal', () => {
  test('201 with the transaction in gateway form', async () => {
    const { status, body } = await post('/withdrawal', withdrawal({ reference: 'invoice 7' }))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      assetId: running.asset.id,
      type: 'withdrawal',
      amount: '1.5',
      status: 'PENDING',
      network: 'testnet',
      participantId,
      reference: 'invoice 7',
      transactionData: {
        customerId: account.customerId,
        accountId: account.id,
        toAccountId: null,
        assetCode: running.asset.code,
        sourceAddress: null,
        destinationAddress,
        txHash: null,
        screeningData: null,
        rejectionReason: null,
        failureReason: null,
      },
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      executedAt: null,
      phases: [
        { name: 'created', status: 'COMPLETED', startedAt: body.createdAt, completedAt: body.createdAt, detail: null },
        { name: 'screening', status: 'IN_PROGRESS', startedAt: body.createdAt, completedAt: null, detail: null },
        { name: 'review', status: 'PENDING', startedAt: null, completedAt: null, detail: null },
        { name: 'execution', status: 'PENDING', startedAt: null, completedAt: null, detail: null },
        { name: 'confirmation', status: 'PENDING', startedAt: null, completedAt: null, detail: null },
      ],
    })
    expect((await running.ledger.ask('GET', `${gatewayPath}/${body.id}`)).body).toEqual({ ...body })
    expect((await running.ledger.ask('GET', `/transactions/${body.id}`)).body).toMatchObject({ type: 'WITHDRAWAL' })
  })

  test('the asset by its code in any case, without a reference', async () => {
    const { status, body } = await post('/withdrawal', withdrawal({ assetCode: running.asset.code.toLowerCase() }))
    expect([status, body.reference]).toEqual([201, null])
  })

  test('400 names every missing field', async () => {
    const { status, body } = await post<Refusal>('/withdrawal', {})
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect(body.message).toEqual([
      'accountId should not be empty',
      'amount should not be empty',
      'assetCode should not be empty',
      'network should not be empty',
      'participantId should not be empty',
      'destinationAddress should not be empty',
    ])
  })

  test('400 names every field of a wrong type', async () => {
    const wrong = { accountId: 1, amount: 1, assetCode: 1, network: 1, participantId: 1, destinationAddress: 1 }
    const { status, body } = await post<Refusal>('/withdrawal', { ...wrong, reference: 1 })
    expect(status).toBe(400)
    expect(body.message).toHaveLength(7)
    expect(body.message).toContain('participantId must be a string')
  })

  test.each([
    [{ amount: '0' }, 'amount must be greater than 0'],
    [{ amount: '-1' }, 'amount must be a decimal number such as "12.50", without sign, exponent or spaces'],
    [{ amount: '1.234' }, 'amount must have at most 2 decimals'],
    [{ network: 'othernet' }, /^network must be testnet/],
    [{ destinationAddress: 'two words' }, /^destinationAddress must be/],
    [{ amount: '5000' }, /^Insufficient balance: [\d.]+ COIN\d+ available, 5000 COIN\d+ asked$/],
  ])('400 for %j', async (fields, message) => {
    const { status, body } = await post<Refusal>('/withdrawal', withdrawal(fields))
    expect([status, body.message]).toEqual([400, message instanceof RegExp ? expect.stringMatching(message) : message])
  })

  test('404 for an unknown asset or account', async () => {
    const asset = await post<Refusal>('/withdrawal', withdrawal({ assetCode: 'NONE' }))
    expect([asset.status, asset.body.message]).toEqual([404, 'Asset NONE not found'])
    const unknown = await post<Refusal>('/withdrawal', withdrawal({ accountId: 'nobody' }))
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Account nobody not found'])
    const missing = await post<Refusal>('/withdrawal', withdrawal({ accountId: nobody }))
    expect([missing.status, missing.body.message]).toEqual([404, `Account ${nobody} not found`])
  })

  test('503 when the account cannot be looked up', async () => {
    const lonely = await openLedger()
    const { status } = await lonely.ask('POST', `${gatewayPath}/withdrawal`, withdrawal({ accountId: nobody }))
    expect(status).toBe(503)
    await lonely.close()
  })

  test('repeated with its key it is one withdrawal; another body is 422', async () => {
    const key = { 'idempotency-key': 'gateway-1' }
    const copies = await Promise.all(Array.from({ length: 20 }, () => post('/withdrawal', withdrawal(), key)))
    const made = copies.filter(({ status }) => status === 201)
    const ids = new Set(made.map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    expect(copies.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const again = await post('/withdrawal', withdrawal(), key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect((await post('/withdrawal', withdrawal({ amount: '2' }), key)).status).toBe(422)
  })
})

describe('GET /api/v1/core/transactions/:id', () => {
  test('404 names the id, also one that is not a UUID', async () => {
    for (const id of [nobody, 'nonsense']) {
      const { status, body } = await running.ledger.ask<Refusal>('GET', `${gatewayPath}/${id}`)
      expect([status, body.message]).toEqual([404, `Transaction ${id} not found`])
    }
  })

  test('executedAt and the phases of a completed one', async () => {
    const id = await running.deposit(account, '3')
    await running.screen(id, true)
    const body = await running.reached(id, 'COMPLETED')
    expect(body).toMatchObject({ type: 'deposit', status: 'COMPLETED', participantId })
    expect(body.executedAt).toBe(phase(body, 'execution')?.completedAt ?? '')
    expect(body.phases.map(({ status }) => status)).toEqual([
      'COMPLETED',
      'COMPLETED',
      'SKIPPED',
      'COMPLETED',
      'COMPLETED',
    ])
  })
})

describe('GET /api/v1/core/transactions', () => {
  let other: RunningLedger
  let accounts: Account[]
  const ids: Record<string, string> = {}
  const ask = <T = GatewayTransaction[]>(query: Record<string, string> = {}) =>
    other.ledger.ask<T>('GET', `${gatewayPath}?${new URLSearchParams(query)}`)
  const idsOf = async (query: Record<string, string>) => (await ask(query)).body.map(({ id }) => id)

  beforeAll(async () => {
    other = await runLedger()
    const first = await other.funded('100')
    const second = await other.funded('100', { type: 'OMNIBUS' })
    accounts = [first, second]
    ids.one = await other.withdraw(first, '1')
    ids.two = await other.withdraw(second, '1')
    ids.moved = await other.transfer(first, second, '1')
    ids.frozen = await other.deposit(second, '1')
    await other.screen(ids.frozen, false)
  })
  afterAll(() => other.close())

  test('200 with all of them, newest first', async () => {
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body).toHaveLength(6)
    expect(body.map(({ id }) => id).slice(0, 4)).toEqual([ids.frozen, ids.moved, ids.two, ids.one] as string[])
    expect(body[0]).toEqual((await other.transaction(ids.frozen ?? '')) as GatewayTransaction)
  })

  test('by account', async () => {
    const [first, second] = accounts
    expect((await idsOf({ accountId: first?.id ?? '' })).slice(0, 2)).toEqual([ids.moved, ids.one] as string[])
    expect((await idsOf({ accountId: second?.id.toUpperCase() ?? '' })).slice(0, 2)).toEqual([
      ids.frozen,
      ids.two,
    ] as string[])
    expect(await idsOf({ accountId: first?.id ?? '', accountType: 'OMNIBUS' })).toEqual([])
    expect(await idsOf({ accountId: first?.id ?? '', customerId: second?.customerId ?? '' })).toEqual([])
  })

  test('by status, customer and type of account, alone and together', async () => {
    const customerId = accounts[0]?.customerId ?? ''
    expect(await idsOf({ status: 'FROZEN' })).toEqual([ids.frozen] as string[])
    expect(await idsOf({ status: 'PENDING', customerId })).toEqual([ids.moved, ids.one] as string[])
    expect(await idsOf({ status: 'PENDING', accountType: 'OMNIBUS' })).toEqual([ids.two] as string[])
    expect(await idsOf({ accountType: 'OMNIBUS', status: 'REJECTED' })).toEqual([])
    expect(await idsOf({ accountType: 'OMNIBUS', customerId })).toEqual([])
    expect(await idsOf({ customerId: 'nobody' })).toEqual([])
  })

  test('pages that do not overlap', async () => {
    const pages = await Promise.all(['1', '2', '3'].map((page) => idsOf({ page, pageSize: '3' })))
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 0])
    expect(pages.flat()).toEqual(await idsOf({}))
    const accountId = accounts[1]?.id ?? ''
    const narrow = await Promise.all(['1', '2'].map((page) => idsOf({ page, pageSize: '2', accountId })))
    expect(narrow.flat()).toEqual(await idsOf({ accountId }))
  })

  test('20 on a page by default', async () => {
    const many = Array.from({ length: 25 }, () => post('/withdrawal', withdrawal({ amount: '0.01' })))
    await Promise.all(many)
    expect((await list()).body).toHaveLength(20)
    expect((await list({ pageSize: '100' })).body.length).toBeGreaterThan(20)
  })

  test.each([
    [
      { status: 'DONE' },
      'status must be one of the following values: PENDING, FROZEN, APPROVED, COMPLETED, REJECTED, FAILED',
    ],
    [
      { accountType: 'CASH' },
      'accountType must be one of the following values: STABLECOINS, PORTFOLIO, OMNIBUS, FEE_PAYER',
    ],
    [{ page: '0' }, 'page must not be less than 1'],
    [{ page: '-1' }, 'page must not be less than 1'],
    [{ page: 'x' }, 'page must be an integer'],
    [{ page: '1.5' }, 'page must be an integer'],
    [{ page: '' }, 'page must be an integer'],
    [{ pageSize: '0' }, 'pageSize must not be less than 1'],
    [{ pageSize: '101' }, 'pageSize must not be greater than 100'],
    [{ pageSize: '1e2' }, 'pageSize must be an integer'],
  ])('400 for %j', async (query, message) => {
    const { status, body } = await ask<Refusal>(query as Record<string, string>)
    expect([status, body.message]).toEqual([400, [message]])
  })

  test('400 for a page that is too deep', async () => {
    expect((await ask({ page: '1001', pageSize: '100' })).status).toBe(200)
    const { status, body } = await ask<Refusal>({ page: '1002', pageSize: '100' })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^page must not begin more than 100000/)])
  })

  test('405 for another method', async () => {
    const { status, headers } = await running.ledger.ask('DELETE', gatewayPath)
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
