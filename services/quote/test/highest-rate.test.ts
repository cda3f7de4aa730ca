// GET /internal/rates/highest/:assetCode: the price by which four eyes values a withdrawal.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, openReadOnly, params, prepared } from '@bursar/store'
import { highestOf, highestRate } from '../src/rates/highest-rate'
import { endedValues } from '../src/tables/ended-values.table'
import { rates } from '../src/tables/rates.table'
import { refused } from './harness'
import { type TestRates, table, testRates } from './rates-harness'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const ago = (ms: number) => new Date(Date.now() - ms)
const insert = prepared((db) => db.insert(rates).values(params(rates)))

let quote: TestRates
beforeAll(async () => {
  quote = await testRates()
})
afterAll(() => quote.close())

const eqCode = (code: string) => eq(endedValues.assetCode, code)
let codes = 0
const newCode = () => `H${++codes}`
const stored = (assetCode: string, rate: number, timestamp: Date) =>
  quote.store.commit((tx) =>
    insert(tx).execute({ id: Bun.randomUUIDv7(), assetId: null, assetCode, rate, providers: {}, timestamp }),
  )
const ask = async (assetCode: string, since: Date = ago(dayMs)) =>
  await quote.get(
    `/internal/rates/highest/${encodeURIComponent(assetCode)}?since=${since.toISOString()}`,
    await quote.asService('core-ledger'),
  )
const highest = async (assetCode: string, since?: Date): Promise<number> => (await ask(assetCode, since)).body.rate

