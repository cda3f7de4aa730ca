import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestTransactionManager, uuidExpected } from './harness'
import { deposit, transfer } from './requests'

let manager: TestTransactionManager
let bank: { id: string }
beforeAll(async () => {
  manager = await openService()
  bank = (await manager.party()).bank
})
afterAll(() => manager.close())

describe('GET /transactions/{transactionId}', () => {
  test('answers with the record, its history, and its requests for information', async () => {
    const other = await manager.party()
    const [ann, main] = [await manager.as({ subject: 'ann' }), await manager.asService('main-api')]
    const made = await transfer(manager, bank.id, other.bank.id)
    await manager.put(`/transfer/${made.id}/review`, { status: 'IN_REVIEW' }, ann)
    await manager.put(`/transfer/${made.id}`, { status: 'APPROVED', comment: 'Fine' }, main)
    const asked = await manager.post(`/transactions/additional-request/${made.id}`, { message: 'Why?' }, ann)
    const { status, body } = await manager.get(`/transactions/${made.id.toUpperCase()}`)
    expect(status).toBe(200)
    const times = body.data.history.map(({ at }: { at: string }) => at)
    expect(body.data).toEqual({
      ...made,
      status: 'APPROVED',
      updatedAt: times[2],
      history: [
        { from: null, to: 'PENDING', by: null, comment: null, changes: [], at: made.createdAt },
        { from: 'PENDING', to: 'IN_REVIEW', by: 'user ann', comment: null, changes: [], at: times[1] },
        { from: 'IN_REVIEW', to: 'APPROVED', by: 'service main-api', comment: 'Fine', changes: [], at: times[2] },
      ],
      additionalRequests: [asked.body.data],
    })
    expect([...times].sort()).toEqual(times)
  })

  test('404 for an unknown id', async () => {
    expect(refused(await manager.get(`/transactions/${nobody}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: `There is no transaction ${nobody}`,
    })
    expect(refused(await manager.get('/transactions/1'), 400).message).toBe(uuidExpected)
  })
})

describe('GET /transactions/hash/{transactionHash}', () => {
  test('answers with the payment that has the hash, case-insensitively if it is hexadecimal', async () => {
    const { id } = await deposit(manager, bank.id)
    await manager.put(`/deposit/${id}/update`, { transactionHash: '0xDEADBEEF' })
    const { status, body } = await manager.get('/transactions/hash/0xdeadBEEF')
    expect([status, body.data.id, body.data.transactionHash]).toEqual([200, id, '0xdeadbeef'])
    expect(body.data.history).toHaveLength(2)
  })

  test('404 for an unknown hash', async () => {
    for (const hash of ['0x00', 'nothing', "'"]) refused(await manager.get(`/transactions/hash/${hash}`), 404)
  })
})

describe('POST /transactions/additional-request/{transactionId}', () => {
  const ask = (id: string, body: unknown, headers?: Record<string, string>) =>
    manager.post(`/transactions/additional-request/${id}`, body, headers)

  test('stores the request', async () => {
    const { id } = await deposit(manager, bank.id)
    const data = { questions: ['Who?'], nested: { deep: [1, null] } }
    const answer = await ask(id, { type: 'RFI', message: 'Please explain', data }, await manager.as({ subject: 'ann' }))
    expect(answer.status).toBe(201)
    const { id: requestId, createdAt } = answer.body.data
    expect(answer.body.data).toEqual({
      id: requestId,
      transactionId: id,
      type: 'RFI',
      message: 'Please explain',
      data,
      by: 'user ann',
      createdAt,
    })
    const second = await ask(id, { message: 'And?', data: null })
    expect(second.body.data).toMatchObject({ type: 'INFORMATION', data: null, by: null })
    const { additionalRequests } = (await manager.get(`/transactions/${id}`)).body.data
    expect(additionalRequests).toEqual([answer.body.data, second.body.data])
  })

  test.each([
    [{}, 'message should not be empty'],
    [{ message: '' }, 'message should not be empty'],
    [{ message: 'x'.repeat(4001) }, 'message must be at most 4000 characters long'],
    [{ message: 'x', type: '' }, 'type should not be empty'],
    [{ message: 'x', data: [] }, 'data must be an object or null'],
    [{ message: 'x', data: { text: 'x'.repeat(33_000) } }, 'data must be at most 32 KiB of JSON or null'],
  ])('refuses %j', async (body, message) => {
    const { id } = await deposit(manager, bank.id)
    expect(refused(await ask(id, body), 400).message).toBe(message)
  })

  test('404 for an unknown id', async () => {
    refused(await ask(nobody, { message: 'x' }), 404)
    expect(refused(await ask('x', { message: 'x' }), 400).message).toBe(uuidExpected)
  })

  test('accepts 100 per payment, and no more', async () => {
    const { id } = await deposit(manager, bank.id)
    const answers = await Promise.all(Array.from({ length: 101 }, (_, i) => ask(id, { message: `${i}` })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(refused(await ask(id, { message: 'x' }), 409).message).toBe(
      `Transaction ${id} already has 100 additional requests`,
    )
  })

  test('answers a repeat with the same key as before', async () => {
    const { id } = await deposit(manager, bank.id)
    const headers = { 'idempotency-key': 'ask-1' }
    const first = await ask(id, { message: 'x' }, headers)
    expect((await ask(id, { message: 'x' }, headers)).body).toEqual(first.body)
    refused(await ask(id, { message: 'y' }, headers), 422)
  })
})

describe('the service', () => {
  test.each([
    ['DELETE', '/transactions'],
    ['DELETE', `/transactions/${nobody}`],
    ['POST', '/transactions'],
    ['GET', '/transfer'],
    ['GET', '/withdrawal'],
    ['PATCH', `/transfer/${nobody}`],
    ['GET', '/management/deposit'],
  ])('answers %s %s with 405', async (method, path) => {
    const answer = await manager.ask(method, path)
    expect(refused(answer, 405).code).toBe('METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBeTruthy()
  })

  test('answers with and without /v1', async () => {
    const { id } = await deposit(manager, bank.id)
    const answer = await manager.fetch(new Request(`http://localhost/transactions/${id}`))
    expect(answer.status).toBe(200)
  })

  test('hides its internal routes from external callers', async () => {
    for (const headers of [{}, await manager.as({ roles: ['admin'] }), await manager.asParticipant(nobody)]) {
      refused(await manager.get('/internal/payments/changes', headers), 401)
      refused(await manager.get(`/internal/credit-lines?participantIds=${nobody}`, headers), 401)
      const limit = { currency: 'USD', limit: '5' }
      refused(await manager.put(`/internal/credit-lines/${nobody}`, limit, headers), 401)
    }
  })
})
