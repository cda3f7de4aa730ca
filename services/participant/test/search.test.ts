import { beforeAll, describe, expect, test } from 'bun:test'
import { account, customer, plain, refused } from './harness'
import { service, withPeers } from './peered-service'

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, read as they come
let harbour: any
// biome-ignore lint/suspicious/noExplicitAny: answers of the API, read as they come
let other: any
withPeers()
beforeAll(async () => {
  const customers = [
    customer({ externalId: 'harbour-trading', accounts: [account({ name: 'Payroll of Harbour' }), account()] }),
    customer({ externalId: 'northwind', status: 'suspended' }),
  ]
  harbour = await service.create('/participants', plain({ institutionName: 'Harbour Bank', customers }))
  const others = [customer({ externalId: 'harbour-other', accounts: [account({ name: 'Payroll of another' })] })]
  other = await service.create('/participants', plain({ institutionName: 'HARBOURSIDE', customers: others }))
  const gone = await service.create('/participants', plain({ institutionName: 'Harbour Gone' }))
  await service.del(`/participants/${gone.id}`)
})

const hits = async (query: Record<string, string>) => {
  const path = `/internal/search?${new URLSearchParams(query)}`
  const { status, body } = await service.get(path, await service.asService('gateway'))
  expect(status).toBe(200)
  return body
}
const titles = async (query: Record<string, string>) => (await hits(query)).map(({ title }: { title: string }) => title)

describe('GET /internal/search', () => {
  test('200 by the beginning of the name, case-insensitively, or by id; without deleted ones', async () => {
    const hit = { kind: 'participant', id: harbour.id, title: 'Harbour Bank', detail: 'Participant', status: null }
    expect(await hits({ q: harbour.id.toUpperCase() })).toEqual([{ ...hit, at: harbour.createdAt }])
    expect(await titles({ q: 'HARB' })).toEqual(['Harbour Bank', 'HARBOURSIDE'])
    expect(await titles({ q: 'bank' })).toEqual([])
    expect(await titles({ q: Bun.randomUUIDv7() })).toEqual([])
  })

  test('a participant finds itself, its customers and their accounts, and nothing of others', async () => {
    const own = (q: string) => titles({ q, participantId: harbour.id })
    expect(await own('harb')).toEqual(['Harbour Bank', 'harbour-trading', 'Payroll of Harbour'])
    expect(await own('payroll')).toEqual(['Payroll of Harbour'])
    expect(await own('north')).toEqual(['northwind'])
    expect(await own('%')).toEqual([])
    const [{ id, accounts }] = harbour.customers
    expect(await own(id)).toEqual(['harbour-trading'])
    expect(await own(accounts[1].id.toUpperCase())).toEqual(['Main'])
    expect(await own(other.id)).toEqual([])
    expect(await own(other.customers[0].id)).toEqual([])
    expect(await own(other.customers[0].accounts[0].id)).toEqual([])
  })

  test('a participant finds itself behind others of its name', async () => {
    for (let n = 0; n < 6; n++) await service.create('/participants', plain({ institutionName: `Crowd ${n}` }))
    const { id } = await service.create('/participants', plain({ institutionName: 'Crowd Z' }))
    for (const q of ['crowd', id.toUpperCase()]) expect(await titles({ q, participantId: id })).toEqual(['Crowd Z'])
    for (const q of ['crowd 1', 'rowd']) expect(await titles({ q, participantId: id })).toEqual([])
  })

  test('names the owner of an account', async () => {
    const [{ accounts }] = harbour.customers
    const [hit] = await hits({ q: accounts[0].id, participantId: harbour.id })
    expect(hit).toEqual({
      kind: 'account',
      id: accounts[0].id,
      title: 'Payroll of Harbour',
      detail: 'Account · harbour-trading',
      status: 'active',
      at: accounts[0].createdAt,
    })
  })

  test('401 for other callers', async () => {
    expect(refused(await service.get('/internal/search?q=x'), 401).code).toBe('UNAUTHORIZED')
  })
})
