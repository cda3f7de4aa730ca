import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bump } from '../src/counters/counters'
import { refused, type TestQuote, testQuote } from './harness'

const kinds = ['assets', 'categories', 'providers', 'rates'] as const

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
  // The lists read their totals from these counters.
  await quote.store.commit(async (tx) => {
    for (const kind of kinds) await bump(tx, kind, 100_010)
  })
})
afterAll(() => quote.close())

test.each(kinds)('GET /%s refuses pages that skip over 100,000 rows, and suggests filters', async (kind) => {
  const message = 'offset must not be greater than 100000 here: narrow the list with filters'
  for (const offset of [100_001, 100_009]) {
    expect(refused(await quote.get(`/${kind}?offset=${offset}`), 400)).toBe(message)
  }
  for (const offset of [0, 100_000, 100_010, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await quote.get(`/${kind}?offset=${offset}`)
    expect([status, body.pageInfo]).toEqual([200, { limit: 10, offset, total: 100_010 }])
  }
})
