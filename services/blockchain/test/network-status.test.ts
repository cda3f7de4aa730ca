// What those who run the platform see of the networks: how far each has come, what is on its way, what a hash is.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort, until } from '@bursar/testing'
import { attempts } from '../src/sends/sends.table'
import { watchedAddresses } from '../src/watching/watching.table'
import { accountId, alice, bob, hot, newSend, refused, type TestBlockchain, testBlockchain } from './harness'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain({ env: { POLYGON_RPC_URLS: `http://127.0.0.1:${await freePort()}` } })
})
afterAll(() => service.stop())

interface Status {
  network: string
  head: number | null
  scannedTo: number | null
  lastScanAt: string | null
  lastError: { message: string } | null
}
const statusOf = async (network: string): Promise<Status> => {
  const { status, body } = await service.get('/networks')
  expect(status).toBe(200)
  return body.find((each: Status) => each.network === network)
}

describe('GET /networks', () => {
  test('says how far a network has come and has been read', async () => {
    expect(await statusOf('arbitrum')).toEqual({
      network: 'arbitrum',
      kind: 'simulated',
      chainId: 42161,
      nativeCode: 'ETH',
      nativeDecimals: 18,
      confirmations: 1,
      head: 0,
      headAt: null,
      scannedTo: null,
      lagBlocks: null,
      lagSeconds: null,
      watchedAddresses: 0,
      lastScanAt: null,
      lastError: null,
    } as Status)
    await service.watch(alice, 'base')
    await service.payIn(alice, '1', 'ETH', 'base')
    await service.payIn(alice, '2', 'ETH', 'base')
    const read = await until(async () => {
      const status = await statusOf('base')
      return status.scannedTo === status.head && (status.head ?? 0) > 0 && status.lastScanAt !== null && status
    })
    expect(read).toMatchObject({ lagBlocks: 0, lagSeconds: 0, watchedAddresses: 1, lastError: null })
  })

  test('says how far it lags behind when nobody reads on', async () => {
    const idle = await testBlockchain({ workers: false })
    await idle.watch(alice)
    await idle.payIn(alice, '1')
    const { body } = await idle.get('/networks')
    expect(body.find(({ network }: Status) => network === 'ethereum')).toMatchObject({
      head: expect.any(Number),
      scannedTo: null,
      lagBlocks: null,
      watchedAddresses: 1,
    })
    await idle.stop()
  })

  test('counts every watched address, however many there are and whatever they are called', async () => {
    const idle = await testBlockchain({ workers: false })
    await idle.payIn('~me', '1', 'TESTNET', 'testnet')
    await idle.watch('~me', 'testnet')
    const made = { network: 'testnet', accountId, isPortfolio: false, watchedAt: new Date() }
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ ...made, key: `k${i}`, address: `k${i}` }))
    await idle.deps.store.commit(async (tx) => {
      for (let at = 0; at < rows.length; at += 1000) await tx.insert(watchedAddresses).values(rows.slice(at, at + 1000))
    })
    const { body } = await idle.get('/networks')
    const found = body.find(({ network }: Status) => network === 'testnet')
    expect(found).toMatchObject({ watchedAddresses: rows.length + 1 })
    await idle.stop()
  })

  test('a network whose node is unavailable has the error, and holds up no other', async () => {
    const polygon = await statusOf('polygon')
    expect(polygon).toMatchObject({ kind: 'evm', head: null, headAt: null, lagSeconds: null })
    expect(polygon.lastError?.message).toBe('No node of polygon can be reached')
    await service.watch(alice, 'polygon')
    await until(() => service.deps.scans.of('polygon').lastError)
    expect(service.deps.scans.of('polygon')).toMatchObject({ lastScanAt: null })
  })
})

