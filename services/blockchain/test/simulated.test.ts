import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { until } from '@bursar/testing'
import { mine } from '../src/networks/simulated/mining'
import { watchedAddresses } from '../src/watching/watching.table'
import { accountId, alice, bob, hot, newSend, refused, type TestBlockchain, testBlockchain } from './harness'

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
      reversedAt: null,
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

  test('while the clock is a year behind: what comes is a deposit, for no block is older than the one before it', async () => {
    const address = '0x00000000000000000000000000000000000000d2'
    await service.watch(address)
    const body = { address, asset: 'ETH', amount: '1' }
    const first = await service.post('/simulated/ethereum/deposits', body)
    setSystemTime(new Date(Date.now() - 365 * 86_400_000))
    try {
      const second = await service.post('/simulated/ethereum/deposits', body)
      const paid = [first, second].map((each) => each.body.transactionHash)
      const isDeposited = async () => {
        const hashes = (await service.deposits()).map(({ txHash }) => txHash)
        return paid.every((hash) => hashes.includes(hash))
      }
      await until(isDeposited, { what: 'both deposits' })
    } finally {
      setSystemTime()
    }
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

  test.each(['a%2Fb', '__proto__', 'a.b', 'x'.repeat(33), 'ü'])(
    '400 for a name that no network can have: %s',
    async (name) => {
      const answer = await service.post(`/simulated/${name}/deposits`, { address: alice, asset: 'ETH', amount: '1' })
      expect(refused(answer, 400).message).toMatch(/^network must be a name of 1 to 32/)
    },
  )

  test.each(['constructor', 'valueof', 'tostring', 'hasownproperty', 'x'.repeat(32), '1', '-'])(
    '%s is a simulated network from its first mention, with a coin of its own',
    async (name) => {
      const code = name.toUpperCase()
      const address = `me-${name}`
      expect((await service.get(`/addresses/${address}?network=${name}`)).body).toEqual({ data: [] })
      const { status, body } = await service.post(`/simulated/${name}/deposits`, { address, asset: code, amount: '1' })
      expect([status, body.network, body.asset]).toEqual([201, name, code])
      expect((await service.get(`/addresses/${address}`)).body.data).toMatchObject([{ network: name, amount: '1' }])
      expect((await service.get(`/sends?network=${name}`)).status).toBe(200)
      expect((await service.get('/networks')).status).toBe(200)
      await service.watch(address, name)
      const { id } = await service.send({ network: name, from: address, to: 'you', amount: '1' })
      await service.reached(id, 'confirmed')
    },
  )

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
  test('below the dust setting', async () => {
    const own = await testBlockchain({ env: { DEPOSIT_DUST: 'eth:0.001' } })
    await own.watch(alice)
    const dust = await own.payIn(alice, '0.000999999999999999')
    const whole = await own.payIn(alice, '0.001')
    const body = await until(async () => {
      const { body } = await own.get(`/addresses/${alice}/transactions`)
      return body.data.length === 2 && body.data.some((each: { status: string }) => each.status === 'confirmed') && body
    })
    expect((await own.deposits()).map(({ txHash }) => txHash)).toEqual([whole])
    expect(
      Object.fromEntries(body.data.map((each: Record<string, string>) => [each.transactionHash, each.status])),
    ).toEqual({ [dust]: 'dust', [whole]: 'confirmed' })
    await own.stop()
  })

  test('from an address to itself', async () => {
    const own = '0x00000000000000000000000000000000000000e4'
    await service.watch(own)
    await service.post('/simulated/ethereum/deposits', { address: own, asset: 'ETH', amount: '5', sourceAddress: own })
    const hash = await service.payIn(own, '1')
    await until(async () => (await service.deposits()).some(({ txHash }) => txHash === hash))
    expect((await service.deposits()).filter(({ address }) => address === own)).toHaveLength(1)
    expect((await service.get(`/addresses/${own}/transactions`)).body.data).toHaveLength(1)
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

describe('what comes from this deployment is a deposit like any other', () => {
  const to = '0x00000000000000000000000000000000000000e1'
  const from = '0x00000000000000000000000000000000000000e2'
  const depositOf = (hash: string | null) =>
    until(async () => (await service.deposits()).find(({ txHash }) => txHash === hash))

  test('from an address of ours, whoever has sent it', async () => {
    await service.watch(to)
    await service.watch(from)
    const { body } = await service.post('/simulated/ethereum/deposits', {
      address: to,
      asset: 'ETH',
      amount: '5',
      sourceAddress: from,
    })
    expect(await depositOf(body.transactionHash)).toMatchObject({ address: to, sourceAddress: from, accountId })
    const [entry] = (await service.get(`/addresses/${to}/transactions`)).body.data
    expect(entry).toMatchObject({ status: 'confirmed', direction: 'in' })
  })

  test.each([
    ['a payment', null],
    ['an execution of another account', { to, value: '5' }],
  ])('%s', async (_what, transactionData) => {
    const payer = transactionData ? '0x00000000000000000000000000000000000000e5' : from
    const other = '01a1fe8f-0000-7000-8000-0000000000cc'
    await service.watch(to)
    await service.watch(payer, 'ethereum', { accountId: transactionData ? other : accountId, isPortfolio: true })
    await service.payIn(payer, '2')
    const { id } = await service.send({ from: payer, to, amount: '5', transactionData })
    const { txHash } = await service.reached(id, 'confirmed')
    expect(await depositOf(txHash)).toMatchObject({ address: to, sourceAddress: payer, amount: '5', accountId })
    // A search shows both ends of it.
    const { body } = await service.get(`/transactions/${txHash}`)
    expect(body.orderId).toBe(id)
  })
})

test('with 3 confirmations, a send is final when its block has two more', async () => {
  const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '3' }, workers: false })
  await own.payIn(hot, '1')
  const { sending } = await own.deps.networks.open('ethereum')
  const unsigned = {
    network: 'ethereum',
    nonce: 0,
    from: hot,
    to: bob,
    contractAddress: null,
    amount: '5',
    orderId: 'x',
  }
  const attempt = {
    unsigned: JSON.stringify(unsigned),
    signed: '',
    signers: [hot],
    txHash: '0x1',
    nonce: 0,
    expiresAt: null,
    createdAt: new Date(),
  }
  expect(await sending.outcomes([attempt])).toEqual([{ is: 'absent' }])
  await sending.broadcast([attempt])
  await sending.broadcast([attempt])
  for (const is of ['included', 'included', 'confirmed'] as const) {
    expect((await sending.outcomes([attempt]))[0]?.is).toBe(is)
    await mine(own.deps)
  }
  expect((await own.get(`/addresses/${bob}`)).body.data[0].amount).toBe('0.000000000000000005')
  const gap = { ...attempt, txHash: '0x2', unsigned: JSON.stringify({ ...unsigned, nonce: 2 }) }
  expect(sending.broadcast([gap])).rejects.toThrow(/the nonce 2, and 1 is the next one/)
  await own.stop()
})

test('a network that cannot be read holds up no other', async () => {
  const own = await testBlockchain()
  const row = { key: bob, address: bob, accountId, isPortfolio: false, watchedAt: new Date() }
  await own.deps.store.commit(async (tx) => {
    await tx.insert(watchedAddresses).values({ ...row, network: 'a.b' })
  })
  await own.watch(bob, 'testnet')
  const hash = await own.payIn(bob, '1', 'TESTNET', 'testnet')
  await until(async () => (await own.deposits()).some(({ txHash }) => txHash === hash))
  await own.stop()
})

describe('NETWORKS_SIMULATED=off', () => {
  test('503 for a network without an RPC URL, and for no other name', async () => {
    const own = await testBlockchain({ env: { NETWORKS_SIMULATED: 'off' } })
    const hash = `0x${'1'.repeat(64)}`
    const pay = (network: string) =>
      own.post(`/simulated/${network}/deposits`, { address: alice, asset: 'ETH', amount: '1' })
    expect(refused(await pay('ethereum'), 503).message).toBe(
      'ethereum has no RPC URL (ETHEREUM_RPC_URLS), and NETWORKS_SIMULATED is off',
    )
    expect(refused(await pay('testnet'), 400).message).toBe('There is no network testnet here')
    expect((await own.internal('POST', '/sends', newSend())).status).toBe(503)
    expect((await own.internal('GET', '/networks')).body).toEqual([])
    expect((await own.get('/health')).body.networks.ethereum).toBe('off')
    expect((await own.get(`/transactions/${hash}`)).status).toBe(404)
    expect(refused(await own.get(`/addresses/${alice}`), 400).message).toContain('of any network here')
    // A search looks into the records alone.
    expect(await own.internal('GET', `/search?q=${hash}`)).toMatchObject({ status: 200, body: [] })
    await own.stop()
  })
})
