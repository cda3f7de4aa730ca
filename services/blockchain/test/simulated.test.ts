import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tempDir, until } from '@bursar/testing'
import { accountId, alice, bob, hot, newSend, refused, type TestBlockchain, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
})
afterAll(() => service.stop())

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

describe('POST /simulated/:network/deposits', () => {
  test('201, and a watched address gets a deposit that is published once', async () => {
    await service.watch(alice)
    const { status, body } = await service.post('/simulated/ethereum/deposits', {
      address: alice,
      asset: 'usdc',
      amount: '12.50',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      network: 'ethereum',
      simulated: true,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: expect.any(Number),
      address: alice,
      asset: 'USDC',
      amount: '12.5',
    })
    const deposit = await until(async () =>
      (await service.deposits()).find(({ txHash }) => txHash === body.transactionHash),
    )
    expect(deposit).toEqual({
      id: expect.any(String),
      network: 'ethereum',
      txHash: body.transactionHash,
      logIndex: 1,
      accountId,
      address: alice,
      sourceAddress: `0x${'0'.repeat(40)}`,
      contractAddress: usdc,
      amount: '12500000',
      decimals: 6,
      confirmedAt: expect.stringMatching(/Z$/),
    })
    const { body: page } = await service.internal('GET', '/deposits/changes')
    expect(page.items.map(({ record }: { record: object }) => record)).toContainEqual(deposit)
  })

  test('201 with an idempotency key pays in once', async () => {
    const key = { 'idempotency-key': 'pay-1' }
    const body = { address: '0x00000000000000000000000000000000000000d1', asset: 'ETH', amount: '1' }
    const first = await service.post('/simulated/ethereum/deposits', body, key)
    const again = await service.post('/simulated/ethereum/deposits', body, key)
    expect(again.body).toEqual(first.body)
    expect((await service.get(`/addresses/${body.address}`)).body.data[0].amount).toBe('1')
    expect(refused(await service.post('/simulated/ethereum/deposits', { ...body, amount: '2' }, key), 422).code).toBe(
      'UNPROCESSABLE',
    )
  })

  test.each([
    [{ address: 'nowhere' }, 'address is not an address of ethereum'],
    [{ sourceAddress: 'x' }, 'sourceAddress is not an address of ethereum'],
    [{ asset: 'DOGE' }, 'asset is not known on ethereum; there are ETH, USDC, USDT'],
    [{ amount: '0' }, 'amount must be greater than 0'],
    [{ amount: '1.0000000000000000001' }, 'amount must have at most 18 decimals'],
    [{ amount: '-1' }, /^amount must be a decimal number/],
    [{ amount: 5 }, 'amount must be a string'],
  ])('400 for %j', async (fields, message) => {
    const answer = await service.post('/simulated/ethereum/deposits', {
      address: alice,
      asset: 'ETH',
      amount: '1',
      ...fields,
    })
    expect(refused(answer, 400).message).toMatch(message)
  })

  test('400 for a name that no network can have', async () => {
    const answer = await service.post('/simulated/a%20b/deposits', { address: alice, asset: 'ETH', amount: '1' })
    expect(refused(answer, 400).message).toBe('There is no network a b here')
  })

  test('any name is a simulated network, with a coin of its own', async () => {
    const { status, body } = await service.post('/simulated/TestNet/deposits', {
      address: 'me',
      asset: 'TESTNET',
      amount: '1',
    })
    expect([status, body.network]).toEqual([201, 'testnet'])
    expect((await service.internal('GET', '/networks')).body).toContainEqual({
      name: 'testnet',
      kind: 'simulated',
      chainId: null,
      nativeCode: 'TESTNET',
      nativeDecimals: 18,
    })
  })
})

describe('what is no deposit', () => {
  test('below the dust setting, and from an address of the deployment', async () => {
    const own = await testBlockchain({ env: { DEPOSIT_DUST: 'eth:0.001' } })
    await own.watch(alice)
    await own.watch(bob)
    const dust = await own.payIn(alice, '0.000999999999999999')
    const whole = await own.payIn(alice, '0.001')
    await own.post('/simulated/ethereum/deposits', { address: bob, asset: 'ETH', amount: '5', sourceAddress: alice })
    const body = await until(async () => {
      const { body } = await own.get(`/addresses/${alice}/transactions`)
      return body.data.length === 3 && body.data[1].status === 'confirmed' && body
    })
    expect((await own.deposits()).map(({ txHash }) => txHash)).toEqual([whole])
    expect(body.data.map(({ status, transactionHash }: any) => [status, transactionHash === dust])).toEqual([
      ['internal', false],
      ['confirmed', false],
      ['dust', true],
    ])
    await own.stop()
  })

  test('a send to a watched address is internal', async () => {
    const to = '0x00000000000000000000000000000000000000e1'
    const from = '0x00000000000000000000000000000000000000e2'
    await service.watch(to)
    await service.payIn(from, '2')
    const { id } = await service.send({ from, to })
    const { txHash } = await service.reached(id, 'confirmed')
    const entry = await until(async () => (await service.get(`/addresses/${to}/transactions`)).body.data[0])
    expect(entry).toMatchObject({ transactionHash: txHash, status: 'internal', direction: 'in', simulated: true })
    expect((await service.deposits()).some((deposit) => deposit.txHash === txHash)).toBe(false)
  })

  test('a token is unknown until it is registered, then its deposits are published', async () => {
    const token = '0x00000000000000000000000000000000000000f1'
    const to = '0x00000000000000000000000000000000000000f2'
    const registered = { network: 'polygon', contractAddress: token, code: 'NEW', decimals: 2 }
    await service.watch(to, 'polygon')
    await service.internal('POST', '/tokens', registered)
    const hash = await service.payIn(to, '1.23', 'NEW', 'polygon')
    const found = await until(async () => (await service.deposits()).find(({ txHash }) => txHash === hash))
    expect(found).toMatchObject({ amount: '123', decimals: 2, contractAddress: token })
    expect((await service.internal('POST', '/tokens', { ...registered, contractAddress: 'x' })).status).toBe(400)
  })
})

