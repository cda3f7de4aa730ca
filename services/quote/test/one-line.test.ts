// Names and codes are one line, so that they cannot add rows to tables and exports.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { refused, type TestQuote, testQuote } from './harness'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

const valid: Record<string, object> = {
  '/assets': { name: 'One', code: 'ONE' },
  '/categories': { name: 'One' },
  '/providers': { name: 'One', slug: 'one' },
  '/rates': { assetCode: 'ONE' },
}

test.each([
  ['/assets', 'name'],
  ['/assets', 'code'],
  ['/categories', 'name'],
  ['/providers', 'name'],
  ['/providers', 'slug'],
  ['/rates', 'assetCode'],
])('POST %s refuses a %s with a line break', async (path, field) => {
  for (const value of ['A\n=1+1', 'a\rb', 'a\u2028b']) {
    const answer = await quote.post(path, { ...valid[path], [field]: value })
    expect([value, refused(answer, 400)]).toEqual([value, [`${field} must not hold control characters`]])
  }
})
