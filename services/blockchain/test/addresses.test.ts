import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { addBlock } from '../src/networks/simulated/blocks'
import { transfers } from '../src/transfers/transfers.table'
import { alice, bob, fresh, hot, refused, type TestBlockchain, testBlockchain } from './harness'

const solana = '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi'
let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
  await service.payIn(alice, '2', 'ETH')
  await service.payIn(alice, '12.5', 'USDC')
  await service.payIn(alice, '100', 'USDC', 'polygon')
  await service.payIn(solana, '3', 'SOL', 'solana')
})
afterAll(() => service.stop())

const balances = async (query = '', address = alice) => {
  const { status, body } = await service.get(`/addresses/${address}${query}`)
  expect(status).toBe(200)
  return body.data.map(({ network, currency, amount }: Record<string, string>) => `${network} ${currency} ${amount}`)
}

describe('GET /addresses/{address}', () => {
  test('200 with what it holds on every network of its form', async () => {
    expect(await balances()).toEqual(['ethereum ETH 2', 'ethereum USDC 12.5', 'polygon USDC 100'])
    expect(await balances('', solana)).toEqual(['solana SOL 3'])
    expect((await service.get(`/addresses/${solana}`)).body.data).toEqual([
      { currency: 'SOL', amount: '3', address: solana, network: 'solana', contractAddress: null, simulated: true },
    ])
  })

  test('200 with none for an address that holds nothing', async () => {
    expect(await balances('', '0x00000000000000000000000000000000000000AD')).toEqual([])
  })

  test('hexadecimal addresses are the same in any case', async () => {
    expect(await balances('', alice.toUpperCase().replace('0X', '0x'))).toEqual(await balances())
  })

  test.each([
    ['filter[currency]=USDC', ['ethereum USDC 12.5', 'polygon USDC 100']],
    ['filter[currency]=in:[usdc,eth]', ['ethereum ETH 2', 'ethereum USDC 12.5', 'polygon USDC 100']],
    ['filter[currency]=in:ETH,SOL', ['ethereum ETH 2']],
    ['filter[currency]=SOL', []],
    ['filter[amount]=gt:2', ['ethereum USDC 12.5', 'polygon USDC 100']],
    ['filter[amount]=lte:12.50', ['ethereum ETH 2', 'ethereum USDC 12.5']],
    ['filter[amount]=lt:2', []],
    ['filter[amount]=eq:100.000', ['polygon USDC 100']],
    ['filter[amount]=ne:2&filter[currency]=ETH', []],
    ['filter[amount]=gte:2&filter[currency]=ETH', ['ethereum ETH 2']],
    ['network=polygon', ['polygon USDC 100']],
    ['something=else', ['ethereum ETH 2', 'ethereum USDC 12.5', 'polygon USDC 100']],
  ])('200 with %s', async (query, expected) => {
    expect(await balances(`?${query}`)).toEqual(expected)
  })

  test.each([
    ['filter[amount]=2', /^filter\[amount\] must be lt:/],
    ['filter[amount]=', /^filter\[amount\] must be lt:/],
    ['filter[amount]=like:2', /^filter\[amount\] must be lt:/],
    ['filter[amount]=lt:1e3', /^filter\[amount\] must be lt:/],
    ['filter[currency]=', /^filter\[currency\] must be a currency/],
    ['filter[currency]=in:', /^filter\[currency\] must be a currency/],
    ['filter[currency]=lt:5', /^filter\[currency\] must be a currency/],
    ['filter[currency]=ETH&filter[currency]=USDC', /must be given once$/],
    ['network=solana', 'address is not an address of solana'],
    ['network=no%2Fnet', /^network must be a name of 1 to 32/],
    ['network=__proto__', /^network must be a name of 1 to 32/],
    [`network=${'x'.repeat(33)}`, /^network must be a name of 1 to 32/],
  ])('400 with %s', async (query, message) => {
    expect(refused(await service.get(`/addresses/${alice}?${query}`), 400).message).toMatch(message)
  })

  test('400 names both filters', async () => {
    const { details } = refused(await service.get(`/addresses/${alice}?filter[amount]=x&filter[currency]=in:`), 400)
    expect(details).toEqual([
      { field: 'filter[currency]', message: expect.any(String) },
      { field: 'filter[amount]', message: expect.any(String) },
    ])
  })

  test.each(['nowhere', '0x1234', `${alice}0`, 'x'.repeat(129)])('400 for %s', async (address) => {
    expect(refused(await service.get(`/addresses/${address}`), 400).code).toBe('INVALID_REQUEST')
  })

  test('an address of a simulated network of another name is found there', async () => {
    await service.payIn('me', '7', 'TESTNET', 'testnet')
    expect(await balances('', 'me')).toEqual(['testnet TESTNET 7'])
  })
})

