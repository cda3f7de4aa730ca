import { describe, expect, test } from 'bun:test'
import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { hot, nobody, notUuid, refused, testWallets } from './harness'
import { fundedAccount, moveSend, oneAndAHalf, order, start, state, stranger, txHash } from './orders'
import { sharedWallets } from './own-wallets'
import { sign, toSign } from './signing'

const { peers, service } = await sharedWallets()

const refuse = (id: string, reason = 'never ordered') =>
  service.post(`/internal/withdrawals/${id}/refuse`, { reason }, service.ledger)
const changes = async (after = 0) =>
  (await service.get(`/internal/withdrawals/changes?after=${after}`, service.ledger)).body

describe('POST /internal/withdrawals', () => {
  test('accepts an order, sends it, and follows it until it is final', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    const body = order({ accountId })
    const { id } = body
    expect(await start(service, body)).toEqual({ id, status: 'accepted', txHash: null, reason: null })
    await service.drive()
    expect(peers.sends.get(id)?.order).toEqual({
      id,
      network: 'polygon',
      from: address,
      to: stranger,
      contractAddress: null,
      amount: oneAndAHalf.toString(),
      decimals: 18,
      feePayer: null,
      transactionData: null,
    })
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash() })
    expect(await state(service, id)).toEqual({ id, status: 'broadcast', txHash: txHash(), reason: null })
    await moveSend(service, peers, { id, status: 'confirmed' })
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash: txHash(), reason: null })

    const events = (await service.eventsNamed(WithdrawalChanged.name)).filter(
      ({ data }) => (data as { id: string }).id === id,
    )
    // Of states that are published together only the newest goes out.
    const told = events.map(({ data }) => (data as { status: string }).status).join()
    expect(['broadcast,confirmed', 'confirmed']).toContain(told)
    const versions = events.map(({ data }) => (data as { version: number }).version)
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
  })

  test('to another account of this deployment is executed: the chain’s confirmation credits it', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    const other = await fundedAccount(service, peers)
    const body = order({ accountId, destinationAddress: other.address })
    await start(service, body)
    await service.drive()
    expect(peers.sends.get(body.id)?.order).toMatchObject({ from: address, to: other.address })
  })

  test('to the hot wallet, or to the account’s own address in any notation, is recorded as failed', async () => {
    const { accountId, address } = await fundedAccount(service, peers)
    for (const [destination, words] of [
      [hot.evm, 'is the hot wallet of this deployment'],
      [address, 'is the address of the account itself'],
    ] as const) {
      for (const destinationAddress of [destination, destination.toLowerCase()]) {
        const body = order({ accountId, destinationAddress })
        const answer = await start(service, body)
        expect(answer).toMatchObject({ id: body.id, status: 'failed', txHash: null })
        expect(answer.reason).toContain(words)
      }
    }
  })

  test('is the same order again under the same id, whatever its terms', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    await start(service, body)
    await service.drive()
    expect(await start(service, { ...body, amount: '2' })).toMatchObject({ status: 'accepted' })
    await service.drive(120_000)
    expect(peers.sends.get(body.id)?.order.amount).toBe(oneAndAHalf.toString())
    await moveSend(service, peers, { id: body.id, status: 'confirmed', txHash: txHash(2) })
    expect(await start(service, body)).toMatchObject({ status: 'confirmed', txHash: txHash(2) })
  })

  test.each([
    [
      'an address of another chain',
      { destinationAddress: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' },
      'destinationAddress must be an address of 0x',
    ],
    [
      'a wrong checksum',
      { destinationAddress: '0x742d35Cc6634c0532925a3b844bc454e4438f44e' },
      'destinationAddress must be in lower case',
    ],
    ['a contract that is none', { contractAddress: 'gold' }, 'contractAddress must be an address of 0x'],
    ['amount 0', { amount: '0' }, 'amount must be greater than 0'],
    ['too many decimals', { amount: '1.234', decimals: 2 }, 'amount must have at most 2 decimals'],
    ['an exponent', { amount: '1e3' }, 'amount must be a decimal number'],
    ['a network that is no name', { network: 'a/b' }, 'network a/b is no name'],
  ])('records %s as failed, with the reason', async (_, fields, reason) => {
    const body = order(fields)
    const answer = await start(service, body)
    expect(answer).toMatchObject({ id: body.id, status: 'failed', txHash: null })
    expect(answer.reason).toStartWith(reason)
    await service.drive()
    expect(peers.sends.has(body.id)).toBe(false)
    expect(await start(service, order({ id: body.id }))).toEqual(answer)
  })

  test('has as many digits as a chain has paid in, which a return sends back', async () => {
    const { accountId } = await fundedAccount(service, peers, 10n ** 58n)
    const body = order({ accountId, amount: `${'9'.repeat(40)}.${'9'.repeat(18)}` })
    expect(await start(service, body)).toMatchObject({ status: 'accepted' })
    await service.drive()
    expect(peers.sends.get(body.id)?.order.amount).toBe('9'.repeat(58))
  })

  test('400 for an invalid order, and nothing is recorded', async () => {
    const post = (body: unknown) => service.post('/internal/withdrawals', body, service.ledger)
    expect(refused(await post({ ...order(), id: 'x' }), 400).message).toBe('id must be a UUID')
    const { id } = order()
    const { message } = refused(await post({ ...order({ id }), amount: 1, network: '' }), 400)
    expect(message).toBe('network should not be empty; amount must be a string')
    refused(await service.get(`/internal/withdrawals/${id}`, service.ledger), 404)
  })

  test('fails permanently with the blockchain service’s reason', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    await start(service, body)
    await service.drive()
    await moveSend(service, peers, { id: body.id, status: 'failed', reason: 'execution reverted: paused' })
    expect(await state(service, body.id)).toMatchObject({ status: 'failed', reason: 'execution reverted: paused' })
    await moveSend(service, peers, { id: body.id, status: 'confirmed', txHash: txHash() })
    expect(await state(service, body.id)).toMatchObject({ status: 'failed' })
  })
})

