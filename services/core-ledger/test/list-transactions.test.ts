import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { type Bench, depositOf, make, makeBench, screen, type Tx, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
let other: Bench
/** A completed deposit, 450 that wait (of which the eighth transaction is frozen), a withdrawal, a deposit of another's. */
const ids: string[] = []
const nowhere = '00000000-0000-7000-8000-000000000000'

beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '10')
  other = await makeBench(ledger, '0')
  const [first] = (await ledger.ask<Tx[]>('GET', '/transactions')).body
  ids.push(first?.id ?? '')
  // More than two chunks of the answer.
  for (let i = 0; i < 450; i++) ids.push((await make(ledger, 'deposit', depositOf(bench))).id)
  ids.push((await make(ledger, 'withdrawal', withdrawalOf(bench))).id)
  ids.push((await make(ledger, 'deposit', depositOf(other))).id)
  await screen(ledger, ids[7] ?? '', false)
})
afterAll(() => ledger.close())

const list = async (query = '') => {
  const { status, body, headers } = await ledger.ask<Tx[]>('GET', `/v1/transactions${query}`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json; ?charset=utf-8$/)
  return body.map(({ id }) => id)
}

describe('GET /transactions', () => {
  test('200: all of them, oldest first', async () => {
    expect(await list()).toEqual(ids)
  })

  test('none is an empty list', async () => {
    const empty = await openLedger()
    expect((await empty.ask('GET', '/transactions')).body).toEqual([])
    await empty.close()
  })

  test('in the service form', async () => {
    const { body } = await ledger.ask<Tx[]>('GET', '/transactions?type=WITHDRAWAL')
    expect(body).toEqual(
      [(await ledger.ask<Tx>('GET', `/transactions/${ids[451]}`)).body].map(({ asset, ...tx }) => tx),
    )
  })

  test.each([
    ['?limit=0', 0, 0],
    ['?limit=3', 0, 3],
    ['?limit=50', 0, 50],
    ['?limit=200', 0, 200],
    ['?limit=201', 0, 201],
    ['?limit=5&offset=198', 198, 203],
    ['?limit=120&offset=10', 10, 130],
    ['?offset=10', 10, 453],
    ['?offset=450', 450, 453],
    ['?offset=1000', 453, 453],
  ])('limit and offset: %s', async (query, start, end) => {
    expect(await list(query)).toEqual(ids.slice(start, end))
  })

  test('filters, alone and together', async () => {
    const own = ids.slice(-1)
    expect(await list('?status=FROZEN')).toEqual([ids[7] ?? ''])
    expect(await list('?status=COMPLETED')).toEqual(ids.slice(0, 1))
    expect(await list('?type=WITHDRAWAL&status=PENDING')).toEqual(ids.slice(451, 452))
    expect(await list('?type=WITHDRAWAL&status=FROZEN')).toEqual([])
    expect(await list(`?accountId=${other.accountId}`)).toEqual(own)
    expect(await list(`?customerId=${other.customerId}`)).toEqual(own)
    expect(await list(`?accountId=${other.accountId.toUpperCase()}&type=DEPOSIT`)).toEqual(own)
    expect(await list(`?customerId=${other.customerId.toUpperCase()}`)).toEqual(own)
    expect(await list(`?customerId=${other.customerId}&accountId=${bench.accountId}`)).toEqual([])
    expect(await list(`?customerId=${bench.customerId}&type=DEPOSIT&limit=2`)).toEqual(ids.slice(0, 2))
    expect(await list(`?accountId=${nowhere}`)).toEqual([])
  })

  test.each(['?limit=-1', '?limit=abc', '?limit=1e3', '?offset=', '?offset=100001', '?status=DONE', '?type=deposit'])(
    '400 for %s',
    async (query) => {
      const { status, body } = await ledger.ask('GET', `/transactions${query}`)
      expect([status, Array.isArray(body.message)]).toEqual([400, true])
    },
  )

  test('HEAD: the headers of the list, and no body', async () => {
    const response = await ledger.fetch(new Request('http://localhost/transactions', { method: 'HEAD' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.text()).toBe('')
  })

  test('a reader that stops early does no harm', async () => {
    const response = await ledger.fetch(new Request('http://localhost/transactions'))
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
    expect(await list('?limit=1')).toEqual(ids.slice(0, 1))
  })
})

describe('GET /transactions/:id', () => {
  test('200 with its asset', async () => {
    const { status, body } = await ledger.ask('GET', `/v1/transactions/${ids[0]}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: ids[0], type: 'DEPOSIT', status: 'COMPLETED', amount: '10' })
    expect(body.asset).toEqual({ id: bench.assetId, name: 'A dollar', code: expect.stringMatching(/^USD/) })
  })

  test('404 names it', async () => {
    const { status, body } = await ledger.ask('GET', `/transactions/${nowhere}`)
    expect([status, body.message, body.error]).toEqual([404, `Transaction ${nowhere} not found`, 'Not Found'])
  })

  test('400 for an id that is no UUID', async () => {
    const { status, body } = await ledger.ask('GET', '/transactions/7')
    expect([status, body.message]).toEqual([400, 'Validation failed (uuid is expected)'])
  })
})
