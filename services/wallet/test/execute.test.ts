import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { encodeFunctionData, erc20Abi, type Hex, serializeTransaction } from 'viem'
import { getOrder } from '../src/orders/orders'
import { orders } from '../src/orders/orders.table'
import { keepSignature } from '../src/orders/signatures'
import { expectStatus, hot, nobody, refused } from './harness'
import { moveSend, portfolioAccount, stranger, token, txHash } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

const execute = (body: object, headers: Record<string, string> = {}) =>
  service.post('/internal/portfolio/execute', body, { ...service.ledger, ...headers })

const portfolio = () => portfolioAccount({ peers, service })

/** The blockchain service sends what it is given at once, or says that it cannot. */
const sendsAtOnce = (outcome: { status: 'broadcast'; txHash: string } | { status: 'failed'; reason: string }) =>
  peers.fault(async (request, usual) => {
    if (request.method !== 'POST' || !request.url.endsWith('/internal/sends')) return usual()
    const { id } = (await request.clone().json()) as { id: string }
    await usual()
    const send = peers.sends.get(id)
    if (send) send.state = { ...send.state, ...outcome }
    return Response.json(send?.state)
  })

/** Each look at the clock finds a second gone: waiting for seconds is a few looks. */
function hurryTheClock() {
  const now = performance.now.bind(performance)
  let looks = 0
  spyOn(performance, 'now').mockImplementation(() => now() + 1000 * looks++)
}
afterEach(() => {
  mock.restore()
})