describe('GET /sends', () => {
  test('lists what has not ended, the oldest first, with what is wrong', async () => {
    const idle = await testBlockchain({ workers: false })
    const ids: string[] = []
    for (const network of ['ethereum', 'base', 'ethereum']) ids.push((await idle.send({ network })).id)
    const refusedSend = await idle.send({ to: 'nowhere' })
    const { status, body, headers } = await idle.get('/sends?count=true')
    expect([status, headers.get('x-total-count')]).toEqual([200, '3'])
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(body[0]).toEqual({
      id: ids[0],
      network: 'ethereum',
      from: hot,
      to: bob,
      contractAddress: null,
      amount: '1',
      status: 'accepted',
      txHash: null,
      nonce: null,
      reason: null,
      attempts: 0,
      failures: 0,
      lastError: null,
      nextAttemptAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const idsOf = async (query: string) => {
      const answer = await idle.get(`/sends?${query}`)
      return answer.body.map(({ id }: { id: string }) => id)
    }
    expect(await idsOf('order=desc&limit=2')).toEqual([ids[2], ids[1]])
    expect(await idsOf(`after=${ids[0]}&network=Ethereum`)).toEqual([ids[2]])
    expect((await idle.get(`/sends/${refusedSend.id}`)).body).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect((await idle.get('/sends?network=ethereum&count=true')).headers.get('x-total-count')).toBe('2')
    await idle.stop()
  })

  test('with the number of their signed transactions; one with all of them, in the order in which they were signed', async () => {
    const idle = await testBlockchain({ workers: false })
    const ids: string[] = []
    for (const _ of ['first', 'second', 'third']) ids.push((await idle.send({})).id)
    const [first = '', second = ''] = ids
    const createdAt = new Date('2026-03-01T12:00:00.000Z')
    const common = { network: 'ethereum', nonce: 0, unsigned: '', signed: '', signers: [], createdAt, lostAt: null }
    const signed: [string, string][] = [
      [first, '0x2'],
      [second, '0x3'],
      [first, '0x1'],
    ]
    await idle.deps.store.commit(async (tx) => {
      for (const [sendId, txHash] of signed) await tx.insert(attempts).values({ ...common, sendId, txHash })
    })
    const listed: { id: string; attempts: number }[] = (await idle.get('/sends')).body
    expect(listed.map((each) => [each.id, each.attempts])).toEqual(ids.map((id, i) => [id, [2, 1, 0][i] ?? -1]))
    const { body } = await idle.get(`/sends/${first}`)
    const hashes = body.transactions.map(({ txHash }: { txHash: string }) => txHash)
    expect([body.attempts, hashes]).toEqual([2, ['0x2', '0x1']])
    await idle.stop()
  })

  test('shows the transactions of one, by the id of its cause', async () => {
    await service.payIn(hot, '5')
    const send = newSend()
    await service.send(send)
    const { txHash } = await service.reached(send.id, 'confirmed')
    const { status, body } = await service.get(`/sends/${send.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: send.id, status: 'confirmed', txHash, attempts: 1 })
    expect(body.transactions).toEqual([{ txHash, createdAt: expect.any(String), lostAt: null }])
    const { body: open } = await service.get('/sends')
    expect(open.map(({ id }: { id: string }) => id)).not.toContain(send.id)
  })

  test('404 for an unknown id, 400 for invalid input', async () => {
    expect(refused(await service.get(`/sends/${Bun.randomUUIDv7()}`), 404).code).toBe('NOT_FOUND')
    refused(await service.get('/sends/x'), 400)
    for (const query of ['limit=0', 'limit=101', 'after=x', 'order=up']) {
      refused(await service.get(`/sends?${query}`), 400)
    }
  })
})

test('names that callers invent make no named network forget what it has learnt of its nodes', async () => {
  const { networks } = service.deps
  const first = await networks.open('ethereum')
  await Promise.all(Array.from({ length: 1001 }, (_, i) => networks.open(`invented-${i}`)))
  expect(await networks.open('ethereum')).toBe(first)
})

describe('GET /internal/search', () => {
  test('finds a pay-in and a send by their hash', async () => {
    await service.watch(bob)
    const hash = await service.payIn(bob, '3.5')
    const found = (q: string) => service.internal('GET', `/search?q=${q}`)
    const { body } = await until(async () => {
      const answer = await found(hash)
      return answer.body.length > 0 && answer
    })
    expect(body).toMatchObject([{ kind: 'chain transaction', id: hash, title: 'Pay-in of 3.5 on ethereum' }])
    await service.payIn(hot, '5')
    const { id } = await service.send({ to: alice })
    const { txHash } = await service.reached(id, 'confirmed')
    expect((await found(txHash ?? '')).body).toMatchObject([
      { id: txHash, title: 'Send of 1 on ethereum', detail: `To ${alice}`, status: 'confirmed' },
    ])
    expect((await found('harbour')).body).toEqual([])
    refused(await service.get(`/internal/search?q=${accountId}`), 401)
  })
})