describe('GET /internal/withdrawals/:id', () => {
  test('404 for an id without an order, 400 for an invalid id', async () => {
    expect(refused(await service.get(`/internal/withdrawals/${nobody}`, service.ledger), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.get('/internal/withdrawals/x', service.ledger), 400)).toEqual(notUuid)
  })
})

describe('POST /internal/withdrawals/:id/refuse', () => {
  test('an id without an order is never paid, whatever order comes later', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    const { id } = body
    const tombstone = { id, status: 'failed' as const, txHash: null, reason: 'never ordered' }
    expect((await refuse(id)).body).toEqual(tombstone)
    expect(await start(service, body)).toEqual(tombstone)
    await service.drive()
    expect(peers.sends.has(id)).toBe(false)
    expect((await refuse(id, 'another reason')).body).toEqual(tombstone)
    const said = (await service.eventsNamed(WithdrawalChanged.name)).filter(
      ({ data }) => (data as { id: string }).id === id,
    )
    expect(said.map(({ data }) => data)).toMatchObject([tombstone])
  })

  test('a signed withdrawal is not changed, and is returned', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    await start(service, body)
    await service.drive()
    expect((await sign(service, toSign(peers, body.id))).status).toBe(200)
    expect((await refuse(body.id)).body).toMatchObject({ status: 'accepted', reason: null })
    await moveSend(service, peers, { id: body.id, status: 'confirmed', txHash: txHash() })
    expect((await refuse(body.id)).body).toMatchObject({ status: 'confirmed', reason: null })
  })

  test('one that was sent and never signed ends by it, and is never signed', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const body = order({ accountId })
    await start(service, body)
    await service.drive()
    const answers = await Promise.all([refuse(body.id, 'rejected'), sign(service, toSign(peers, body.id))])
    const [refusal, signed] = answers.map(({ status }) => status)
    const { status } = await state(service, body.id)
    expect([refusal, status === 'failed' ? 422 : 200]).toEqual([200, signed])
    const other = order({ accountId })
    await start(service, other)
    await service.drive(120_000)
    expect((await refuse(other.id, 'rejected')).body).toMatchObject({ status: 'failed', reason: 'rejected' })
    expect(refused(await sign(service, toSign(peers, other.id, 1)), 422).message).toContain('has ended: failed')
  })

  test('an order that waits for a payer ends by it, and is never paid', async () => {
    const body = order({ accountId: peers.account(), network: 'base' })
    await start(service, body)
    await service.drive()
    expect((await refuse(body.id, 'no funds')).body).toMatchObject({ status: 'failed', reason: 'no funds' })
    peers.hold('base', hot.evm, { native: '9999999999999999999' })
    await service.drive(120_000)
    expect(peers.sends.has(body.id)).toBe(false)
    expect(await start(service, body)).toMatchObject({ status: 'failed', reason: 'no funds' })
  })

  test('during signing either it or the signature wins, never both', async () => {
    for (let round = 0; round < 8; round++) {
      const { accountId } = await fundedAccount(service, peers)
      const body = order({ accountId })
      await start(service, body)
      await service.drive()
      const [signed, { body: refusal }] = await Promise.all([sign(service, toSign(peers, body.id)), refuse(body.id)])
      expect(signed.status).toBe(refusal.status === 'failed' ? 422 : 200)
    }
  })

  test('400 without a reason, or for an invalid id', async () => {
    expect(refused(await service.post(`/internal/withdrawals/${nobody}/refuse`, {}, service.ledger), 400).message).toBe(
      'reason should not be empty',
    )
    expect(refused(await refuse('x'), 400)).toEqual(notUuid)
    refused(await service.get(`/internal/withdrawals/${nobody}`, service.ledger), 404)
  })
})

