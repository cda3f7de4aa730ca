import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HistoryLine } from '../src/payments/payments.model'
import { nobody, openService, refused, type TestTransactionManager, uuidExpected } from './harness'
import { deposit, through, transfer } from './requests'

let manager: TestTransactionManager
let payer: { id: string; participantId: string }
let payee: { id: string; participantId: string }
beforeAll(async () => {
  manager = await openService()
  payer = (await manager.party({ name: 'Payer' })).bank
  payee = (await manager.party({ name: 'Payee' })).bank
})
afterAll(() => manager.close())

const body = (more: object = {}) => ({
  amount: '75.50',
  currency: 'USD',
  fromParticipantBankId: payer.id,
  toParticipantBankId: payee.id,
  ...more,
})
const historyOf = async (id: string): Promise<HistoryLine[]> =>
  (await manager.get(`/transactions/${id}`)).body.data.history

describe('POST /transfer', () => {
  test('answers with the record', async () => {
    const answer = await manager.post('/transfer', body({ reference: 'T-1', description: 'Invoice 204' }))
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      type: 'TRANSFER',
      status: 'PENDING',
      amount: '75.5',
      fromParticipant: payer.participantId,
      toParticipant: payee.participantId,
      from: { participantName: 'Payer', participantBankId: payer.id },
      to: { participantName: 'Payee', participantBankId: payee.id },
      reference: 'T-1',
      description: 'Invoice 204',
    })
  })

  test('takes participants’ ids to mean their accounts', async () => {
    const sides = { fromParticipantBankId: payer.participantId, toParticipantBankId: payee.participantId }
    const { body: answer } = await manager.post('/transfer', body(sides))
    expect([answer.data.from.participantBankId, answer.data.to.participantBankId]).toEqual([payer.id, payee.id])
  })

  test('is refused for unknown or paused parties', async () => {
    refused(await manager.post('/transfer', body({ amount: '1.234' })), 400)
    refused(await manager.post('/transfer', body({ toParticipantBankId: undefined })), 400)
    for (const side of ['fromParticipantBankId', 'toParticipantBankId']) {
      const { message } = refused(await manager.post('/transfer', body({ [side]: 'nowhere' })), 404)
      expect(message).toStartWith(`${side} nowhere is neither a known bank account`)
      const paused = await manager.party({ name: 'Tired', status: 'PAUSED' })
      const refusal = refused(await manager.post('/transfer', body({ [side]: paused.bank.id })), 409)
      expect(refusal.message).toStartWith(`The participant Tired of ${side} is PAUSED`)
      const { id } = await manager.bank(payer.participantId, { currency: 'EUR' })
      refused(await manager.post('/transfer', body({ [side]: id })), 422)
    }
    await transfer(manager, payer.id, payee.id, { reference: 'T-2' })
    refused(await manager.post('/transfer', body({ reference: 't-2' })), 409)
  })

  test('is refused from an account to itself', async () => {
    expect(refused(await manager.post('/transfer', body({ toParticipantBankId: payer.id })), 422).message).toBe(
      'Both sides of the transfer are the same account',
    )
  })

  test('answers a repeat with the same key as before', async () => {
    const headers = { 'idempotency-key': 'transfer-1' }
    const answers = [await manager.post('/transfer', body(), headers), await manager.post('/transfer', body(), headers)]
    expect(answers.map(({ body: { data } }) => data.id)).toEqual([answers[0]?.body.data.id, answers[0]?.body.data.id])
    refused(await manager.post('/transfer', body({ amount: '1' }), headers), 422)
  })
})

