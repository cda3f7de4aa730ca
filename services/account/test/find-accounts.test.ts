import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { refused, type TestAccounts, testAccounts } from './harness'
import { type Peer, startPeer } from './peers'

let wallet: Peer
let customers: Peer
let service: TestAccounts
const customer = {
  id: '01a20335-7718-71e7-8835-a7ba5dc5dd07',
  externalId: 'alpine-foods',
  status: 'active',
  createdAt: '2026-01-01T00:00:00Z',
}

/** Oldest first. */
const made: { id: string; name: string }[] = []
const account = async (name: string, fields: object = {}) => {
  const body = { type: 'STABLECOINS', status: 'active', name, ...fields }
  made.push(await service.create('/accounts', body))
}
beforeAll(async () => {
  wallet = startPeer()
  customers = startPeer()
  service = await testAccounts({ wallet: wallet.server.url, customer: customers.server.url })
  customers.answers.set(`GET /internal/customers/${customer.id}`, { customer, epoch: 1, version: 1 })
  await account('Harbour Treasury', { accountExternalId: 'harbour-1' })
  await account('Harbour Payroll', { status: 'suspended', accountExternalId: 'harbour-2' })
  await account('Zürcher Kasse', { type: 'PORTFOLIO', customerId: customer.id, customerName: 'Alpine Foods AG' })
  await account('Treasury 100%', { type: 'PORTFOLIO', status: 'suspended' })
})
afterAll(async () => {
  await service.close()
  await Promise.all([wallet.server.stop(), customers.server.stop()])
})

const ask = (query: string) => service.get(`/accounts?${query}`)
const names = async (query: string) => {
  const { status, body } = await ask(query)
  return status === 200 ? body.map(({ name }: { name: string }) => name) : status
}
const [harbour, payroll, kasse, percent] = ['Harbour Treasury', 'Harbour Payroll', 'Zürcher Kasse', 'Treasury 100%']

describe('GET /accounts', () => {
  test.each([
    ['status=suspended', [payroll, percent]],
    ['type=PORTFOLIO', [kasse, percent]],
    ['type=PORTFOLIO&status=suspended', [percent]],
    ['type=OMNIBUS', []],
    [`customerId=${customer.id}`, [kasse]],
    [`customerId=${customer.id.toUpperCase()}&status=active`, [kasse]],
    ['order=desc', [percent, kasse, payroll, harbour]],
    ['order=desc&status=suspended&limit=1', [percent]],
    ['order=asc&offset=1&limit=2', [payroll, kasse]],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    ['harb', [harbour, payroll]],
    ['TREAS', [harbour, percent]],
    ['harbour treasury', [harbour]],
    ['reasury', []],
    ['harbour-2', [payroll]],
    ['zürcher', [kasse]],
    ['ZÜRCHER K', [kasse]],
    ['alpine-foods', [kasse]],
    ['foods ag', [kasse]],
    ['100%', [percent]],
    ['%', []],
    ['_', []],
    [' ', [harbour, payroll, kasse, percent]],
    ["'; --", []],
  ])('q=%s', async (q, expected) => {
    expect(await names(new URLSearchParams({ q }).toString())).toEqual(expected)
  })

  test('q finds ids, in any case, and addresses once they are known', async () => {
    const [first] = made
    expect(await names(`q=${first?.id.toUpperCase()}`)).toEqual([harbour])
    expect(await names(`q=${customer.id}`)).toEqual([kasse])
    expect(await names(`q=${Bun.randomUUIDv7()}`)).toEqual([])
    wallet.answers.set(`GET /internal/accounts/${first?.id}/addresses`, ['0xAbCdEf'])
    await service.get(`/accounts/${first?.id}/addresses`)
    expect(await names('q=0xABCDEF')).toEqual([harbour])
    expect(await names('q=0xabc&status=suspended')).toEqual([])
  })

  test('`after` continues after an account, in both orders', async () => {
    const [, second, third] = made
    expect(await names(`after=${second?.id}`)).toEqual([kasse, percent])
    expect(await names(`after=${third?.id}&order=desc`)).toEqual([payroll, harbour])
    expect(await names(`after=${second?.id}&order=desc&status=suspended`)).toEqual([])
  })

  test('count=true counts the accounts that match the filters, wherever the page begins', async () => {
    const [, second] = made
    const total = async (query: string) => (await ask(query)).headers.get('x-total-count')
    expect(await total('')).toBe(null)
    expect(await total('count=true')).toBe('4')
    expect(await total(`count=true&limit=1&after=${second?.id}`)).toBe('4')
    expect(await total('count=true&status=suspended&limit=0')).toBe('2')
    expect(await total('count=true&q=harb&type=STABLECOINS')).toBe('2')
    expect(await total('count=true&filter[externalId]=eq:harbour-1')).toBe('1')
  })

  test.each([
    ['status=closed', 'status must be one of the following values: active, inactive, deleted, suspended'],
    ['type=CASH', 'type must be one of the following values: STABLECOINS, PORTFOLIO, OMNIBUS, FEE_PAYER'],
    ['order=up', 'order must be one of the following values: asc, desc'],
    ['count=1', 'count must be true or false'],
    ['after=x', 'after must be a UUID'],
    ['customerId=x', 'customerId must be a UUID'],
    [`q=${'x'.repeat(256)}`, 'q must be at most 255 characters long'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await ask(query), 400).message).toBe(message)
  })
})