describe('GET /internal/withdrawals/changes', () => {
  test('lists each record once, as it is now, in the order of its last change', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const before = (await changes()).items.at(-1)?.version ?? 0
    const [one, other] = [order({ accountId }), order({ accountId })]
    await start(service, one)
    await start(service, other)
    await service.drive()
    await moveSend(service, peers, { id: one.id, status: 'broadcast', txHash: txHash(3) })
    const { epoch, items, more } = await changes(before)
    expect(epoch).toBeGreaterThan(0)
    expect(more).toBe(false)
    expect(items.map(({ record }: { record: { id: string; status: string } }) => [record.id, record.status])).toEqual([
      [other.id, 'accepted'],
      [one.id, 'broadcast'],
    ])
  })

  test('returns 500 at a time', async () => {
    const fresh = await testWallets(peers)
    const refuse = () => fresh.post(`/internal/withdrawals/${Bun.randomUUIDv7()}/refuse`, { reason: 'x' }, fresh.ledger)
    await Promise.all(Array.from({ length: 501 }, refuse))
    const get = async (after: number) =>
      (await fresh.get(`/internal/withdrawals/changes?after=${after}`, fresh.ledger)).body
    const first = await get(0)
    expect([first.items.length, first.more]).toEqual([500, true])
    const second = await get(first.items.at(-1).version)
    expect([second.items.length, second.more]).toEqual([1, false])
    await fresh.close()
  })
})

test('every internal POST is for services alone', async () => {
  const participant = await service.asParticipant(nobody)
  for (const headers of [{}, participant]) {
    for (const [path, body] of [
      ['/internal/withdrawals', order()],
      [`/internal/withdrawals/${nobody}/refuse`, { reason: 'x' }],
      ['/internal/sign-transaction', { orderId: nobody, network: 'polygon', signers: ['x'], unsigned: '{}' }],
      ['/internal/portfolio/execute', { accountId: nobody, chainId: 1, transactionData: {} }],
      ['/internal/portfolio/sign-message', { accountId: nobody, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }],
    ] as const) {
      expect(refused(await service.post(path, body, headers), 401).code).toBe('UNAUTHORIZED')
    }
  }
})
