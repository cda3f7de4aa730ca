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

  test('by asset and network, in any notation', async () => {
    expect(await list(`?assetId=${other.assetId}`)).toEqual(ids.slice(-1))
    expect(await list(`?assetId=${other.assetId.toUpperCase()}&type=DEPOSIT&status=PENDING`)).toEqual(ids.slice(-1))
    expect(await list('?network=Ethereum&limit=3')).toEqual(ids.slice(0, 3))
    expect(await list('?network=polygon')).toEqual([])
    expect(await list('?type=DEPOSIT&limit=3&offset=449')).toEqual([...ids.slice(449, 451), ...ids.slice(452)])
  })

  test('newest first, and after an id in either order', async () => {
    const newest = ids.toReversed()
    expect(await list('?order=desc')).toEqual(newest)
    expect(await list('?order=desc&limit=3&offset=2')).toEqual(newest.slice(2, 5))
    expect(await list(`?order=desc&after=${newest[9]}&limit=60`)).toEqual(newest.slice(10, 70))
    expect(await list(`?after=${ids[9]?.toUpperCase()}&limit=2`)).toEqual(ids.slice(10, 12))
    expect(await list(`?after=${ids.at(-1)}`)).toEqual([])
    expect(await list(`?order=desc&type=WITHDRAWAL&after=${newest[0]}`)).toEqual(newest.slice(1, 2))
    expect(await list(`?order=desc&accountId=${bench.accountId}&limit=2`)).toEqual(newest.slice(1, 3))
    expect(await list('?order=desc&status=PENDING&limit=2')).toEqual(newest.slice(0, 2))
  })

  test('of a time, both ends inclusive', async () => {
    const createdAt = async (id = '') => String((await ledger.ask<Tx>('GET', `/transactions/${id}`)).body.createdAt)
    const all = await Promise.all(ids.map(createdAt))
    const [from = '', to = ''] = [all[100], all[200]]
    const expected = ids.filter((_, i) => (all[i] ?? '') >= from && (all[i] ?? '') <= to)
    expect(expected.length).toBeGreaterThan(100)
    expect(await list(`?from=${from}&to=${to}`)).toEqual(expected)
    expect(await list(`?from=${from}&to=${to}&order=desc&type=DEPOSIT`)).toEqual(expected.toReversed())
    expect(await list(`?from=${to}&to=${from}&limit=1`)).toEqual(from === to ? expected.slice(0, 1) : [])
    expect(await list('?to=2020-01-01')).toEqual([])
    expect(await list('?from=2100-01-01T00:00:00Z')).toEqual([])
  })

  test.each([
    ['', 453],
    ['&limit=5', 453],
    ['&status=FROZEN', 1],
    ['&status=COMPLETED', 1],
    ['&type=WITHDRAWAL', 1],
    ['&type=DEPOSIT&network=ethereum', 452],
    ['&to=2020-01-01', 0],
    ['&limit=0&order=desc', 453],
  ])('count=true%s: x-total-count %p', async (query, total) => {
    const { headers } = await ledger.ask('GET', `/transactions?count=true${query}`)
    expect(headers.get('x-total-count')).toBe(String(total))
  })

  test('no count by default; a count for an account or customer', async () => {
    const count = async (query: string) =>
      (await ledger.ask('GET', `/transactions${query}`)).headers.get('x-total-count')
    expect(await count('?limit=1')).toBeNull()
    expect(await count(`?count=true&accountId=${other.accountId}`)).toBe('1')
    expect(await count(`?count=true&customerId=${bench.customerId}&limit=3`)).toBe('452')
  })

  test.each(['?order=up', '?after=7', '?count=yes', '?assetId=7', '?from=yesterday', '?to=2026-02-30', '?reference='])(
    '400 for %s',
    async (query) => {
      expect((await ledger.ask('GET', `/transactions${query}`)).status).toBe(400)
    },
  )

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

  test('a reader may stop early', async () => {
    const response = await ledger.fetch(new Request('http://localhost/transactions'))
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
    expect(await list('?limit=1')).toEqual(ids.slice(0, 1))
  })
})

describe('GET /transactions/export', () => {
  const rows = async (query = '') => {
    const { status, headers, body } = await ledger.ask<string>('GET', `/transactions/export${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const [names, ...lines] = body.trimEnd().split('\r\n')
    return { names, ids: lines.map((line) => line.split(',')[0] ?? ''), lines }
  }

  test('all that match the filters, in the requested order', async () => {
    const { names, ids: exported, lines } = await rows()
    expect(names).toStartWith('id,createdAt,updatedAt,executedAt,type,status,amount,assetCode,network,')
    expect(exported).toEqual(ids)
    expect(lines[0]).toMatch(/,DEPOSIT,COMPLETED,10,USD\d+,ethereum,/)
    expect((await rows('?order=desc')).ids).toEqual(ids.toReversed())
    expect((await rows('?status=FROZEN')).ids).toEqual(ids.slice(7, 8))
    expect((await rows(`?accountId=${other.accountId}&type=DEPOSIT`)).ids).toEqual(ids.slice(-1))
    expect((await rows(`?assetId=${nowhere}`)).ids).toEqual([])
  })

  test('a reference that looks like a formula is text', async () => {
    const own = await openLedger()
    const made = await makeBench(own, '0')
    await make(own, 'deposit', depositOf(made, '1', { reference: '=HYPERLINK("http://x")' }))
    const { body } = await own.ask<string>('GET', '/transactions/export')
    expect(body).toContain(`"'=HYPERLINK(""http://x"")"`)
    await own.close()
  })

  test('400 for an invalid filter', async () => {
    expect((await ledger.ask('GET', '/transactions/export?status=DONE')).status).toBe(400)
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

  test('400 for an id that is not a UUID', async () => {
    const { status, body } = await ledger.ask('GET', '/transactions/7')
    expect([status, body.message]).toEqual([400, 'Validation failed (uuid is expected)'])
  })
})
