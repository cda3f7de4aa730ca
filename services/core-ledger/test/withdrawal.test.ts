import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, make, makeAsset, makeBench, outside, trackerLines, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger)
})
afterAll(() => ledger.close())

const withdraw = (fields: object = {}, of = bench) =>
  ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(of, '1', fields))
const nowhere = '00000000-0000-7000-8000-000000000000'

describe('POST /transactions/withdrawal', () => {
  test('201, PENDING, and the amount is frozen', async () => {
    const own = await makeBench(ledger, '10.5')
    const { status, body } = await withdraw({ amount: '2.25', reference: 'inv-1' }, own)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      customerId: own.customerId,
      accountId: own.accountId,
      assetId: own.assetId,
      type: 'WITHDRAWAL',
      status: 'PENDING',
      amount: '2.25',
      network: 'ethereum',
      sourceAddress: null,
      destinationAddress: outside,
      reference: 'inv-1',
      txHash: null,
      screeningData: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
    })
    expect(await balanceOf(ledger, own)).toEqual(['8.25', '2.25', '10.5'])
  })

  test('all of it, and not a unit more', async () => {
    const own = await makeBench(ledger, '3')
    expect((await withdraw({ amount: '3.000001' }, own)).status).toBe(400)
    expect((await withdraw({ amount: '3.000000' }, own)).status).toBe(201)
    expect(await balanceOf(ledger, own)).toEqual(['0', '3', '3'])
  })

  test('400 for insufficient balance names available and asked, and changes nothing', async () => {
    const own = await makeBench(ledger, '3')
    const { status, body } = await withdraw({ amount: '4.5' }, own)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^Insufficient balance: 3 USD\d+ available, 4.5 USD\d+ asked$/)
    expect(body.details).toMatchObject({ available: '3', asked: '4.5' })
    expect(await balanceOf(ledger, own)).toEqual(['3', '0', '3'])
  })

  test('400 without any balance', async () => {
    const own = await makeBench(ledger, '0')
    expect((await withdraw({}, own)).body.message).toMatch(/^Insufficient balance: 0 /)
  })

  const amounts = ['1e5', ' 1', '1 ', '0x1', '-0', '-1', '+1', '0', '0.000000', '1.1234567', '01', '.5', '5.', '1,5']
  test.each([...amounts, 'abc', 'NaN', 'Infinity', '9'.repeat(39)])('400 for the amount %p', async (amount) => {
    const { status, body } = await withdraw({ amount })
    expect(status).toBe(400)
    expect(body.message).toMatch(/^amount must /)
  })

  test('400 for amounts that are no text, and for none', async () => {
    expect((await withdraw({ amount: 1 })).body.message).toEqual(['amount must be a string'])
    expect((await withdraw({ amount: '' })).body.message).toEqual(['amount should not be empty'])
  })

  test('400 names all missing fields', async () => {
    const { status, body } = await ledger.ask('POST', '/transactions/withdrawal', {})
    expect(status).toBe(400)
    expect(body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: ['accountId', 'network', 'assetId', 'amount', 'destinationAddress'].map(
        (field) => `${field} should not be empty`,
      ),
    })
  })

  test('400 for an assetId that is no UUID', async () => {
    expect((await withdraw({ assetId: 'usdc' })).body.message).toEqual(['assetId must be a UUID'])
  })

  test('400 for an address that is not valid', async () => {
    const wrong = '0x742d35Cc6634c0532925a3b844bc454e4438f44e'
    expect((await withdraw({ destinationAddress: wrong })).body.message).toMatch(/^destinationAddress must be in lower/)
    expect((await withdraw({ destinationAddress: 'abc' })).status).toBe(400)
  })

  test('400 for another network than the asset has', async () => {
    const { status, body } = await withdraw({ network: 'polygon' })
    expect(status).toBe(400)
    expect(body.message).toMatch(/^network must be ethereum/)
    expect((await withdraw({ network: 'Ethereum' })).body.network).toBe('ethereum')
  })

  test('404 for an asset that is not there, also a deleted one', async () => {
    const { status, body } = await withdraw({ assetId: nowhere })
    expect([status, body.message]).toEqual([404, `Asset ${nowhere} not found`])
    const deleted = await makeAsset(ledger)
    await ledger.ask('DELETE', `/assets/${deleted}`)
    expect((await withdraw({ assetId: deleted })).status).toBe(404)
  })

  test.each(['inactive', 'suspended', 'deleted'] as const)('400 for an account that is %s', async (status) => {
    const { id } = await ledger.account({ status })
    const refused = await withdraw({ accountId: id })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toBe(`Account ${id} is ${status}; only active accounts can be used`)
  })

  test('400 for an account whose customer is not active', async () => {
    const { id } = await ledger.account({ customerStatus: 'suspended' })
    expect((await withdraw({ accountId: id })).body.message).toMatch(/^Customer .* is suspended;/)
  })

  test('concurrent withdrawals never overdraw', async () => {
    const own = await makeBench(ledger, '10')
    const all = await Promise.all(Array.from({ length: 50 }, () => withdraw({ amount: '0.7' }, own)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(14)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(36)
    expect(await balanceOf(ledger, own)).toEqual(['0.2', '9.8', '10'])
  })

  test('200 concurrent copies under one key make one transaction', async () => {
    const own = await makeBench(ledger, '10')
    const body = withdrawalOf(own, '1')
    const headers = { 'idempotency-key': 'one' }
    const copies = Array.from({ length: 200 }, () => ledger.ask('POST', '/transactions/withdrawal', body, headers))
    const answers = await Promise.all(copies)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(await balanceOf(ledger, own)).toEqual(['9', '1', '10'])
    const later = await ledger.ask('POST', '/transactions/withdrawal', body, headers)
    expect(later.headers.get('idempotent-replayed')).toBe('true')
    expect(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id)).toContain(later.body.id)
    const { body: list } = await ledger.ask('GET', `/transactions?accountId=${own.accountId}&type=WITHDRAWAL`)
    expect(list).toHaveLength(1)
  })

  test('422 for a key that was used for another request', async () => {
    const own = await makeBench(ledger, '10')
    const headers = { 'x-idempotency-key': 'two' }
    await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(own, '1'), headers)
    expect((await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(own, '2'), headers)).status).toBe(422)
  })

  test('a refused request leaves its key free', async () => {
    const own = await makeBench(ledger, '1')
    const headers = { 'idempotency-key': 'three' }
    const body = withdrawalOf(own, '2')
    expect((await ledger.ask('POST', '/transactions/withdrawal', body, headers)).status).toBe(400)
    await makeBench(ledger, '1')
    expect((await ledger.ask('POST', '/transactions/withdrawal', { ...body, amount: '1' }, headers)).status).toBe(201)
  })

  test('has a line in the tracker', async () => {
    const own = await makeBench(ledger, '5')
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(own, '1.5'))
    const lines = await trackerLines(ledger)
    expect(lines.find(({ metadata }) => metadata.transaction_id === id)).toMatchObject({
      event_type: 'TRANSACTION_CREATED',
      status: 'PENDING',
      metadata: { action: 'created', type: 'WITHDRAWAL', amount: '1.5', account_id: own.accountId },
    })
  })
})