describe('POST /internal/portfolio/execute', () => {
  const transactionData = { to: stranger, value: '0x10', data: '0xdeadbeef', gas: '0x5208' }

  test('sends the transaction unchanged, and answers its hash', async () => {
    const { accountId, address } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const executed = expectStatus(await execute({ accountId, chainId: 1, transactionData }), 200)
    peers.fault(null)
    expect(executed).toEqual({ transactionId: expect.any(String), txHash: txHash(9) })
    expect(peers.sends.get(executed.transactionId)?.order).toEqual({
      id: executed.transactionId,
      network: 'ethereum',
      from: address,
      to: stranger,
      contractAddress: null,
      amount: '16',
      decimals: 18,
      feePayer: null,
      transactionData,
    })
    const said = (await service.eventsNamed(ExecutionChanged.name)).map(
      ({ data }) => data as { id: string; status: string },
    )
    expect(said.filter(({ id }) => id === executed.transactionId).map(({ status }) => status)).toEqual(['broadcast'])
    refused(await service.get(`/internal/withdrawals/${executed.transactionId}`, service.ledger), 404)
    const asked = { items: [executed.transactionId] }
    const records = await service.post('/internal/withdrawals/records', asked, service.ledger)
    expect(expectStatus(records, 200)).toEqual({ items: [null] })
  })

  test('on the chain that its network is by now', async () => {
    const { accountId } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const chainOf = async () => {
      const { transactionId } = expectStatus(await execute({ accountId, chainId: 137, transactionData }), 200)
      return (await getOrder(service.deps.store.read, transactionId)).chain?.kind
    }
    const usual = peers.networks
    expect(await chainOf()).toBe('simulated')
    peers.networks = usual.map((each) => ({ ...each, kind: 'evm' }))
    hurryTheClock()
    expect(await chainOf()).toBe('evm')
    peers.networks = usual
    peers.fault(null)
  })

  test('its transaction is signed only if it matches the order', async () => {
    const { accountId, address } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const { transactionId } = expectStatus(await execute({ accountId, chainId: 1, transactionData }), 200)
    peers.fault(null)
    const fees = { type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, maxFeePerGas: 10n ** 9n } as const
    const same = { ...fees, to: stranger as Hex, value: 16n, data: '0xdeadbeef' as Hex }
    const ask = (tx: typeof same) =>
      service.post(
        '/internal/sign-transaction',
        { orderId: transactionId, network: 'ethereum', signers: [address], unsigned: serializeTransaction(tx) },
        service.chain,
      )
    expectStatus(await ask(same), 200)
    refused(await ask({ ...same, value: 17n }), 422)
    refused(await ask({ ...same, data: '0xdeadbeee' }), 422)
    refused(await ask({ ...same, to: address }), 422)
  })

  test('the ledger authorises what it takes: value and maximum fee, tokens of a transfer, or that it cannot be decoded', async () => {
    const fees = { type: 'eip1559', chainId: 1, nonce: 0, gas: 50_000n, maxFeePerGas: 10n ** 9n } as const
    const transfer = (to: Hex, amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    const native = (wei: bigint) => ({ contractAddress: null, amount: wei.toString() })
    const mostFee = 50_000n * 10n ** 9n
    const cases: [{ to: Hex; value: bigint; data: Hex }, object][] = [
      [
        { to: stranger, value: 16n, data: '0x' },
        { takes: [native(16n + mostFee)], isOpaque: false },
      ],
      [
        { to: token, value: 0n, data: transfer(stranger, 2_500_000n) },
        { takes: [native(mostFee), { contractAddress: token, amount: '2500000' }], isOpaque: false },
      ],
      [
        { to: stranger, value: 16n, data: '0xdeadbeef' },
        { takes: [native(16n + mostFee)], isOpaque: true },
      ],
      [
        { to: token, value: 0n, data: `${transfer(stranger, 1n)}00` },
        { takes: [native(mostFee)], isOpaque: true },
      ],
      [
        { to: token, value: 0n, data: `0xa9059cbb${'f'.repeat(128)}` },
        { takes: [native(mostFee)], isOpaque: true },
      ],
    ]
    for (const [tx, takes] of cases) {
      const { accountId, address } = await portfolio()
      sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
      const raw = { to: tx.to, value: `0x${tx.value.toString(16)}`, data: tx.data }
      const { transactionId } = expectStatus(await execute({ accountId, chainId: 1, transactionData: raw }), 200)
      peers.fault(null)
      const unsigned = serializeTransaction({ ...fees, ...tx })
      const body = { orderId: transactionId, network: 'ethereum', signers: [address], unsigned }
      expectStatus(await service.post('/internal/sign-transaction', body, service.chain), 200)
      expect(peers.ledger.executions.at(-1)).toEqual({
        id: transactionId,
        accountId,
        network: 'ethereum',
        ...takes,
      } as never)
    }
  })

  test('what the ledger forbids is refused with its reason; while it is unavailable nothing is signed', async () => {
    const { accountId, address } = await portfolio()
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const { transactionId } = expectStatus(await execute({ accountId, chainId: 1, transactionData }), 200)
    peers.fault(null)
    const fees = { type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, maxFeePerGas: 10n ** 9n } as const
    const unsigned = serializeTransaction({ ...fees, to: stranger as Hex, value: 16n, data: '0xdeadbeef' })
    const body = { orderId: transactionId, network: 'ethereum', signers: [address], unsigned }
    const ask = () => service.post('/internal/sign-transaction', body, service.chain)
    peers.away.add('core-ledger')
    refused(await ask(), 503)
    peers.away.delete('core-ledger')
    peers.ledger.executionProblem = 'Not enough is free'
    expect(refused(await ask(), 422).message).toBe('The transaction is not signed: Not enough is free')
    peers.ledger.executionProblem = null
    expectStatus(await ask(), 200)
  })

  test('to pooled addresses it is executed, to the hot wallet it is 400, with coins and with tokens', async () => {
    const { accountId } = await portfolio()
    const pooled = await service.wallet(peers.account(), 'ethereum')
    const transfer = (to: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const ask = (raw: object) => execute({ accountId, chainId: 1, transactionData: raw })
    expectStatus(await ask({ to: pooled.address, value: '0x1' }), 200)
    for (const raw of [{ to: hot.evm }, { to: hot.evm.toLowerCase() }, { to: token, data: transfer(hot.evm as Hex) }]) {
      expect(refused(await ask(raw), 400).message).toStartWith('transactionData.to must not be the hot wallet')
    }
    peers.fault(null)
  })

  test('is the same execution again under the same key; another one under it is refused', async () => {
    const { accountId } = await portfolio()
    const key = { 'idempotency-key': Bun.randomUUIDv7() }
    sendsAtOnce({ status: 'broadcast', txHash: txHash(9) })
    const first = expectStatus(await execute({ accountId, chainId: 1, transactionData }, key), 200)
    expect((await execute({ accountId, chainId: 1, transactionData }, key)).body).toEqual(first)
    refused(await execute({ accountId, chainId: 1, transactionData: { to: stranger } }, key), 422)
    expect((await execute({ accountId, chainId: 1, transactionData })).body.transactionId).not.toBe(first.transactionId)
    peers.fault(null)
  })

  test('504 when it is not sent in time; a repeat with its key continues to wait, and sends it once', async () => {
    const { accountId } = await portfolio()
    const key = { 'idempotency-key': Bun.randomUUIDv7() }
    const before = peers.sends.size
    const body = { accountId, chainId: 1, transactionData }
    hurryTheClock()
    expect(refused(await execute(body, key), 504).code).toBe('UPSTREAM_TIMEOUT')
    mock.restore()
    const other = { ...body, transactionData: { ...transactionData, value: '0x11' } }
    expect(refused(await execute(other, key), 422).message).toBe(
      'This Idempotency-Key was used for another transaction',
    )
    const id = [...peers.sends.keys()].at(-1) ?? ''
    await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(5) })
    expect(expectStatus(await execute(body, key), 200)).toEqual({ transactionId: id, txHash: txHash(5) })
    expect(peers.sends.size).toBe(before + 1)
  })

  test('422 with the chain’s reason when it fails', async () => {
    const { accountId } = await portfolio()
    sendsAtOnce({ status: 'failed', reason: 'execution reverted: paused' })
    expect(refused(await execute({ accountId, chainId: 1, transactionData }), 422).message).toBe(
      'execution reverted: paused',
    )
    peers.fault(null)
  })

  test('400 for an invalid transaction, or another sender’s', async () => {
    const { accountId, address } = await portfolio()
    const ask = (fields: object) => execute({ accountId, chainId: 1, transactionData: { to: stranger, ...fields } })
    const bodies: [object, string][] = [
      [{ to: undefined }, 'transactionData.to must be an EVM address'],
      [{ to: 'x' }, 'transactionData.to must be an EVM address'],
      [{ value: 'ten' }, 'transactionData.value must be a whole number of wei'],
      [{ value: -1 }, 'transactionData.value must be a whole number of wei'],
      [{ value: 1.5 }, 'transactionData.value must be a whole number of wei'],
      [{ value: `0x1${'0'.repeat(64)}` }, 'transactionData.value must be a whole number of wei'],
      [{ data: 'abc' }, 'transactionData.data must be hexadecimal'],
      [{ data: '0x0' }, 'transactionData.data must be hexadecimal'],
      [{ data: '0x00', input: '0x01' }, 'transactionData.data and input must not differ'],
      [{ from: stranger }, `transactionData.from must be ${address}`],
      [{ from: 7 }, 'transactionData.from must be an EVM address'],
    ]
    for (const [fields, words] of bodies) expect(refused(await ask(fields), 400).message).toStartWith(words)
    refused(await execute({ accountId, chainId: 1, transactionData: [] }), 400)
  })

  test('404, 400 and 422 for accounts and chains, as for sign-message', async () => {
    refused(await execute({ accountId: nobody, chainId: 1, transactionData }), 404)
    refused(await execute({ accountId: peers.account(), chainId: 1, transactionData }), 400)
    refused(await execute({ accountId: peers.account('PORTFOLIO'), chainId: 424242, transactionData }), 422)
  })
})

