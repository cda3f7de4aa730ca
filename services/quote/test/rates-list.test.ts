import { afterAll, describe, expect, test } from 'bun:test'
import { eq, params, prepared } from '@bursar/store'
import fc from 'fast-check'
import { bump, ratesOf } from '../src/counters/counters'
import { assets } from '../src/tables/assets.table'
import { rates as ratesTable } from '../src/tables/rates.table'
import { refused } from './harness'
import { type TestRates, table, testRates } from './rates-harness'

const start = Date.parse('2026-01-02T03:04:05.000Z')
const iso = (ms: number) => new Date(start + ms).toISOString()
const insert = prepared((db) => db.insert(ratesTable).values(params(ratesTable)))

interface Stored {
  id: string
  asset: { id: string; name: string } | null
  rate: number
  ms: number
}

/** Inserts rates as POST /rates would have over time, with many equal times and rates. */
async function history(rates: TestRates, count: number): Promise<Stored[]> {
  const named = [
    ['Bitcoin', 'BTC'],
    ['Bitcoin Cash', 'BCH'],
    ['ÉTHER 100%', 'ETH'],
    ['under_score', 'UND'],
  ] as const
  const known: Stored['asset'][] = [null]
  for (const [name, code] of named) known.push(await rates.asset({ name, code }))
  const rows = Array.from({ length: count }, (_, i): Stored => {
    const ms = Math.floor(i / 3) * 10
    const asset = known[i % 29 === 0 ? 4 : i % 31 === 0 ? 3 : i % 3] ?? null
    return { id: Bun.randomUUIDv7('hex', start + ms), asset, rate: ((i * 37) % 50) + 0.5, ms }
  })
  await rates.store.commit(async (tx) => {
    for (const { id, asset, rate, ms } of rows) {
      const timestamp = new Date(start + ms)
      const providers = { desk: rate }
      await insert(tx).execute({ id, assetId: asset?.id ?? null, assetCode: 'X', rate, providers, timestamp })
      if (asset) await bump(tx, ratesOf(asset.id), 1)
    }
    await bump(tx, 'rates', rows.length)
  })
  return rows
}

const rates = await testRates()
const all = await history(rates, 600)
afterAll(() => rates.close())

interface Asked {
  name?: string
  fromTime?: string
  toTime?: string
  sortBy?: 'timestamp' | 'rate'
  sortOrder?: 'asc' | 'desc'
  limit?: number
  offset?: number
}

const list = (asked: Record<string, unknown>) =>
  rates.get(`/rates?${new URLSearchParams(asked as Record<string, string>)}`)

/** The expected page, computed naively. */
function expected({ name, fromTime, toTime, sortBy = 'timestamp', sortOrder = 'desc', limit = 10, offset = 0 }: Asked) {
  const value = (each: Stored) => (sortBy === 'rate' ? each.rate : each.ms)
  const compare = (a: Stored, b: Stored) => value(a) - value(b) || (a.id < b.id ? -1 : 1)
  const matching = all
    .filter((each) => !name || each.asset?.name.toLowerCase().includes(name.toLowerCase()))
    .filter(({ ms }) => (!fromTime || iso(ms) >= fromTime) && (!toTime || iso(ms) <= toTime))
    .toSorted((a, b) => (sortOrder === 'asc' ? compare(a, b) : compare(b, a)))
  return { ids: matching.slice(offset, offset + limit).map(({ id }) => id), total: matching.length }
}

