import { afterAll, describe, expect, test } from 'bun:test'
import { alice, bob, refused, testBlockchain } from './harness'
import { participantId, poorId, startPaying, transfer, withdraw } from './paying'

const { service, participant, as, byReference, reached, stop } = await startPaying()
afterAll(stop)

describe('POST /transactions/withdraw', () => {
  test('201: to the redemption address of its network', async () => {
    const input = withdraw({ network: 'polygon' })
    const { status, body } = await service.post('/transactions/withdraw', input, as)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'withdraw',
      iban: 'DE89370400440532013000',
      swift: 'COBADEFF',
      destinationAddress: bob,
      network: 'polygon',
      status: 'pending',
    })
    await reached('withdraw', input.transactionId, 'confirmed')
    expect((await service.post('/transactions/withdraw', withdraw(), as)).body.destinationAddress).toMatch(
      /^0x[0-9a-f]{40}$/,
    )
  })

  test.each([
    [{ iban: 'DE88370400440532013000' }, 'iban has a wrong check sum'],
    [{ iban: 'x' }, /^iban must be an IBAN/],
    [{ swift: 'COBA' }, /^swift must be a BIC/],
    [{ swift: 5 }, 'swift must be a string'],
    [{ amount: '-1' }, /^amount must be a decimal/],
    [{ currency: 'DOGE' }, 'currency is not known on any network here'],
  ])('400 for %j', async (fields, message) => {
    expect(refused(await service.post('/transactions/withdraw', withdraw(fields), as), 400).message).toMatch(message)
  })

  test('401 without a participant', async () => {
    expect(refused(await service.post('/transactions/withdraw', withdraw()), 401).code).toBe('UNAUTHORIZED')
  })

  test('422 on a real network without a redemption address', async () => {
    const own = await testBlockchain({
      env: { ETHEREUM_RPC_URLS: 'http://127.0.0.1:9' },
      urls: { participant: participant.url },
    })
    const answer = await own.post('/transactions/withdraw', withdraw(), await own.asParticipant(participantId))
    expect(refused(answer, 422).message).toBe(
      'No redemption address is set for ethereum, or none of that network (REDEMPTION_ADDRESSES)',
    )
    await own.stop()
  })
})

describe('POST /transactions/reference/{type}', () => {
  test('404 for a name that the caller has not used for that type', async () => {
    const input = transfer()
    await service.post('/transactions/transfer', input, as)
    expect((await byReference('transfer', input.transactionId)).status).toBe(200)
    expect(refused(await byReference('withdraw', input.transactionId), 404).code).toBe('NOT_FOUND')
    expect(
      refused(await byReference('transfer', input.transactionId, await service.asParticipant(poorId)), 404).code,
    ).toBe('NOT_FOUND')
  })

  test('400 without a transactionId; 401 without a participant', async () => {
    expect(refused(await service.post('/transactions/reference/transfer', {}, as), 400).message).toBe(
      'transactionId should not be empty',
    )
    expect(refused(await service.post('/transactions/reference/withdraw', { transactionId: 'x' }), 401).code).toBe(
      'UNAUTHORIZED',
    )
  })
})

test.each(['/transactions/swap', '/transactions/reference/swap'])(
  'POST %s: 404, there is no such type',
  async (path) => {
    expect(refused(await service.post(path, {}, as), 404).message).toBe(
      'There is no transaction type swap; there are withdraw and transfer',
    )
  },
)

describe('GET /transactions/{transactionHash}', () => {
  test('200 for a deposit, in whatever case its hash is written', async () => {
    const hash = await service.payIn(alice, '1')
    const { status, body } = await service.get(`/transactions/${hash.slice(2).toUpperCase()}`)
    expect([status, body.transactionHash, body.orderId]).toEqual([200, hash, null])
  })

  test.each([`0x${'1'.repeat(64)}`, 'x', '5'.repeat(88)])('404 for %s', async (hash) => {
    expect(refused(await service.get(`/transactions/${hash}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Transaction not found',
    })
  })

  test('400 for what is too long', async () => {
    expect(refused(await service.get(`/transactions/${'1'.repeat(129)}`), 400).code).toBe('INVALID_REQUEST')
  })
})
