import { beforeAll, describe, expect, test } from 'bun:test'
import { refused, testParticipants } from './harness'
import { peers, service, withPeers } from './peered-service'
import { refusal } from './peers'

let made = 0
const add = async (institutionName: string, fields: object = {}) => {
  const body = { institutionName, authConsumerId: `key-${++made}`, customers: [], ...fields }
  return (await service.post('/participants', body)).body
}
const account = { type: 'STABLECOINS', status: 'active', name: 'Main' }

withPeers()
beforeAll(async () => {
  await add('Alpha Bank', { routerData: { blockchain: 'Solana', address: 'So11base58', region: 'EU' } })
  await add('Beta 100% Bank', { routerData: { wallets: [{ chain: 'ethereum', at: '0xAbC1' }], limit: 25 } })
  const gamma = await add('ÄGamma_Trust', { customers: [{ externalId: 'g', status: 'active', accounts: [account] }] })
  peers.addresses.set(gamma.customers[0].accounts[0].id, '0xdef2')
})

const list = async (query: string): Promise<string[]> => {
  const { status, body } = await service.get(`/participants${query}`)
  expect(status).toBe(200)
  return body.map((each: { institutionName: string }) => each.institutionName.split(' ')[0])
}
const find = (filters: Record<string, string>) => list(`?${new URLSearchParams(filters)}`)

describe('GET /participants', () => {
  test('200 with all, oldest first', async () => {
    expect(await list('')).toEqual(['Alpha', 'Beta', 'ÄGamma_Trust'])
    const [first] = (await service.get('/participants?limit=1')).body
    expect(first).toEqual((await service.get(`/participants/${first.id}`)).body)
  })

  test('limit and offset', async () => {
    expect(await list('?limit=2')).toEqual(['Alpha', 'Beta'])
    expect(await list('?limit=2&offset=2')).toEqual(['ÄGamma_Trust'])
    expect(await list('?limit=0')).toEqual([])
    expect(await list('?offset=9')).toEqual([])
  })

  test('order=desc returns the newest first', async () => {
    expect(await list('?order=desc')).toEqual(['ÄGamma_Trust', 'Beta', 'Alpha'])
    expect(await list('?order=desc&limit=1&offset=1')).toEqual(['Beta'])
    expect(refused(await service.get('/participants?order=up'), 400).message).toStartWith('order must be one of')
  })

  test('limit is 10 by default', async () => {
    const many = await testParticipants()
    for (let i = 0; i < 12; i++)
      await many.post('/participants', { institutionName: `P${i}`, authConsumerId: `k${i}`, customers: [] })
    expect((await many.get('/participants')).body).toHaveLength(10)
    expect((await many.get('/participants?limit=100')).body).toHaveLength(12)
    await many.close()
  })

  test.each([
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=x', 'limit must be an integer'],
    ['limit=', 'limit must be an integer'],
    ['offset=-1', 'offset must not be less than 0'],
    ['offset=1e3', 'offset must be an integer'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await service.get(`/participants?${query}`), 400)).toMatchObject({
      code: 'INVALID_REQUEST',
      message,
    })
  })

  test.each([
    ['bank', ['Alpha', 'Beta']],
    ['ALPHA', ['Alpha']],
    ['äg', ['ÄGamma_Trust']],
    ['100%', ['Beta']],
    ['%', ['Beta']],
    ['_', ['ÄGamma_Trust']],
    ['nobody', []],
    ['', ['Alpha', 'Beta', 'ÄGamma_Trust']],
  ])('institutionName %j is part of the name, case-insensitively', async (institutionName, expected) => {
    expect(await find({ institutionName })).toEqual(expected)
  })

  test.each([
    ['REGION', ['Alpha']],
    ['"region": "EU"', []],
    ['{"region": "EU"}', ['Alpha']],
    ['"region"', ['Alpha']],
    ['25', ['Beta']],
    ['{"limit":25}', ['Beta']],
    ['nothing', []],
  ])('routerData %j is a part of its JSON', async (routerData, expected) => {
    expect(await find({ routerData })).toEqual(expected)
  })

  test.each([
    ['solana', ['Alpha']],
    ['ETHEREUM', ['Beta']],
    ['ether', []],
  ])('blockchain %j is a name in its routerData', async (blockchain, expected) => {
    expect(await find({ blockchain })).toEqual(expected)
  })

  test.each([
    ['So11base58', ['Alpha']],
    ['so11BASE58', []],
    ['0xaBC1', ['Beta']],
    ['0xdef2', ['ÄGamma_Trust']],
    ['0x00', []],
  ])('address %j is in its routerData, or one of its accounts’', async (address, expected) => {
    expect(await find({ address })).toEqual(expected)
  })

  test('filters are combined', async () => {
    expect(
      await find({ institutionName: 'bank', blockchain: 'solana', address: 'So11base58', routerData: 'eu' }),
    ).toEqual(['Alpha'])
    expect(await find({ institutionName: 'beta', blockchain: 'solana' })).toEqual([])
  })

  test('routerData that was changed, and a participant that was deleted, are no longer found', async () => {
    const { id } = await add('Changing', { routerData: { chain: 'tron' } })
    expect(await find({ blockchain: 'tron' })).toEqual(['Changing'])
    await service.patch(`/participants/${id}`, { routerData: { chain: 'near' } })
    expect([await find({ blockchain: 'tron' }), await find({ blockchain: 'near' })]).toEqual([[], ['Changing']])
    await service.del(`/participants/${id}`)
    expect(await find({ blockchain: 'near' })).toEqual([])
  })

  test('503 when the account service cannot look up the owner of an address', async () => {
    peers.fault(() => refusal(503))
    expect(refused(await service.get('/participants?address=0xdef2'), 503).code).toBe('SERVICE_UNAVAILABLE')
    expect((await service.get('/participants?blockchain=solana')).status).toBe(200)
    peers.fault(null)
  })
})

describe('paths and methods that are not served', () => {
  test('are 404, or 405 with the allowed methods', async () => {
    expect(refused(await service.get('/nothing'), 404).code).toBe('NOT_FOUND')
    const answer = await service.ask('DELETE', '/participants')
    expect([refused(answer, 405).code, answer.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD, POST'])
  })
})
