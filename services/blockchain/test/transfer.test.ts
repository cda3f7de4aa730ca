import { afterAll, describe, expect, test } from 'bun:test'
import { alice, bob, hot, refused } from './harness'
import {
  deletedId,
  omnibusAccountId,
  participantId,
  participants,
  poorId,
  startPaying,
  transfer,
  withdraw,
} from './paying'
import { refusal } from './wallet'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const { service, participant, ledger, as, reached, stop } = await startPaying()
afterAll(stop)

describe('POST /transactions/transfer', () => {
  test('201, is a withdrawal of the ledger’s, sent and confirmed', async () => {
    const input = transfer()
    const { status, body } = await service.post('/transactions/transfer', input, as)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      type: 'transfer',
      transactionId: input.transactionId,
      status: 'pending',
      amount: '12.5',
      currency: 'USDC',
      network: 'ethereum',
      simulated: true,
      accountId: omnibusAccountId,
      destinationAddress: alice,
      iban: null,
      swift: null,
      transactionHash: null,
      reason: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    const done = await reached('transfer', input.transactionId, 'confirmed')
    expect(done.id).toBe(body.id)
    expect(done.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(ledger.orders.get(body.id)?.order).toEqual({
      id: body.id,
      accountId: omnibusAccountId,
      network: 'ethereum',
      contractAddress: usdc,
      amount: '12.5',
      destinationAddress: alice,
      reference: input.transactionId,
    })
    expect(service.wallet.withdrawals).toEqual([])
    const onChain = (await service.get(`/transactions/${done.transactionHash}`)).body
    expect(onChain).toEqual({
      transactionHash: done.transactionHash,
      network: 'ethereum',
      simulated: true,
      status: 'confirmed',
      reason: null,
      blockNumber: expect.any(Number),
      confirmations: expect.any(Number),
      timestamp: expect.stringMatching(/Z$/),
      orderId: ledger.orders.get(body.id)?.state.transactionId,
      transfers: [
        { fromAddress: hot, toAddress: alice, currency: 'USDC', contractAddress: usdc, amount: '12.5', decimals: 6 },
      ],
    })
  })

  test('by X-API-KEY alone; on the network that is named', async () => {
    const input = transfer({ network: 'polygon', currency: 'usdc' })
    const { status, body } = await service.post('/transactions/transfer', input, { 'x-api-key': 'sk_test_1' })
    expect([status, body.network, body.currency]).toEqual([201, 'polygon', 'USDC'])
    await reached('transfer', input.transactionId, 'confirmed')
  })

  test('200 the same again; 409 for another under the same transactionId; a withdrawal may have it', async () => {
    const input = transfer()
    const first = await service.post('/transactions/transfer', input, as)
    const again = await service.post('/transactions/transfer', input, as)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    const rewritten = await service.post('/transactions/transfer', { ...input, amount: '12.500' }, as)
    expect([rewritten.status, rewritten.body.id, rewritten.body.amount]).toEqual([200, first.body.id, '12.5'])
    expect(refused(await service.post('/transactions/transfer', { ...input, amount: '13' }, as), 409).code).toBe(
      'CONFLICT',
    )
    expect(
      refused(await service.post('/transactions/transfer', { ...input, destinationAddress: bob }, as), 409).code,
    ).toBe('CONFLICT')
    expect(
      (await service.post('/transactions/withdraw', withdraw({ transactionId: input.transactionId }), as)).status,
    ).toBe(201)
    await reached('transfer', input.transactionId, 'confirmed')
    expect(ledger.came.get(first.body.id)).toBe(1)
  })

  test('with an idempotency key is replayed', async () => {
    const input = transfer()
    const headers = { ...as, 'idempotency-key': 'order-1' }
    const first = await service.post('/transactions/transfer', input, headers)
    const again = await service.post('/transactions/transfer', input, headers)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(refused(await service.post('/transactions/transfer', transfer(), headers), 422).code).toBe('UNPROCESSABLE')
  })

  test.each([
    [{ amount: '0' }, 'amount must be greater than 0'],
    [{ amount: '1.1234567' }, 'amount must have at most 6 decimals'],
    [{ amount: '1e3' }, /^amount must be a decimal number/],
    [{ amount: 5 }, 'amount must be a string'],
    [{ currency: 'DOGE' }, 'currency is not known on any network here'],
    [{ currency: 'SOL', network: 'ethereum' }, 'currency is not known on ethereum'],
    [{ destinationAddress: 'nowhere' }, /^destinationAddress is not an address of ethereum, polygon/],
    [{ destinationAddress: alice, network: 'solana' }, 'destinationAddress is not an address of solana'],
    [{ transactionId: '' }, 'transactionId should not be empty'],
  ])('400 for %j', async (fields, message) => {
    expect(refused(await service.post('/transactions/transfer', transfer(fields), as), 400).message).toMatch(message)
  })

  test('400 names all that is missing', async () => {
    const { details } = refused(await service.post('/transactions/transfer', {}, as), 400)
    expect((details as { field: string }[]).map(({ field }) => field)).toEqual([
      'amount',
      'currency',
      'destinationAddress',
      'transactionId',
    ])
  })

  test('the destination chooses among the networks of a currency', async () => {
    const destinationAddress = '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi'
    const { body } = await service.post('/transactions/transfer', transfer({ destinationAddress }), as)
    expect(body.network).toBe('solana')
  })

  test('401 without a participant; 422 for one without an omnibus account', async () => {
    expect(refused(await service.post('/transactions/transfer', transfer()), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.post('/transactions/transfer', transfer(), { 'x-api-key': 'nobody' }), 401).code).toBe(
      'UNAUTHORIZED',
    )
    const gone = await service.asParticipant(deletedId)
    expect(refused(await service.post('/transactions/transfer', transfer(), gone), 401).code).toBe('UNAUTHORIZED')
    const poor = await service.asParticipant(poorId)
    expect(refused(await service.post('/transactions/transfer', transfer(), poor), 422).message).toMatch(
      /no omnibus account/,
    )
  })

  test('an omnibus account that was made a moment ago pays at once', async () => {
    let asked = 0
    participant.answer((request) => {
      asked += 1
      const { pathname } = new URL(request.url)
      const isKnown = asked > 2 || pathname !== `/internal/participants/${participantId}`
      return participants(isKnown ? request : new Request(request.url.replace(participantId, poorId)))
    })
    const { status, body } = await service.post('/transactions/transfer', transfer(), as)
    participant.answer(participants)
    expect([status, body.accountId, asked]).toEqual([201, omnibusAccountId, 3])
  })

  test.each([
    ['502 when the participant service fails', () => refusal(500, 'x'), 502, 'UPSTREAM_ERROR'],
    ['503 when it is not available', () => refusal(503, 'x'), 503, 'SERVICE_UNAVAILABLE'],
    ['504 when it is late', () => new Promise<Response>(() => {}), 504, 'UPSTREAM_TIMEOUT'],
  ])('%s', async (_what, answer, status, code) => {
    participant.answer(answer)
    const post = () => service.post('/transactions/transfer', transfer(), as)
    const answered = await service.impatiently(post, status === 504)
    participant.answer(participants)
    expect(refused(answered, status).code).toBe(code)
  })

  test('what the network refuses is failed, with its reason', async () => {
    const input = transfer({ amount: '100000' })
    await service.post('/transactions/transfer', input, as)
    expect((await reached('transfer', input.transactionId, 'failed')).reason).toMatch(/^insufficient funds/)
  })
})