describe('POST /transfer/execute-many-send-payment', () => {
  const path = '/transfer/execute-many-send-payment'

  test('returns a result for each transfer', async () => {
    const transfers = [
      body({ reference: 'MANY-1' }),
      body({ amount: '0' }),
      body({ reference: 'many-1' }),
      body({ currency: 'ZZZ' }),
      body({ toParticipantBankId: 'nowhere' }),
      body({ toParticipantBankId: payer.id }),
      body({ reference: 'MANY-2' }),
    ]
    const { status, body: answer } = await manager.post(path, { transfers })
    expect(status).toBe(200)
    const shown = answer.data.map(({ index, status, transaction, error }: ManyAnswer) => [
      index,
      status,
      transaction?.reference ?? error?.code,
    ])
    expect(shown).toEqual([
      [0, 201, 'MANY-1'],
      [1, 400, 'INVALID_REQUEST'],
      [2, 409, 'CONFLICT'],
      [3, 400, 'INVALID_REQUEST'],
      [4, 404, 'NOT_FOUND'],
      [5, 422, 'UNPROCESSABLE'],
      [6, 201, 'MANY-2'],
    ])
    const stored = await manager.get(`/transactions/${answer.data[6].transaction.id}`)
    expect(stored.body.data).toMatchObject(answer.data[6].transaction)
  })

  test('leaves nothing of a refused transfer', async () => {
    const { pfi, bank } = await manager.party({ name: 'Small' })
    await manager.creditLine(pfi.id, { currency: 'USD', limit: '100' })
    const from = { fromParticipantBankId: bank.id }
    const transfers = [
      body({ ...from, amount: '60' }),
      body({ ...from, amount: '60', reference: 'FREE-1' }),
      body({ ...from, amount: '40', reference: 'FREE-1' }),
    ]
    const { body: answer } = await manager.post(path, { transfers })
    expect(answer.data.map(({ status }: ManyAnswer) => status)).toEqual([201, 409, 201])
    expect(await manager.lineOf(pfi.id)).toMatchObject({ used: '100', available: '0' })
    expect((await manager.get('/transactions?search=small')).body.pageInfo.total).toBe(2)
  })

  test('accepts up to 100, and refuses more, none, and invalid bodies', async () => {
    const many = (count: number) => ({ transfers: Array.from({ length: count }, () => body()) })
    const most = await manager.post(path, many(100))
    expect([most.status, most.body.data.length]).toEqual([200, 100])
    expect(new Set(most.body.data.map(({ transaction }: ManyAnswer) => transaction?.id)).size).toBe(100)
    expect(refused(await manager.post(path, many(101)), 400).message).toBe('transfers must have 1 to 100 items')
    expect(refused(await manager.post(path, many(0)), 400).message).toBe('transfers must have 1 to 100 items')
    expect(refused(await manager.post(path, { transfers: [body(), { ...body(), amount: 5 }] }), 400).message).toBe(
      'transfers.1.amount must be a string',
    )
  })

  test('answers a repeat with the same key as before, and creates nothing again', async () => {
    const headers = { 'idempotency-key': 'many-1' }
    const many = { transfers: [body(), body({ amount: '0' })] }
    const first = await manager.post(path, many, headers)
    const total = (await manager.get('/transactions?limit=0')).body.pageInfo.total
    const again = await manager.post(path, many, headers)
    expect(again.body).toEqual(first.body)
    expect((await manager.get('/transactions?limit=0')).body.pageInfo.total).toBe(total)
    refused(await manager.post(path, { transfers: [body()] }, headers), 422)
  })

  interface ManyAnswer {
    index: number
    status: number
    transaction?: { id: string; reference: string }
    error?: { code: string }
  }
})

describe('POST /transfer/cancel', () => {
  test('cancels a transfer that is not yet being carried out', async () => {
    for (const before of [[], ['IN_REVIEW'], ['APPROVED']]) {
      const { id } = await transfer(manager, payer.id, payee.id)
      await through(manager, '/transfer', id, ...before)
      const answer = await manager.post('/transfer/cancel', { transactionId: id, comment: 'Sent twice' })
      expect([answer.status, answer.body.data.status]).toEqual([200, 'CANCELLED'])
      expect((await historyOf(id)).at(-1)).toMatchObject({ to: 'CANCELLED', comment: 'Sent twice' })
    }
  })

  test('is refused once it is carried out, and for other payments', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    await through(manager, '/transfer', id, 'APPROVED', 'PROCESSING')
    expect(refused(await manager.post('/transfer/cancel', { transactionId: id }), 409).message).toBe(
      `Transaction ${id} is a TRANSFER that is PROCESSING and cannot become CANCELLED`,
    )
    const other = await deposit(manager, payee.id)
    refused(await manager.post('/transfer/cancel', { transactionId: other.id }), 404)
    refused(await manager.post('/transfer/cancel', { transactionId: nobody }), 404)
    refused(await manager.post('/transfer/cancel', {}), 400)
    refused(await manager.post('/transfer/cancel', { transactionId: 'x' }), 400)
  })

  test('may be repeated', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    const headers = { 'idempotency-key': 'cancel-1' }
    const answers = [
      await manager.post('/transfer/cancel', { transactionId: id }, headers),
      await manager.post('/transfer/cancel', { transactionId: id }, headers),
      await manager.post('/transfer/cancel', { transactionId: id }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await historyOf(id)).toHaveLength(2)
  })
})