describe('GET /accounts/export', () => {
  test('200 with a line for each account that matches the filters', async () => {
    const [first, second] = made
    const { status, headers, body } = await service.get('/accounts/export?q=harb&order=desc')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const { createdAt } = (await service.get(`/accounts/${first?.id}`)).body
    const { createdAt: later } = (await service.get(`/accounts/${second?.id}`)).body
    expect(body.split('\r\n')).toEqual([
      'id,name,type,status,accountExternalId,customerId,customerExternalId,customerName,walletAccountId,createdAt',
      `${second?.id},${payroll},STABLECOINS,suspended,harbour-2,,,,,${later}`,
      `${first?.id},${harbour},STABLECOINS,active,harbour-1,,,,,${createdAt}`,
      '',
    ])
    expect((await service.get('/accounts/export?filter[externalId]=eq:harbour-2')).body).toContain(payroll)
    expect((await service.get('/accounts/export?type=OMNIBUS')).body.split('\r\n')).toHaveLength(2)
  })

  test('400 for an invalid filter', async () => {
    expect(refused(await service.get('/accounts/export?status=x'), 400).message).toStartWith('status must be one of')
    expect(refused(await service.get('/accounts/export?filter[name]=eq:x'), 400).code).toBe('INVALID_REQUEST')
  })
})

describe('GET /internal/search', () => {
  const found = async (query: Record<string, string>) => {
    const { status, body } = await service.get(
      `/internal/search?${new URLSearchParams(query)}`,
      await service.asService('gateway'),
    )
    expect(status).toBe(200)
    return body.map(({ title }: { title: string }) => title)
  }

  test('200 by an id, or by the beginning of a word: exact matches first', async () => {
    const [first] = made
    expect(await found({ q: 'harbour' })).toEqual([payroll, harbour])
    expect(await found({ q: 'harbour treasury' })).toEqual([harbour])
    expect(await found({ q: 'alpine' })).toEqual([kasse])
    expect(await found({ q: first?.id.toUpperCase() ?? '' })).toEqual([harbour])
    expect(await found({ q: customer.id })).toEqual([])
    expect(await found({ q: 'nothing' })).toEqual([])
  })

  test('200 with a readable description', async () => {
    const headers = await service.asService('gateway')
    const [, , { id }] = made as [object, object, { id: string }]
    const { body } = await service.get(`/internal/search?q=${encodeURIComponent('zürcher kasse')}`, headers)
    const { createdAt: at } = (await service.get(`/accounts/${id}`)).body
    const detail = 'Portfolio account · Alpine Foods AG'
    expect(body).toEqual([{ kind: 'account', id, title: kasse, detail, status: 'active', at }])
  })

  test('only its own accounts for a participant', async () => {
    const participantId = Bun.randomUUIDv7()
    const own = await testAccounts()
    await own.create('/accounts', { type: 'OMNIBUS', status: 'active', name: 'Omnibus of another' })
    const { id } = (await own.get('/accounts/omnibus', await own.asParticipant(participantId))).body
    const ids = async (q: string, participantId: string) => {
      const path = `/internal/search?q=${q}&participantId=${participantId}`
      return (await own.get(path, await own.asService('gateway'))).body.map(({ id }: { id: string }) => id)
    }
    expect(await ids('OMNI', participantId)).toEqual([id])
    expect(await ids(id, participantId)).toEqual([id])
    expect(await ids('harb', participantId)).toEqual([])
    expect(await ids('omni', Bun.randomUUIDv7())).toEqual([])
    await own.close()
  })

  test('401 for other callers', async () => {
    expect(refused(await service.get('/internal/search?q=x'), 401).code).toBe('UNAUTHORIZED')
  })
})