describe('the highest rate', () => {
  test('is told since two days ago to the millisecond, and not since before', async () => {
    const [code, now] = [newCode(), new Date()]
    const since = new Date(now.getTime() - 2 * dayMs)
    await stored(code, 5, since)
    expect(await highestRate(quote.store.read, code, since, now)).toEqual({ rate: 5, at: since })
    const earlier = new Date(since.getTime() - 1)
    await expect(highestRate(quote.store.read, code, earlier, now)).rejects.toThrow(
      'since must not be more than two days ago',
    )
  })

  test('is that of the rates since, whoever requested them, case-insensitively', async () => {
    const code = newCode()
    for (const [rate, at] of [
      [7, 3],
      [9, 2],
      [8, 1],
    ] as const)
      await stored(code.toLowerCase(), rate, ago(at * hourMs))
    await stored('OTHER', 100, ago(hourMs))
    const answer = await ask(code)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ rate: 9, currency: 'USD', at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await highest(code, ago(1.5 * hourMs))).toBe(9)
    expect(await highest(code, ago(hourMs / 2))).toBe(8)
  })

  test('includes the rate in force at that time: the last one of the day before', async () => {
    const code = newCode()
    const since = ago(dayMs)
    await stored(code, 50, new Date(since.getTime() - 2 * hourMs))
    await stored(code, 40, new Date(since.getTime() - hourMs))
    await stored(code, 1, ago(hourMs))
    expect(await highest(code, since)).toBe(40)
    const late = newCode()
    await stored(late, 50, new Date(since.getTime() - dayMs - minuteMs))
    refused(await ask(late, since), 404)
    await stored(late, 1, ago(hourMs))
    expect(await highest(late, since)).toBe(1)
  })

  test('is not hidden by a changed or removed fixed value, a new code, or another asset with that code', async () => {
    const lowered = await quote.asset({ code: newCode(), staticValue: 2000 })
    const since = ago(minuteMs)
    expect(await highest(lowered.code, since)).toBe(2000)
    await quote.patch(`/assets/${lowered.id}/static-value`, { staticValue: 1 })
    expect(await highest(lowered.code, since)).toBe(2000)
    const removed = await quote.asset({ code: newCode(), staticValue: 300 })
    await quote.patch(`/assets/${removed.id}/static-value`, { staticValue: null })
    expect(await highest(removed.code.toLowerCase(), since)).toBe(300)
    const renamed = await quote.asset({ code: newCode(), staticValue: 400 })
    await quote.put(`/assets/${renamed.id}`, { code: newCode() })
    await quote.asset({ code: renamed.code, staticValue: 2 })
    expect(await highest(renamed.code, since)).toBe(400)
    const deleted = await quote.asset({ code: newCode(), staticValue: 500 })
    await quote.del(`/assets/${deleted.id}`)
    await quote.asset({ code: deleted.code, staticValue: 3 })
    expect(await highest(deleted.code, since)).toBe(500)
    const priced = await quote.asset({ code: newCode() })
    await quote.map(priced, await quote.provider('desk', table({ [priced.code]: 600 })))
    await quote.rate(priced.code)
    await quote.put(`/assets/${priced.id}`, { code: newCode() })
    await quote.asset({ code: priced.code, staticValue: 4 })
    expect(await highest(priced.code, since)).toBe(600)
  })

  test('excludes a fixed value that had ended before; a change of other fields ends none', async () => {
    const { id, code } = await quote.asset({ code: newCode(), staticValue: 20 })
    await quote.put(`/assets/${id}`, { name: 'Another name', code: code.toLowerCase(), staticValue: 20 })
    expect(await quote.store.read.$count(endedValues, eqCode(code))).toBe(0)
    await quote.patch(`/assets/${id}/static-value`, { staticValue: 10 })
    expect(await highest(code, new Date(Date.now() + 1))).toBe(10)
    expect(await highest(code)).toBe(20)
  })

  test('of a stablecoin is a dollar at least, whatever its fixed value', async () => {
    expect(await highest('usdc')).toBe(1)
    await quote.asset({ code: 'USDT', staticValue: 0.5 })
    expect(await highest('USDT')).toBe(1)
    await stored('USDT', 1.25, ago(hourMs))
    expect(await highest('USDT')).toBe(1.25)
  })

  test('404 for an asset without rates, names of inherited properties among them', async () => {
    for (const code of [newCode(), 'constructor', '__proto__', 'toString', '%', 'x'.repeat(255)]) {
      expect(refused(await ask(code), 404)).toBe('The asset has no rate of that time')
    }
  })

  test('400 for an invalid or too early time, and for a code that is too long; 401 for callers that are not services', async () => {
    const as = await quote.asService('core-ledger')
    for (const query of ['', '?since=', '?since=yesterday', '?since=1e999']) {
      refused(await quote.get(`/internal/rates/highest/X${query}`, as), 400)
    }
    expect(refused(await ask('X', ago(2 * dayMs + minuteMs)), 400)).toBe('since must not be more than two days ago')
    refused(await ask('x'.repeat(256)), 400)
    const since = ago(dayMs).toISOString()
    refused(await quote.get(`/internal/rates/highest/USDC?since=${since}`), 401)
    const participant = await quote.asParticipant('018f2f3e-0000-7000-8000-0000000000aa')
    refused(await quote.get(`/internal/rates/highest/USDC?since=${since}`, participant), 401)
  })

  test('is found by index only', () => {
    const { sql } = highestOf(quote.store.read).toSQL()
    const file = openReadOnly(quote.file)
    const plan = file.rows(`explain query plan ${sql}`).map(({ detail }) => String(detail))
    file.close()
    const reads = plan.filter((detail) => /^(SCAN|SEARCH)/.test(detail))
    expect(reads).toEqual([
      expect.stringMatching(/^SEARCH rates USING .*INDEX rates_code \(<expr>=\? AND timestamp>\?/),
      expect.stringMatching(/^SEARCH rates USING .*INDEX rates_code \(<expr>=\? AND timestamp>\? AND timestamp<\?/),
      expect.stringMatching(/^SEARCH ended_values USING INDEX ended_values_code/),
      expect.stringMatching(/^SEARCH assets USING INDEX assets_code/),
    ])
  })
})