describe('GET /rates', () => {
  test('returns the newest ten, with their assets', async () => {
    const { status, body } = await list({})
    expect(status).toBe(200)
    expect(body.data.map(({ id }: Stored) => id)).toEqual(expected({}).ids)
    expect(body.pageInfo).toEqual({ limit: 10, offset: 0, total: 600 })
    const [first] = all
    const oldest = (await list({ sortOrder: 'asc', limit: 2 })).body.data
    expect(oldest).toEqual([
      {
        id: first?.id,
        assetId: first?.asset?.id,
        rate: 0.5,
        currency: 'USD',
        timestamp: iso(0),
        data: { assetCode: 'X', providers: { desk: 0.5 } },
        asset: { id: first?.asset?.id, name: 'under_score', code: 'UND', categoryId: null },
      },
      expect.objectContaining({ rate: 37.5 }),
    ])
    expect((await list({ limit: 3 })).body.data.some((each: Stored) => each.asset === null)).toBe(true)
  })

  test('returns what naive filtering and sorting would, for any query', async () => {
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const time = fc.integer({ min: -1, max: 2001 }).map(iso)
    const asked: fc.Arbitrary<Asked> = fc
      .record({
        name: maybe(fc.constantFrom('bit', 'BITCOIN C', 'éther', '%', '_', 'nothing', 'o')),
        fromTime: maybe(time),
        toTime: maybe(time),
        sortBy: maybe(fc.constantFrom('timestamp', 'rate')),
        sortOrder: maybe(fc.constantFrom('asc', 'desc')),
        limit: maybe(fc.constantFrom(0, 1, 7, 100)),
        offset: maybe(fc.constantFrom(0, 3, 90, 1000)),
      })
      .filter(({ fromTime, toTime }) => !(fromTime && toTime && fromTime > toTime))
    await fc.assert(
      fc.asyncProperty(asked, async (query) => {
        const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
        const { status, body } = await list(given)
        const { ids, total } = expected(query)
        expect(status).toBe(200)
        expect(body.data.map(({ id }: Stored) => id)).toEqual(ids)
        expect(body.pageInfo).toEqual({ limit: query.limit ?? 10, offset: query.offset ?? 0, total })
      }),
      { numRuns: 400 },
    )
  })

  test('includes both times, to the millisecond', async () => {
    const only = async (from: number, to: number) =>
      (await list({ fromTime: iso(from), toTime: iso(to) })).body.pageInfo.total
    expect(await only(100, 100)).toBe(3)
    expect(await only(101, 109)).toBe(0)
    expect(await only(100, 110)).toBe(6)
    expect(await only(-1, 0)).toBe(3)
    expect((await list({ fromTime: '2026-01-02T04:04:05.100+01:00', toTime: iso(100) })).body.pageInfo.total).toBe(3)
    expect((await list({ fromTime: '2026-01-02' })).body.pageInfo.total).toBe(600)
    expect((await list({ toTime: '2026-01-02' })).body.pageInfo.total).toBe(0)
    // Before 1970 too, with and without a beginning.
    expect((await list({ toTime: '1960-01-01' })).body.pageInfo.total).toBe(0)
    expect((await list({ fromTime: '0000-01-01' })).body.pageInfo.total).toBe(600)
  })

  test('pages through equal rates without overlap or gap', async () => {
    for (const sortOrder of ['asc', 'desc']) {
      const seen: string[] = []
      for (let offset = 0; offset < 600; offset += 100) {
        const { body } = await list({ sortBy: 'rate', sortOrder, limit: 100, offset })
        seen.push(...body.data.map(({ id }: Stored) => id))
      }
      expect(new Set(seen).size).toBe(600)
    }
  })

  test('an empty name is ignored', async () => {
    expect((await list({ name: '' })).body.pageInfo.total).toBe(600)
  })

  test.each([
    [{ sortBy: 'name' }, ['sortBy must be one of the following values: timestamp, rate']],
    [{ sortOrder: 'up' }, ['sortOrder must be one of the following values: asc, desc']],
    [{ fromTime: 'yesterday' }, ['fromTime must be a valid ISO 8601 date string']],
    [{ toTime: '2026-02-30' }, ['toTime must be a valid ISO 8601 date string']],
    [{ fromTime: '' }, ['fromTime must be a valid ISO 8601 date string']],
    [{ fromTime: iso(1), toTime: iso(0) }, ['fromTime must not be after toTime']],
    [{ limit: -1 }, ['limit must not be less than 0']],
    [{ limit: 101 }, ['limit must not be greater than 100']],
    [{ limit: 'abc' }, ['limit must be an integer']],
    [{ offset: -1 }, ['offset must not be less than 0']],
    [
      { limit: -1, offset: '1e3', sortBy: 'x' },
      [
        'limit must not be less than 0',
        'offset must be an integer',
        'sortBy must be one of the following values: timestamp, rate',
      ],
    ],
  ])('400 for %j', async (asked, messages) => {
    expect(refused(await list(asked), 400)).toEqual(messages)
  })

  test('unknown keys are ignored', async () => {
    expect((await list({ colour: 'blue' })).status).toBe(200)
  })
})

describe('rates created by POST /rates', () => {
  test('are found by the name of their asset, also when that was deleted or renamed', async () => {
    const own = await testRates()
    const first = await own.asset({ code: 'ONE', name: 'First coin', staticValue: 1.5 })
    await own.asset({ code: 'TWO', name: 'Second coin', staticValue: 2 })
    await own.provider('desk', table({ LOOSE: 3 }), { isDefault: true })
    for (const code of ['ONE', 'TWO', 'two', 'LOOSE', 'USDC']) expect((await own.rate(code)).status).toBe(201)
    const found = async (name: string) => {
      const { data, pageInfo } = (await own.get(`/rates?sortOrder=asc&name=${encodeURIComponent(name)}`)).body
      expect(pageInfo.total).toBe(data.length)
      return data.map((each: { rate: number }) => each.rate)
    }
    expect(await found('COIN')).toEqual([1.5, 2, 2])
    expect(await found('first')).toEqual([1.5])
    await own.put(`/assets/${first.id}`, { name: 'Oldest' })
    expect(await found('first')).toEqual([])
    const gone = { deletedAt: new Date() }
    await own.store.commit(async (tx) => void (await tx.update(assets).set(gone).where(eq(assets.id, first.id))))
    expect(await found('oldest')).toEqual([1.5])
    expect((await own.get('/rates?name=oldest')).body.data[0].asset).toMatchObject({ id: first.id, code: 'ONE' })
    expect((await own.get('/rates?limit=0')).body).toEqual({ data: [], pageInfo: { limit: 0, offset: 0, total: 5 } })
    await own.close()
  })
})