describe('GET /addresses/{address}/transactions', () => {
  test('200 with the movements of a watched address, newest first, in pages', async () => {
    const own = '0x00000000000000000000000000000000000000aa'
    // Nobody's: other tests may watch bob.
    const outside = '0xb0b0000000000000000000000000000000000009'
    await service.watch(own)
    const hashes = [await service.payIn(own, '1'), await service.payIn(own, '2', 'USDC')]
    const { id } = await service.send({ from: own, to: outside, amount: '500000000000000000' })
    const { txHash } = await service.reached(id, 'confirmed')
    const path = `/addresses/${own}/transactions`
    const body = await until(async () => {
      const { body } = await service.get(path)
      // The page and its total are read one after the other.
      const isThere = body.data.length === 3 && body.pageInfo.total === 3
      return isThere && body.data[1].status === 'confirmed' && body
    })
    expect(body.pageInfo).toEqual({ limit: 20, offset: 0, total: 3 })
    expect(body.data[0]).toEqual({
      transactionHash: txHash,
      network: 'ethereum',
      simulated: true,
      direction: 'out',
      status: 'outgoing',
      fromAddress: own,
      toAddress: outside,
      currency: 'ETH',
      contractAddress: null,
      amount: '0.5',
      decimals: 18,
      blockNumber: expect.any(Number),
      timestamp: expect.stringMatching(/Z$/),
    })
    expect(
      body.data
        .slice(1)
        .map(({ transactionHash, direction, amount, currency }: Record<string, string>) => [
          transactionHash,
          direction,
          amount,
          currency,
        ]),
    ).toEqual([
      [hashes[1], 'in', '2', 'USDC'],
      [hashes[0], 'in', '1', 'ETH'],
    ])
    const second = (await service.get(`${path}?limit=1&offset=1`)).body
    expect([second.data[0].transactionHash, second.pageInfo]).toEqual([hashes[1], { limit: 1, offset: 1, total: 3 }])
    expect((await service.get(`${path}?limit=0`)).body).toEqual({
      data: [],
      pageInfo: { limit: 0, offset: 0, total: 3 },
    })
  })

  test('200 with those of one moment in the order of their ids, newest first, on both sides and over pages', async () => {
    const [own, other] = [fresh(), fresh()]
    const at = new Date('2026-03-01T12:00:00.000Z')
    const common = {
      network: 'ethereum',
      logIndex: 0,
      accountId: null,
      contractAddress: null,
      amount: 1n,
      decimals: 18,
    }
    const place = { block: 1, blockHash: '0x', at, confirmedAt: at, reversedAt: null }
    const toOther = { fromAddress: own, toAddress: other, fromKey: own.toLowerCase(), toKey: other.toLowerCase() }
    const toOwn = { fromAddress: other, toAddress: own, fromKey: other.toLowerCase(), toKey: own.toLowerCase() }
    const order = [2, 4, 1, 3]
    await service.deps.store.commit(async (tx) => {
      for (const [i, number] of order.entries()) {
        const [status, side] = i < 2 ? (['outgoing', toOther] as const) : (['confirmed', toOwn] as const)
        const row = { ...common, ...place, ...side, status, txHash: `${own}-${number}`, id: `${own}-${number}` }
        await tx.insert(transfers).values(row)
      }
    })
    const numbers = async (query: string) =>
      (await service.get(`/addresses/${own}/transactions?${query}`)).body.data.map(
        ({ transactionHash }: { transactionHash: string }) => transactionHash.split('-')[1],
      )
    expect(await numbers('')).toEqual(['4', '3', '2', '1'])
    expect([await numbers('limit=2'), await numbers('limit=2&offset=2')]).toEqual([
      ['4', '3'],
      ['2', '1'],
    ])
  })

  test('200 with none for an address that is not watched', async () => {
    expect((await service.get(`/addresses/${hot}/transactions`)).body.data).toEqual([])
  })

  test.each(['limit=101', 'limit=-1', 'limit=x', 'offset=-1', 'offset=100001'])('400 with %s', async (query) => {
    expect(refused(await service.get(`/addresses/${hot}/transactions?${query}`), 400).code).toBe('INVALID_REQUEST')
  })
})

