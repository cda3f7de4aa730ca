import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { quoteServer } from './quote-server'
import { depositOf, make, makeAsset, type Tx } from './steps'

const quote = quoteServer({ GOLD: 10 })
let ledger: Ledger
/** Of 120 deposits every tenth is worth 1,000 USD, the others 10. */
const large: string[] = []

beforeAll(async () => {
  ledger = await openLedger({ urls: { quote: quote.url } })
  const { id: accountId, customerId } = await ledger.account()
  const bench = { assetId: await makeAsset(ledger, { code: 'GOLD' }), accountId, customerId }
  const bare = { ...bench, assetId: await makeAsset(ledger, { code: 'LEAD' }) }
  for (let i = 0; i < 120; i++) {
    const { id } = await make(ledger, 'deposit', depositOf(bench, i % 10 === 0 ? '100' : '1'))
    if (i % 10 === 0) large.push(id)
  }
  await make(ledger, 'deposit', depositOf(bare, '1000000'))
})
afterAll(async () => {
  await ledger?.close()
  await quote.stop()
})

const list = async (query: string) => (await ledger.ask<Tx[]>('GET', `/transactions?${query}`)).body.map(({ id }) => id)

test('those that are worth so much, the limit itself included; without a rate nothing is', async () => {
  expect(await list('minUsd=1000')).toEqual(large)
  expect(await list('minUsd=1001')).toEqual([])
  expect((await list('minUsd=10')).length).toBe(120)
})

test('pages of them, by place and by keyset, in either order', async () => {
  expect(await list('minUsd=500&limit=5')).toEqual(large.slice(0, 5))
  expect(await list(`minUsd=500&limit=5&after=${large[4]}`)).toEqual(large.slice(5, 10))
  expect(await list('minUsd=500&limit=4&offset=7')).toEqual(large.slice(7, 11))
  expect(await list('minUsd=500&limit=3&order=desc')).toEqual(large.toReversed().slice(0, 3))
  expect(await list('minUsd=500&limit=0')).toEqual([])
})

test('they are not counted, and the table for spreadsheets has them alone', async () => {
  const { headers } = await ledger.ask('GET', '/transactions?minUsd=500&count=true&limit=1')
  expect(headers.get('x-total-count')).toBeNull()
  const { headers: all } = await ledger.ask('GET', '/transactions?count=true&limit=1')
  expect(all.get('x-total-count')).toBe('121')
  const { body } = await ledger.ask<string>('GET', '/transactions/export?minUsd=500')
  expect(body.trimEnd().split('\r\n').length).toBe(1 + large.length)
})

test.each(['-1', '1.5', 'x', ''])('400 for minUsd=%p', async (value) => {
  expect((await ledger.ask('GET', `/transactions?minUsd=${value}`)).status).toBe(400)
})