describe('POST /internal/sends', () => {
  const funded = async (amount = '100') => {
    const address = `0x${crypto.getRandomValues(new Uint8Array(20)).toHex()}`
    await service.payIn(address, amount)
    return address
  }

  test('is signed, sent and confirmed, and each change is published', async () => {
    const from = await funded()
    const order = newSend({ from })
    const first = await service.internal('POST', '/sends', order)
    expect(first).toMatchObject({ status: 201, body: { id: order.id, status: 'accepted', txHash: null, reason: null } })
    const state = await service.reached(order.id, 'confirmed')
    expect(state.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await service.states(order.id)).toEqual(['accepted', 'broadcast', 'confirmed'])
    const { body } = await service.internal('GET', '/sends/changes')
    expect(body.items.find(({ record }: any) => record.id === order.id).record).toEqual(state)
    expect((await service.get(`/addresses/${from}`)).body.data[0].amount).toBe('99')
  })

  test('the same again is the same order, whatever else it says', async () => {
    const from = await funded()
    const order = newSend({ from })
    const answers = await Promise.all(
      [1, 2, 3].map((n) => service.internal('POST', '/sends', { ...order, amount: `${n}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    await service.reached(order.id, 'confirmed')
    expect((await service.internal('POST', '/sends', order)).body.status).toBe('confirmed')
    expect(service.wallet.signed.filter(({ orderId }) => orderId === order.id)).toHaveLength(1)
  })

  test.each([
    [{ network: 'no net' }, 'There is no network no net here'],
    [{ to: 'somewhere' }, 'to is not an address of ethereum: somewhere'],
    [{ to: '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi' }, /^to is not an address of ethereum/],
    [{ from: 'x' }, /^from is not an address/],
    [{ contractAddress: 'x' }, /^contractAddress is not an address/],
    [{ amount: '0' }, 'amount must be above 0'],
  ])('%j is recorded as failed', async (fields, reason) => {
    const order = newSend(fields)
    const { status, body } = await service.internal('POST', '/sends', order)
    expect([status, body.status]).toEqual([201, 'failed'])
    expect(body.reason).toMatch(reason)
    expect((await service.internal('GET', `/sends/${order.id}`)).body).toEqual(body)
    expect(await service.states(order.id)).toEqual(['failed'])
  })

  test('more than the sender holds fails, and those behind it go on', async () => {
    const from = await funded('1')
    const tooMuch = await service.send({ from, amount: '1000000000000000001' })
    const enough = await service.send({ from })
    expect((await service.reached(tooMuch.id, 'failed')).reason).toBe(
      `insufficient funds: ${from} holds 1, and 1.000000000000000001 is to be sent`,
    )
    await service.reached(enough.id, 'confirmed')
  })

  test('200 orders of one sender all arrive, each once, in the order of their nonces', async () => {
    const from = await funded('200')
    const to = `0x${'77'.repeat(20)}`
    const sent = await Promise.all(Array.from({ length: 200 }, () => service.send({ from, to })))
    const states = await Promise.all(sent.map(({ id }) => service.reached(id, 'confirmed')))
    expect(new Set(states.map(({ txHash }) => txHash)).size).toBe(200)
    expect((await service.get(`/addresses/${to}`)).body.data[0].amount).toBe('200')
    const nonces = service.wallet.signed
      .filter(({ unsigned }) => unsigned.includes(from))
      .map(({ unsigned }) => JSON.parse(unsigned).nonce)
    expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })

  test('401 for anybody but a service; 400 for what is no order; 404 for one that nobody gave', async () => {
    expect(refused(await service.post('/internal/sends', newSend()), 401).code).toBe('UNAUTHORIZED')
    const { status, body } = await service.internal('POST', '/sends', { ...newSend(), amount: '1.5', decimals: 39 })
    expect([status, body.error.details.map(({ field }: any) => field)]).toEqual([400, ['amount', 'decimals']])
    expect((await service.internal('GET', `/sends/${Bun.randomUUIDv7()}`)).status).toBe(404)
    expect((await service.internal('GET', '/sends/x')).status).toBe(400)
  })
})

describe('the wallet service', () => {
  test('refuses for good: recorded, and those behind it go on with its nonce', async () => {
    const wallet = testWallet()
    const own = await testBlockchain({ wallet })
    await own.payIn(hot, '10')
    const bad = newSend({ to: alice })
    wallet.sign = (order) => {
      if (order.orderId === bad.id) throw refusal(422, 'not of its order')
      return signSimulated(order)
    }
    const [first, second, third] = [newSend(), bad, newSend()]
    await Promise.all([first, second, third].map((order) => own.internal('POST', '/sends', order)))
    expect((await own.reached(bad.id, 'failed')).reason).toBe('The wallet service refused: not of its order')
    await own.reached(first?.id ?? '', 'confirmed')
    await own.reached(third?.id ?? '', 'confirmed')
    await own.stop()
  })

  test.each([
    ['is away', () => refusal(503, 'not now')],
    ['fails', () => refusal(500, 'oops')],
    ['says something else', () => Response.json({ nothing: true })],
    ['signs something else', () => Response.json({ signed: JSON.stringify({ amount: '2' }), txHash: '0x' })],
    ['signs no JSON', () => Response.json({ signed: 'x', txHash: '0x' })],
  ])('%s: the order stays accepted and is signed later', async (_what, answer) => {
    const wallet = testWallet(() => {
      throw answer()
    })
    const own = await testBlockchain({ wallet })
    await own.payIn(hot, '10')
    const { id } = await own.send({})
    await until(() => wallet.signed.length > 0)
    expect((await own.internal('GET', `/sends/${id}`)).body.status).toBe('accepted')
    wallet.sign = signSimulated
    await own.reached(id, 'confirmed')
    await own.stop()
  })
})

describe('after a crash', () => {
  test('what was signed and stored is sent, once; what was not is signed anew', async () => {
    const dataDir = tempDir()
    const wallet = testWallet()
    const before = await testBlockchain({ dataDir, wallet })
    await before.payIn(hot, '10')
    // The broadcast fails, as if the process had ended right before it.
    const chain = await before.deps.networks.open('ethereum')
    const { broadcast } = chain.sending
    chain.sending.broadcast = async () => {
      throw new Error('the process ends here')
    }
    const stored = await before.send({})
    const { txHash } = await before.reached(stored.id, 'broadcast')
    await before.halt()
    chain.sending.broadcast = broadcast
    const waiting = await before.send({})
    await before.close()
    const after = await testBlockchain({ dataDir, wallet })
    expect((await after.reached(stored.id, 'confirmed')).txHash).toBe(txHash)
    await after.reached(waiting.id, 'confirmed')
    expect((await after.get(`/addresses/${bob}`)).body.data[0].amount).toBe('2')
    expect(wallet.signed.filter(({ orderId }) => orderId === stored.id)).toHaveLength(1)
    await after.stop()
  })

  test('two workers on one database send everything once', async () => {
    const dataDir = tempDir()
    const wallet = testWallet()
    const one = await testBlockchain({ dataDir, wallet })
    const two = await testBlockchain({ dataDir, wallet })
    await one.payIn(hot, '40')
    const sent = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).send({})))
    await Promise.all(sent.map(({ id }) => one.reached(id, 'confirmed')))
    expect((await one.get(`/addresses/${bob}`)).body.data[0].amount).toBe('40')
    await two.halt()
    await two.close()
    await one.stop()
  })
})

test('with 3 confirmations, empty blocks make it final', async () => {
  const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '3' } })
  await own.watch(alice)
  const hash = await own.payIn(alice, '1')
  expect(await own.deposits()).toEqual([])
  await until(async () => (await own.deposits()).length === 1)
  expect((await own.get(`/transactions/${hash}`)).body).toMatchObject({ status: 'confirmed', confirmations: 3 })
  await own.stop()
})

describe('NETWORKS_SIMULATED=off', () => {
  test('503 for a network without an RPC URL, and for no other name', async () => {
    const own = await testBlockchain({ env: { NETWORKS_SIMULATED: 'off' } })
    const pay = (network: string) =>
      own.post(`/simulated/${network}/deposits`, { address: alice, asset: 'ETH', amount: '1' })
    expect(refused(await pay('ethereum'), 503).message).toBe(
      'ethereum has no RPC URL (ETHEREUM_RPC_URLS), and NETWORKS_SIMULATED is off',
    )
    expect(refused(await pay('testnet'), 400).message).toBe('There is no network testnet here')
    expect((await own.internal('POST', '/sends', newSend())).status).toBe(503)
    expect((await own.internal('GET', '/networks')).body).toEqual([])
    expect((await own.get('/health')).body.networks.ethereum).toBe('off')
    await own.stop()
  })
})
