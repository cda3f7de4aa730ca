import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestTransactionManager, uuidExpected } from './harness'
import { deposit, made, transfer } from './requests'

let manager: TestTransactionManager
let bank: { id: string; participantId: string; custodianBankId: string }
beforeAll(async () => {
  manager = await openService()
  bank = (await manager.party()).bank
})
afterAll(() => manager.close())

const body = (more: object = {}) => ({ amount: '1000.50', currency: 'USD', participantBankId: bank.id, ...more })

describe('PUT /deposit/{transactionId}/update', () => {
  test('changes only the given fields', async () => {
    const made = await deposit(manager, bank.id, { description: 'before' })
    const first = await manager.put(`/deposit/${made.id}/update`, { description: 'after' })
    expect([first.status, first.body.data.description, first.body.data.transactionHash]).toEqual([200, 'after', null])
    const second = await manager.put(`/deposit/${made.id.toUpperCase()}/update`, { transactionHash: 'WIRE-1' })
    expect([second.body.data.description, second.body.data.transactionHash]).toEqual(['after', 'WIRE-1'])
    const third = await manager.put(`/deposit/${made.id}/update`, {
      description: null,
      amount: '5',
      status: 'COMPLETED',
    })
    const { updatedAt } = third.body.data
    expect(third.body.data).toEqual({ ...made, description: null, transactionHash: 'WIRE-1', updatedAt })
    const { history } = (await manager.get(`/transactions/${made.id}`)).body.data
    expect(history.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [],
      [{ field: 'description', before: 'before', after: 'after' }],
      [{ field: 'transactionHash', before: null, after: 'WIRE-1' }],
      [{ field: 'description', before: 'after', after: null }],
    ])
  })

  test('changes nothing when the values are the same', async () => {
    const made = await deposit(manager, bank.id, { description: 'same' })
    const { body: answer } = await manager.put(`/deposit/${made.id}/update`, { description: 'same' })
    expect(answer.data).toEqual(made)
    expect((await manager.get(`/transactions/${made.id}`)).body.data.history).toHaveLength(1)
  })

  test('keeps a known hash, and hashes are unique', async () => {
    const [one, other] = [await deposit(manager, bank.id), await deposit(manager, bank.id)]
    await manager.put(`/deposit/${one.id}/update`, { transactionHash: '0xAA11' })
    expect((await manager.put(`/deposit/${one.id}/update`, { transactionHash: '0xaa11' })).status).toBe(200)
    expect(refused(await manager.put(`/deposit/${one.id}/update`, { transactionHash: '0xBB' }), 409).message).toBe(
      `Transaction ${one.id} has the transactionHash 0xaa11`,
    )
    expect(refused(await manager.put(`/deposit/${other.id}/update`, { transactionHash: '0xaA11' }), 409).message).toBe(
      `Transaction ${one.id} has this transactionHash`,
    )
  })

  test('a repeated status may repeat its hash, in either case, and bring no other one', async () => {
    const { id, reference } = await deposit(manager, bank.id)
    const complete = (transactionHash: string) =>
      manager.put(`/deposit/${reference}`, { status: 'COMPLETED', transactionHash })
    const answers = [await complete('0xCAFE01'), await complete('0xCAFE01'), await complete('0xcafe01')]
    expect(answers.map(({ status, body }) => [status, body.data.transactionHash])).toEqual(
      Array(3).fill([200, '0xcafe01']),
    )
    expect(refused(await complete('0xCAFE02'), 409).message).toBe(`Transaction ${id} is already COMPLETED`)
  })

  test('keeps the description of an ended deposit', async () => {
    const { id, reference } = await deposit(manager, bank.id)
    await manager.put(`/deposit/${reference}`, { status: 'CANCELLED' })
    expect(refused(await manager.put(`/deposit/${id}/update`, { description: 'late' }), 409).message).toBe(
      `Transaction ${id} is CANCELLED: its description can no longer change`,
    )
    expect((await manager.put(`/deposit/${id}/update`, { transactionHash: 'LATE-1' })).status).toBe(200)
  })

  test('does not count as a change of status: the last one may still be repeated', async () => {
    const { id, reference } = await deposit(manager, bank.id)
    const [ann, bob] = [await manager.as({ subject: 'ann' }), await manager.as({ subject: 'bob' })]
    await manager.put(`/deposit/${reference}`, { status: 'IN_REVIEW' }, ann)
    await manager.put(`/deposit/${id}/update`, { description: 'x' }, bob)
    expect((await manager.put(`/deposit/${reference}`, { status: 'IN_REVIEW' }, ann)).status).toBe(200)
    refused(await manager.put(`/deposit/${reference}`, { status: 'IN_REVIEW' }, bob), 409)
  })

  test('404 for a payment that is not a deposit', async () => {
    const other = await manager.party()
    const { id } = await transfer(manager, bank.id, other.bank.id)
    refused(await manager.put(`/deposit/${id}/update`, { description: 'x' }), 404)
    refused(await manager.put(`/deposit/${nobody}/update`, { description: 'x' }), 404)
    expect(refused(await manager.put('/deposit/INV-1/update', { description: 'x' }), 400).message).toBe(uuidExpected)
  })
})

describe('digital-obligation deposits', () => {
  test('begin with POST /do-deposit, and are updated by their reference', async () => {
    const payment = await made(manager, '/do-deposit', body({ reference: 'DO-1' }))
    expect([payment.type, payment.status, payment.wireInstructions]).toEqual(['DO_DEPOSIT', 'PENDING', undefined])
    expect((await manager.get('/do-deposit/do-1')).body.data).toEqual(payment)
    const moved = await manager.put('/do-deposit/DO-1', { status: 'COMPLETED' })
    expect([moved.status, moved.body.data.status]).toEqual([200, 'COMPLETED'])
    refused(await manager.get('/do-deposit/DO-1'), 404)
    refused(await manager.put('/do-deposit/DO-1', { status: 'FAILED' }), 409)
    refused(await manager.put('/do-deposit/DO-2', { status: 'FAILED' }), 404)
    refused(await manager.put('/deposit/DO-1', { status: 'FAILED' }), 404)
    refused(await manager.put('/do-deposit/DO-1', { status: 1 }), 400)
  })

  test('are refused like deposits', async () => {
    refused(await manager.post('/do-deposit', body({ amount: '0' })), 400)
    refused(await manager.post('/do-deposit', body({ participantBankId: 'nowhere' })), 404)
    await made(manager, '/do-deposit', body({ reference: 'DO-3' }))
    refused(await manager.post('/do-deposit', body({ reference: 'DO-3' })), 409)
    refused(await manager.post('/do-deposit', body({ currency: 'EUR' })), 422)
  })
})

describe('POST /management/deposit', () => {
  test('creates an internal deposit, which is updated like a deposit', async () => {
    const payment = await made(manager, '/management/deposit', body({ reference: 'INT-1' }))
    expect([payment.type, payment.wireInstructions]).toEqual(['INTERNAL_DEPOSIT', undefined])
    expect((await manager.get('/deposit/INT-1')).body.data).toEqual(payment)
    expect((await manager.put('/deposit/INT-1', { status: 'COMPLETED' })).body.data.status).toBe('COMPLETED')
  })

  test('is refused like a deposit', async () => {
    refused(await manager.post('/management/deposit', body({ amount: 'x' })), 400)
    refused(await manager.post('/management/deposit', body({ participantBankId: 'nowhere' })), 404)
    await made(manager, '/management/deposit', body({ reference: 'INT-2' }))
    refused(await manager.post('/management/deposit', body({ reference: 'INT-2' })), 409)
  })
})
