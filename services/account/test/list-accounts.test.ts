import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { WalletCreated } from '@bursar/contracts/wallet'
import { nobody, refused, type TestAccounts, testAccounts } from './harness'
import { type Peer, startPeer } from './peers'

const plain = { type: 'STABLECOINS', status: 'active' }

let wallet: Peer
let service: TestAccounts
beforeAll(async () => {
  wallet = startPeer()
  service = await testAccounts({ wallet: wallet.server.url })
})
afterAll(async () => {
  await service.close()
  await wallet.server.stop()
})

const add = async (name: string, fields: object = {}) =>
  (await service.post('/accounts', { ...plain, name, ...fields })).body
const list = async (query = ''): Promise<string[]> => {
  const { status, body } = await service.get(`/accounts${query}`)
  expect(status).toBe(200)
  return body.map(({ name }: { name: string }) => name)
}

describe('GET /accounts', () => {
  test('200 with an empty list, then with all, oldest first', async () => {
    const own = await testAccounts()
    const names = async (query = '') =>
      (await own.get(`/accounts${query}`)).body.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual([])
    for (const name of ['a', 'b', 'c']) await own.create('/accounts', { ...plain, name })
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect(await names('?limit=2')).toEqual(['a', 'b'])
    expect(await names('?limit=1&offset=1')).toEqual(['b'])
    expect(await names('?limit=0')).toEqual([])
    expect(await names('?unknown=1')).toEqual(['a', 'b', 'c'])
    await own.close()
  })

  test('200 with whole accounts', async () => {
    const body = await add('whole')
    expect((await service.get(`/accounts?filter[id]=eq:${body.id}`)).body).toEqual([body])
  })

  test('filter[id]', async () => {
    const [d, e] = [await add('d'), await add('e')]
    expect(await list(`?filter[id]=eq:${d.id}`)).toEqual(['d'])
    expect(await list(`?filter[id]=in:${e.id},${d.id}`)).toEqual(['d', 'e'])
    expect(await list(`?filter%5Bid%5D=in%3A${e.id}%2C${nobody}`)).toEqual(['e'])
    expect(await list(`?filter[id]=eq:${nobody}`)).toEqual([])
    expect(await list('?filter[id]=eq:none')).toEqual([])
    expect(await list(`?filter[id]=in:${e.id.toUpperCase()},${e.id}`)).toEqual(['e'])
  })

  test('filter[externalId]', async () => {
    for (const name of ['a', 'b', 'c']) await add(name, { accountExternalId: `ext-${name}` })
    expect(await list('?filter[externalId]=eq:ext-b')).toEqual(['b'])
    expect(await list('?filter[externalId]=in:ext-c,ext-a,other')).toEqual(['a', 'c'])
    expect(await list('?filter[externalId]=eq:EXT-B')).toEqual([])
  })

  test('filter[address] finds the addresses that the wallet service returned', async () => {
    const [f, g] = [await add('f'), await add('g')]
    wallet.answers.set(`GET /internal/accounts/${f.id}/addresses`, ['0xAbC1', 'So11Base58'])
    wallet.answers.set(`GET /internal/accounts/${g.id}/addresses`, ['0xdef2'])
    await service.get(`/accounts/${f.id}/addresses`)
    await service.get(`/accounts/${g.id}/addresses`)
    expect(await list('?filter[address]=eq:0xAbC1')).toEqual(['f'])
    expect(await list('?filter[address]=eq:0xaBc1')).toEqual(['f'])
    expect(await list('?filter[address]=in:0xabc1,0xDEF2')).toEqual(['f', 'g'])
    expect(await list('?filter[address]=eq:So11Base58')).toEqual(['f'])
    expect(await list('?filter[address]=eq:so11base58')).toEqual([])
  })

  test('filter[address] finds an address that was never read, as soon as its wallet exists', async () => {
    const { id: accountId } = await add('k')
    const wallet = { walletId: Bun.randomUUIDv7(), accountId, network: 'ethereum', address: '0xFeE1' }
    const { name, type } = WalletCreated
    const timestamp = '2026-01-31T12:00:00.000Z'
    const event = { id: Bun.randomUUIDv7(), name, type, timestamp, requestId: null, service: 'wallet' }
    const data = { ...wallet, createdAt: timestamp }
    await service.consume({ ...event, data })
    await service.consume({ ...event, data })
    await service.consume({ ...event, id: Bun.randomUUIDv7(), data: { ...data, network: 'polygon' } })
    expect(await list('?filter[address]=eq:0xfee1')).toEqual(['k'])
    expect(await list('?filter[address]=in:0xfee1,0xdef2x')).toEqual(['k'])
  })

  test('filters are combined: an account must match all', async () => {
    const h = await add('h', { accountExternalId: 'ext-h' })
    await add('i', { accountExternalId: 'ext-i' })
    expect(await list(`?filter[id]=eq:${h.id}&filter[externalId]=eq:ext-h`)).toEqual(['h'])
    expect(await list(`?filter[id]=eq:${h.id}&filter[externalId]=eq:ext-i`)).toEqual([])
    expect(await list(`?filter[id]=eq:${h.id}&filter[address]=eq:0xabc1`)).toEqual([])
  })

  test.each([
    ['filter[id]=x', 'filter[id]', 'must be eq:value or in:value1,value2'],
    ['filter[externalId]=like:x', 'filter[externalId]', 'must be eq:value or in:value1,value2'],
    ['filter[address]=in:', 'filter[address]', 'must be eq:value or in:value1,value2'],
    [
      'filter[status]=eq:active',
      'filter[status]',
      'is not a filter; there are filter[id], filter[externalId], filter[address]',
    ],
    ['filter=x', 'filter', 'is not a filter; there are filter[id], filter[externalId], filter[address]'],
  ])('400 for %s', async (query, field, problem) => {
    expect(refused(await service.get(`/accounts?${query}`), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message: `${field} ${problem}`,
      details: [{ field, message: `${field} ${problem}` }],
    })
  })

  test.each(['limit=-1', 'limit=x', 'offset=', 'filter[id]=eq:a&filter[id]=eq:b'])('400 for %s', async (query) => {
    expect(refused(await service.get(`/accounts?${query}`), 400).code).toBe('INVALID_REQUEST')
  })

  test('200 with more accounts than one read returns', async () => {
    const many = Array.from({ length: 1100 }, (_, i) => `many-${i}`)
    const added = await Promise.all(many.map((name) => add(name)))
    const all = await list()
    expect(all.slice(-1100)).toEqual(many)
    expect(await list('?offset=2&limit=1050')).toEqual(all.slice(2, 1052))
    const ids = added.slice(0, 100).map(({ id }) => id)
    expect(await list(`?filter[id]=in:${ids}`)).toEqual(many.slice(0, 100))
  })
})
