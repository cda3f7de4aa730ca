// PricingChanged: who changed the basis of a price, in the commit of the change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { PricingChanged } from '@bursar/contracts/quote'
import { dataOf, type TestRates, table, testRates } from './rates-harness'

const userId = '018f2f3e-0000-7000-8000-0000000000bb'
let quote: TestRates
let as: Record<string, string>
let seen: number
beforeAll(async () => {
  quote = await testRates()
  as = await quote.as({ kind: 'user', subject: userId })
})
afterAll(() => quote.close())

const all = async () => (await quote.events()).filter(({ name }) => name === PricingChanged.name).map(dataOf)
beforeEach(async () => {
  seen = (await all()).length
})
/** The events since the last look: asset code, kind of change, user. */
async function announced(): Promise<[string, string | null, string | null][]> {
  const events = (await all()).slice(seen)
  seen += events.length
  for (const event of events) expect([event.v, typeof event.at]).toEqual([1, 'string'])
  return events.map(({ what, assetCode, userId }) => [what, assetCode, userId])
}

let names = 0
const named = (fields: object = {}) => ({ name: 'Some asset', code: `P${++names}`, ...fields })

test('is published for an asset’s fixed value, category and code, not for its name and description', async () => {
  const plain = await quote.create('/assets', named(), as)
  expect(await announced()).toEqual([])
  const { id, code } = await quote.create('/assets', named({ staticValue: 5 }), as)
  expect(await announced()).toEqual([['asset', code, userId]])
  await quote.put(`/assets/${id}`, { name: 'Another', description: 'x', staticValue: 5 }, as)
  expect(await announced()).toEqual([])
  await quote.put(`/assets/${id}`, { staticValue: 6 }, as)
  await quote.patch(`/assets/${id}/static-value`, { staticValue: 7 }, as)
  await quote.patch(`/assets/${id}/static-value`, { staticValue: null }, as)
  expect(await announced()).toEqual(Array(3).fill(['asset', code, userId]))
  const category = await quote.create('/categories', { name: 'Metals' }, as)
  expect(await announced()).toEqual([])
  await quote.put(`/assets/${plain.id}`, { categoryId: category.id }, as)
  expect(await announced()).toEqual([['asset', plain.code, userId]])
  await quote.put(`/assets/${id}`, { code: 'RENAMED' }, as)
  expect(await announced()).toEqual([
    ['asset', code, userId],
    ['asset', 'RENAMED', userId],
  ])
  await quote.del(`/assets/${id}`, as)
  expect(await announced()).toEqual([['asset', 'RENAMED', userId]])
})

test('a letter beyond ASCII in another case makes another code, of an asset that is renamed', async () => {
  const { id } = await quote.create('/assets', named({ code: 'ÉcU', staticValue: 5 }), as)
  await announced()
  await quote.put(`/assets/${id}`, { code: 'ÉCU' }, as)
  expect(await announced()).toEqual([])
  await quote.put(`/assets/${id}`, { code: 'éCU' }, as)
  expect(await announced()).toEqual([
    ['asset', 'ÉCU', userId],
    ['asset', 'éCU', userId],
  ])
})

test('is published for mappings of an asset, and of a category, which may concern every asset', async () => {
  const asset = await quote.create('/assets', named(), as)
  const provider = await quote.create('/providers', { name: 'A', slug: 'map-desk', config: table({}) }, as)
  const category = await quote.create('/categories', { name: 'Oils' }, as)
  await announced()
  await quote.create('/asset-providers', { assetId: asset.id, providerId: provider.id }, as)
  await quote.del(`/asset-providers/${asset.id}/providers/${provider.id}`, as)
  expect(await announced()).toEqual(Array(2).fill(['mapping', asset.code, userId]))
  await quote.create('/category-providers', { categoryId: category.id, providerId: provider.id }, as)
  await quote.del(`/category-providers/${provider.id}/category/${category.id}`, as)
  expect(await announced()).toEqual(Array(2).fill(['mapping', null, userId]))
})

test('is published for a provider’s config, slug and isDefault, not for its name', async () => {
  const config = { ...table({ X: 1 }), apiKey: 'secret' }
  const { id, config: shown } = await quote.create('/providers', { name: 'B', slug: 'b-desk', config }, as)
  expect(await announced()).toEqual([])
  await quote.put(`/providers/${id}`, { name: 'C', config: shown }, as)
  expect(await announced()).toEqual([])
  const changes = [
    { config: { ...shown, priority: 1 } },
    { config: { ...table({ X: 2 }), apiKey: 'secret' } },
    { slug: 'c-desk' },
    { isDefault: true },
  ]
  for (const change of changes) {
    await quote.put(`/providers/${id}`, change, as)
    expect(await announced()).toEqual([['provider', null, userId]])
  }
  await quote.del(`/providers/${id}`, as)
  expect(await announced()).toEqual([['provider', null, userId]])
  await quote.create('/providers', { name: 'D', slug: 'd-desk', isDefault: true }, as)
  expect(await announced()).toEqual([['provider', null, userId]])
})

test('a refused change publishes nothing', async () => {
  const { id, code } = await quote.create('/assets', named({ staticValue: 5 }), as)
  await announced()
  await quote.patch(`/assets/${id}/static-value`, { staticValue: -1 }, as)
  await quote.post('/assets', named({ code, staticValue: 9 }), as)
  await quote.post('/asset-providers', { assetId: id, providerId: id }, as)
  await quote.del(`/asset-providers/${id}/providers/${id}`, as)
  expect(await announced()).toEqual([])
})

test('a caller that is not a user is not named', async () => {
  const participant = await quote.asParticipant('018f2f3e-0000-7000-8000-0000000000aa')
  for (const caller of [{}, participant]) {
    const { code } = await quote.create('/assets', named({ staticValue: 5 }), caller)
    expect(await announced()).toEqual([['asset', code, null]])
  }
})