test('a signed execution that the blockchain service has lost is listed, and an operator decides its end', async () => {
  const { accountId, address } = await portfolio()
  const hash = txHash(77)
  sendsAtOnce({ status: 'broadcast', txHash: hash })
  const body = { accountId, chainId: 1, transactionData: { to: stranger, value: '0x0', data: '0xdeadbeef' } }
  const { transactionId: id } = expectStatus<{ transactionId: string }>(await execute(body), 200)
  peers.fault(null)
  await service.deps.store.commit(async (tx) => {
    await tx.update(orders).set({ signedAt: new Date() }).where(eq(orders.id, id))
    await keepSignature(
      tx,
      id,
      0,
      { network: 'ethereum', sender: address, nonce: 3, blockhash: null, txHash: hash },
      new Date(),
    )
  })
  peers.sends.delete(id)
  await service.drive(61_000)
  const held = await service.get('/internal/held-orders', service.operator)
  const items = expectStatus<{ items: { id: string }[] }>(held, 200).items.filter((each) => each.id === id)
  expect(items).toMatchObject([{ id, why: 'lost', signed: [hash] }])
  expect((await service.deps.health.read()).waiting).toEqual([expect.stringContaining('wallet:held')])
  // It moves nothing to what it calls.
  peers.transactions.set(hash, { from: [address], to: [], transfers: [] })
  const paid = () => service.post(`/internal/held-orders/${id}/paid`, { txHash: hash }, service.operator)
  refused(await paid(), 422)
  peers.fates.set(hash, 'final')
  expectStatus(await paid(), 200)
  const ends = (await service.eventsNamed(ExecutionChanged.name)).map(
    ({ data }) => data as { id: string; status: string },
  )
  expect(ends.findLast((each) => each.id === id)).toMatchObject({ status: 'confirmed', txHash: hash })
  expect((await service.deps.health.read()).waiting ?? []).toEqual([])
})