describe('PUT /transfer/{transactionId}', () => {
  test('takes a transfer to its end', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    await through(manager, '/transfer', id, 'APPROVED', 'PROCESSING')
    const answer = await manager.put(`/transfer/${id}`, { status: 'FAILED', comment: 'The bank sent it back' })
    expect([answer.status, answer.body.data.status]).toEqual([200, 'FAILED'])
  })

  test('is refused for an invalid transition, and for other payments', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    for (const status of ['PROCESSING', 'COMPLETED', 'FAILED']) {
      refused(await manager.put(`/transfer/${id}`, { status }), 409)
    }
    refused(await manager.put(`/transfer/${(await deposit(manager, payee.id)).id}`, { status: 'APPROVED' }), 404)
    refused(await manager.put(`/transfer/${nobody}`, { status: 'APPROVED' }), 404)
    expect(refused(await manager.put('/transfer/cancel', { status: 'APPROVED' }), 400).message).toBe(uuidExpected)
    refused(await manager.put(`/transfer/${id}`, { status: null }), 400)
  })
})

describe('PUT /transfer/{transactionId}/review', () => {
  test('begins and ends a review', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    const begun = await manager.put(`/transfer/${id}/review`, { status: 'IN_REVIEW' })
    expect([begun.status, begun.body.data.status]).toEqual([200, 'IN_REVIEW'])
    const ended = await manager.put(`/transfer/${id}/review`, { status: 'APPROVED', comment: 'Invoice seen' })
    expect([ended.status, ended.body.data.status]).toEqual([200, 'APPROVED'])
  })

  test('is refused for an invalid review, a reviewed transfer, and other payments', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    expect(refused(await manager.put(`/transfer/${id}/review`, { status: 'COMPLETED' }), 400).message).toBe(
      'status must be one of the following values: IN_REVIEW, APPROVED, REJECTED',
    )
    await through(manager, '/transfer', id, 'APPROVED')
    refused(await manager.put(`/transfer/${id}/review`, { status: 'REJECTED' }), 409)
    refused(await manager.put(`/transfer/${nobody}/review`, { status: 'REJECTED' }), 404)
    expect(refused(await manager.put('/transfer/x/review', { status: 'REJECTED' }), 400).message).toBe(uuidExpected)
  })

  test('has one winner of two concurrent ones', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    const [ann, bob] = [await manager.as({ subject: 'ann' }), await manager.as({ subject: 'bob' })]
    const answers = await Promise.all([
      manager.put(`/transfer/${id}/review`, { status: 'APPROVED' }, ann),
      manager.put(`/transfer/${id}/review`, { status: 'REJECTED' }, bob),
      manager.put(`/transfer/${id}/review`, { status: 'APPROVED' }, bob),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const history = await historyOf(id)
    expect(history).toHaveLength(2)
    const winner = answers.find(({ status }) => status === 200)?.body.data.status
    expect(history[1]).toMatchObject({ from: 'PENDING', to: winner })
  })

  test('may be repeated by its own caller only', async () => {
    const { id } = await transfer(manager, payer.id, payee.id)
    const [ann, bob] = [await manager.as({ subject: 'ann' }), await manager.as({ subject: 'bob' })]
    const first = await manager.put(`/transfer/${id}/review`, { status: 'APPROVED' }, ann)
    const again = await manager.put(`/transfer/${id}/review`, { status: 'APPROVED' }, ann)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(refused(await manager.put(`/transfer/${id}/review`, { status: 'APPROVED' }, bob), 409).message).toBe(
      `Transaction ${id} is already APPROVED`,
    )
    const events = (await manager.events()).filter(({ data }) => (data as { id: string }).id === id)
    expect(events.map(({ name }) => name)).toEqual([
      'transaction-manager.payment.created',
      'transaction-manager.payment.moved',
    ])
  })
})