describe('internal routes', () => {
  test('watching: the same again changes nothing; 400 for an address of another network; 401 for anybody else', async () => {
    const body = {
      network: 'Ethereum',
      address: '0x00000000000000000000000000000000000000Ab',
      accountId: '01a1fe8f-0000-7000-8000-00000000000b',
    }
    const first = await service.internal('POST', '/addresses', body)
    expect(first).toMatchObject({ status: 200, body: { ...body, network: 'ethereum' } })
    const again = await service.internal('POST', '/addresses', { ...body, address: body.address.toLowerCase() })
    expect(again.body).toEqual(first.body)
    expect((await service.internal('POST', '/addresses', { ...body, address: solana })).status).toBe(400)
    expect((await service.internal('POST', '/addresses', { ...body, accountId: 'x' })).status).toBe(400)
    expect(refused(await service.post('/internal/addresses', body), 401).code).toBe('UNAUTHORIZED')
  })

  test('holdings in the smallest unit; 400 for an address of another network', async () => {
    const { body } = await service.internal('GET', `/addresses/ethereum/${alice}/holdings`)
    expect(body).toEqual([
      { contractAddress: null, amount: '2000000000000000000', decimals: 18 },
      { contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', amount: '12500000', decimals: 6 },
    ])
    expect((await service.internal('GET', `/addresses/ethereum/${solana}/holdings`)).status).toBe(400)
  })

  test('holdings of many addresses: of each what came to it, of tokens that nobody has registered at most fifty', async () => {
    const { store, networks, wakes } = service.deps
    const settings = networks.find('ethereum')
    if (!settings) throw new Error('no network')
    const [many, one] = [fresh(), fresh()]
    for (const address of [many, one]) await service.watch(address)
    const came = Array.from({ length: 52 }, (_, i) => ({
      txHash: `0x${(i + 100).toString().padStart(64, '5')}`,
      fromAddress: bob,
      toAddress: i === 0 ? one : many,
      contractAddress: fresh(),
      amount: 5n,
      nonce: null,
    }))
    await store.commit((tx) => addBlock(tx, settings, came, new Date()))
    wakes.wake('transfers', 'ethereum')
    const held = async () => {
      const items = [many, one]
      const { body } = await service.internal<{ items: object[][] }>('POST', '/holdings/ethereum', { items })
      return body.items
    }
    await until(async () => (await held())[0]?.length === 50)
    const first = { contractAddress: came[0]?.contractAddress, amount: '5', decimals: 0 }
    expect((await held())[1]).toEqual([first])
    expect((await held())[0]).not.toContainEqual(first)
  })

  test('the parties of a transaction; 404 for one that the chain does not know', async () => {
    const to = '0x00000000000000000000000000000000000000AC'
    const hash = await service.payIn(to, '1')
    const { body } = await service.internal('GET', `/transactions/ethereum/${hash}/parties`)
    expect(body).toEqual({ network: 'ethereum', txHash: hash, from: [`0x${'0'.repeat(40)}`], to: [to] })
    expect((await service.internal('GET', `/transactions/ethereum/0x${'1'.repeat(64)}/parties`)).status).toBe(404)
    expect((await service.internal('GET', '/transactions/ethereum/x/parties')).status).toBe(404)
  })

  test('the networks', async () => {
    const { body } = await service.internal('GET', '/networks')
    expect(body.slice(0, 5)).toEqual([
      { name: 'ethereum', kind: 'simulated', chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 },
      { name: 'polygon', kind: 'simulated', chainId: 137, nativeCode: 'POL', nativeDecimals: 18 },
      { name: 'base', kind: 'simulated', chainId: 8453, nativeCode: 'ETH', nativeDecimals: 18 },
      { name: 'arbitrum', kind: 'simulated', chainId: 42161, nativeCode: 'ETH', nativeDecimals: 18 },
      { name: 'solana', kind: 'simulated', chainId: null, nativeCode: 'SOL', nativeDecimals: 9 },
    ])
  })

  test.each([
    '/networks',
    `/addresses/ethereum/${alice}/holdings`,
    '/sends/changes',
    '/deposits/changes',
    '/transactions/ethereum/x/parties',
  ])('401 for anybody but a service: %s', async (path) => {
    expect(refused(await service.get(`/internal${path}`), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('who may', () => {
  const sender = { id: Bun.randomUUIDv7(), network: 'ethereum', from: hot, to: bob, contractAddress: null }
  const send = { ...sender, amount: '1', decimals: 18, feePayer: null, transactionData: null }
  const watched = { network: 'ethereum', address: bob, accountId: '01a1fe8f-0000-7000-8000-00000000000b' }
  const token = { network: 'ethereum', contractAddress: null, code: 'ETH', decimals: 18 }

  test.each([
    ['order a send', 'sends', send, 'wallet'],
    ['order sends', 'sends/batch', { items: [send] }, 'wallet'],
    ['ask for sends', 'sends/states', { items: [send.id] }, 'wallet'],
    ['have an address watched', 'addresses', watched, 'wallet'],
    ['register a token', 'tokens', token, 'core-ledger and wallet'],
  ])('%s', async (_what, path, body, whom) => {
    for (const name of ['account', 'participant', 'transaction-manager', 'core-ledger'] as const) {
      const isNamed = whom.includes(name)
      const answer = await service.post(`/internal/${path}`, body, await service.asService(name))
      if (isNamed) expect(answer.status).toBe(200)
      else expect(refused(answer, 401).message).toBe(`This route is for ${whom}`)
    }
    expect((await service.internal('POST', `/${path}`, body)).status).toBeLessThan(202)
  })
})

test('GET /health: 200, and how each network is carried', async () => {
  expect(await service.get('/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', service: 'blockchain', networks: { ethereum: 'simulated', solana: 'simulated' } },
  })
})
