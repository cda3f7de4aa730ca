// GET /rates/history: every rate of a short period, the last of each interval of a long one. The search of assets.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { params, prepared } from '@bursar/store'
import { rates as ratesTable } from '../src/tables/rates.table'
import { notUuid, refused } from './harness'
import { type TestRates, testRates } from './rates-harness'

const start = Date.parse('2026-01-02T00:00:00.000Z')
const iso = (ms: number) => new Date(start + ms).toISOString()
const insert = prepared((db) => db.insert(ratesTable).values(params(ratesTable)))
const minute = 60_000
const count = 1300

let quote: TestRates
let gold: { id: string; name: string; code: string }
let silver: typeof gold

beforeAll(async () => {
  quote = await testRates()
  gold = await quote.asset({ name: 'Gold', code: 'XAUT' })
  silver = await quote.asset({ name: 'Silver 100%', code: 'SILV' })
  await quote.store.commit(async (tx) => {
    for (let i = 0; i < count; i++) {
      const at = new Date(start + i * minute)
      const common = { assetCode: 'X', providers: { desk: i + 1 }, timestamp: at }
      await insert(tx).execute({ ...common, id: Bun.randomUUIDv7('hex', at), assetId: gold.id, rate: i + 1 })
      if (i < 3) await insert(tx).execute({ ...common, id: Bun.randomUUIDv7('hex', at), assetId: silver.id, rate: 7 })
    }
  })
})
afterAll(() => quote.close())

const history = async (id: string, query = '') => (await quote.get(`/rates/history/${id}?${query}`)).body
const ratesOf = (body: { points: { rate: number }[] }) => body.points.map(({ rate }) => rate)

describe('GET /rates/history/:assetId', () => {
  test('returns every rate of a short period, oldest first', async () => {
    const body = await history(gold.id, `fromTime=${iso(0)}&toTime=${iso(4 * minute)}`)
    expect(body).toMatchObject({
      asset: { id: gold.id, code: 'XAUT' },
      fromTime: iso(0),
      toTime: iso(4 * minute),
      intervalSeconds: null,
    })
    expect(ratesOf(body)).toEqual([1, 2, 3, 4, 5])
    expect(body.points[1]).toMatchObject({ rate: 2, timestamp: iso(minute), providers: { desk: 2 } })
    expect(ratesOf(await history(silver.id))).toEqual([7, 7, 7])
  })

  test('returns the last rate of each interval of a long period, including the newest', async () => {
    const body = await history(gold.id, `toTime=${iso((count - 1) * minute)}&points=100`)
    expect(body.fromTime).toBe(iso(0))
    // 1299 minutes and a millisecond in 100 intervals.
    expect(body.intervalSeconds).toBe(779.401)
    const lasts = Array.from({ length: 100 }, (_, i) => Math.min(count, Math.ceil(((i + 1) * 779_401) / minute)))
    expect(ratesOf(body)).toEqual(lasts)
  })

  test('has at most 500 points, and omits intervals without a rate', async () => {
    expect((await history(gold.id)).points.length).toBeLessThanOrEqual(500)
    const body = await history(gold.id, `fromTime=${iso(-1e9)}&toTime=${iso(1e9)}&points=20`)
    expect(body.points.length).toBeLessThan(20)
    expect(ratesOf(body).at(-1)).toBe(count)
  })

  test('is empty for an asset without rates', async () => {
    const { id } = await quote.asset()
    const body = await history(id)
    expect(body.points).toEqual([])
    expect(body.fromTime).toBe(body.toTime)
  })

  test('400 for times in the wrong order and for an invalid number; 404 for an unknown asset', async () => {
    const wrong = await quote.get(`/rates/history/${gold.id}?fromTime=${iso(2)}&toTime=${iso(1)}`)
    expect(refused(wrong, 400)).toBe('fromTime must not be after toTime')
    for (const query of ['points=1', 'points=501', 'points=x', 'fromTime=yesterday']) {
      refused(await quote.get(`/rates/history/${gold.id}?${query}`), 400)
    }
    expect(refused(await quote.get('/rates/history/x'), 400)).toBe(notUuid)
    expect(refused(await quote.get(`/rates/history/${Bun.randomUUIDv7()}`), 404)).toBe('Asset not found')
  })
})

describe('GET /internal/search', () => {
  test('finds assets by id, by code and by the beginning of a name, case-insensitively', async () => {
    const as = await quote.asService('gateway')
    const found = async (q: string) => {
      const { body } = await quote.get(`/internal/search?q=${encodeURIComponent(q)}`, as)
      return body.map(({ id }: { id: string }) => id)
    }
    for (const q of [gold.id, gold.id.toUpperCase(), 'xaut', 'GO']) expect([q, await found(q)]).toEqual([q, [gold.id]])
    expect(await found('silver 100%')).toEqual([silver.id])
    for (const q of ['ilver', 'gold%', 'G_ld']) expect([q, await found(q)]).toEqual([q, []])
    refused(await quote.get('/internal/search?q=gold'), 401)
  })
})
