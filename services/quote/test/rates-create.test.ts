import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { assets } from '../src/tables/assets.table'
import { providers } from '../src/tables/providers.table'
import { refused } from './harness'
import { type TestRates, table, testRates } from './rates-harness'

const open: TestRates[] = []
async function service(env?: Record<string, string>): Promise<TestRates> {
  const rates = await testRates(env)
  open.push(rates)
  return rates
}
let rates: TestRates
beforeAll(async () => {
  rates = await service()
})
afterAll(() => Promise.all(open.map((each) => each.close())))

describe('POST /rates refuses', () => {
  test.each([
    [{}, ['assetCode should not be empty']],
    [undefined, ['assetCode should not be empty']],
    [{ assetCode: '' }, ['assetCode should not be empty']],
    [{ assetCode: '  ' }, ['assetCode should not be blank']],
    [{ assetCode: 1 }, ['assetCode must be a string']],
    [{ assetCode: null }, ['assetCode must be a string']],
    [{ assetCode: 'X'.repeat(256) }, ['assetCode must be at most 255 characters long']],
  ])('%j with 400', async (body, messages) => {
    expect(refused(await rates.post('/rates', body), 400)).toEqual(messages)
  })

  test('a body that is not JSON, or not declared as JSON', async () => {
    expect(refused(await rates.post('/rates', '{'), 400)).toBe('The body is not valid JSON')
    const typed = await rates.post('/rates', '{"assetCode":"USDC"}', { 'content-type': 'text/plain' })
    expect(refused(typed, 400)).toBe('Content-Type must be application/json')
    expect(refused(await rates.ask('DELETE', '/rates'), 405)).toContain('GET, HEAD, POST')
  })
})

describe('the steps of the calculation', () => {
  test.each(['USDC', 'usdc', 'USDT', 'Usdt'])('1: %s is 1, whatever providers say', async (code) => {
    const answer = await rates.rate(code)
    expect(answer).toMatchObject({ status: 201, body: { rate: 1, currency: 'USD', isStatic: true } })
    expect(Object.keys(answer.body)).toEqual(['rate', 'currency', 'isStatic'])
    expect(await rates.last()).toMatchObject({
      rate: 1,
      assetId: null,
      asset: null,
      data: { assetCode: code.toUpperCase(), providers: {} },
    })
  })

  // `toUpperCase` makes USDC and USDT of them.
  test.each(['uſdc', 'UſDT'])('1: %s is another code, and no stablecoin', async (code) => {
    const answer = await rates.rate(code)
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining('ſ')])
  })

  test('1: a stablecoin of the catalogue is 1 as well, and its record names the asset', async () => {
    const own = await service()
    const { id } = await own.asset({ code: 'UsdC', name: 'USD Coin', staticValue: 0.98 })
    expect((await own.rate('USDC')).body).toEqual({ rate: 1, currency: 'USD', isStatic: true })
    expect(await own.last()).toMatchObject({ assetId: id, asset: { id, name: 'USD Coin', code: 'UsdC' } })
  })

  test('2: staticValue comes before providers, until it is null', async () => {
    const asset = await rates.asset({ code: 'FIX', staticValue: 12.345678901234567 })
    const provider = await rates.provider('fix-table', table({ FIX: 9 }))
    await rates.map(asset, provider)
    expect((await rates.rate('fix')).body).toEqual({ rate: 12.345678901234567, currency: 'USD', isStatic: true })
    expect((await rates.last()).data).toEqual({ assetCode: 'FIX', providers: {} })
    await rates.patch(`/assets/${asset.id}/static-value`, { staticValue: null })
    expect((await rates.rate('fix')).body).toEqual({ rate: 9, currency: 'USD', isStatic: false })
  })

  test('3 and 7: the code is case-insensitive; the record has the time and each provider', async () => {
    const { id: categoryId } = await rates.create('/categories', { name: 'Coins' })
    const asset = await rates.asset({ code: 'MixEd', name: 'Mixed', categoryId })
    await rates.map(asset, await rates.provider('m-one', table({ MIXED: '0.1' })))
    await rates.map(asset, await rates.provider('m-two', table({ mixed: '0.2' })))
    const before = Date.now()
    expect((await rates.rate('mIXeD')).body).toEqual({ rate: 0.15, currency: 'USD', isStatic: false })
    const record = await rates.last()
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      assetId: asset.id,
      rate: 0.15,
      currency: 'USD',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { assetCode: 'MixEd', providers: { 'm-one': 0.1, 'm-two': 0.2 } },
      asset: { id: asset.id, name: 'Mixed', code: 'MixEd', categoryId },
    })
    expect(Date.parse(record.timestamp)).toBeWithin(before, Date.now() + 1)
  })
})

describe('4: provider selection', () => {
  /** Four providers that can be told apart by their price. */
  async function levels() {
    const own = await service()
    const one = (slug: string, price: number, fields: object = {}) =>
      own.provider(slug, table({ LVL: price, OTHER: price }), fields)
    return {
      own,
      mapped: await one('mapped', 1),
      ofCategory: await one('of-category', 2),
      usual: await one('usual', 3, { isDefault: true }),
    }
  }

  test("only the asset's mappings, else its category's, else the default providers", async () => {
    const { own, mapped, ofCategory } = await levels()
    const category = await own.create('/categories', { name: 'Coins' })
    const asset = await own.asset({ code: 'LVL', categoryId: category.id })
    const asked = async () => {
      expect((await own.rate('lvl')).status).toBe(201)
      return Object.keys((await own.last()).data.providers)
    }
    expect(await asked()).toEqual(['usual'])
    await own.create('/category-providers', { categoryId: category.id, providerId: ofCategory.id })
    expect(await asked()).toEqual(['of-category'])
    await own.map(asset, mapped)
    expect(await asked()).toEqual(['mapped'])
    await own.del(`/asset-providers/${asset.id}/providers/${mapped.id}`)
    expect(await asked()).toEqual(['of-category'])
    await own.del(`/category-providers/${ofCategory.id}/category/${category.id}`)
    expect(await asked()).toEqual(['usual'])
  })

  test('the default providers for a code that is not in the catalogue; its record names no asset', async () => {
    const { own } = await levels()
    expect((await own.rate('other')).body).toEqual({ rate: 3, currency: 'USD', isStatic: false })
    expect(await own.last()).toMatchObject({ assetId: null, asset: null, data: { assetCode: 'OTHER' } })
  })

  test('never a deleted provider, at any level', async () => {
    const { own, mapped, usual } = await levels()
    const asset = await own.asset({ code: 'LVL' })
    await own.map(asset, mapped)
    // The API refuses to delete a mapped one; a race might not.
    const gone = (id: string) =>
      own.store.commit(async (tx) => {
        await tx.update(providers).set({ deletedAt: new Date() }).where(eq(providers.id, id))
      })
    await gone(mapped.id)
    expect((await own.rate('LVL')).body.rate).toBe(3)
    expect((await own.del(`/providers/${usual.id}`)).status).toBe(200)
    expect(refused(await own.rate('LVL'), 503)).toBe('No provider is available for asset LVL')
  })

  test('a deleted asset is not in the catalogue', async () => {
    const { own } = await levels()
    const asset = await own.asset({ code: 'LVL', staticValue: 77 })
    expect((await own.del(`/assets/${asset.id}`)).status).toBe(200)
    expect((await own.rate('LVL')).body).toMatchObject({ rate: 3, isStatic: false })
  })

  test("in the order of priority; a mapping's config overrides its provider's", async () => {
    const own = await service()
    const asset = await own.asset({ code: 'ORD' })
    await own.map(asset, await own.provider('late', { ...table({ ORD: 1 }), priority: 9 }))
    await own.map(asset, await own.provider('none', table({ ORD: 2 })))
    await own.map(asset, await own.provider('first', { ...table({ ORD: 3 }), priority: 10 }), { priority: 1 })
    await own.map(asset, await own.provider('changed', table({ ORD: 4 })), { ...table({ ORD: 5 }), priority: 2 })
    await own.rate('ORD')
    const { providers: answers } = (await own.last()).data
    expect(answers).toEqual({ first: 3, changed: 5, late: 1, none: 2 })
    expect(Object.keys(answers)).toEqual(['first', 'changed', 'late', 'none'])
  })
})

describe('an asset that no provider knows', () => {
  test('503 when there is no provider', async () => {
    const own = await service()
    const answer = await own.rate('nope')
    expect(refused(answer, 503)).toBe('No provider is available for asset NOPE')
    expect(answer.body).toMatchObject({ error: 'Service Unavailable', path: '/v1/rates' })
    expect((await own.get('/rates')).body.pageInfo.total).toBe(0)
  })

  test('400 when all say that they do not know it, 503 when one fails otherwise', async () => {
    const own = await service()
    await own.provider('t-one', table({ BTC: 1 }), { isDefault: true })
    await own.provider('t-two', table({}), { isDefault: true })
    expect(refused(await own.rate('NOPE'), 400)).toBe('Asset not found')
    await own.provider('silent', {}, { isDefault: true })
    const answer = await own.rate('NOPE')
    expect(refused(answer, 503)).toBe('All providers failed for asset NOPE')
    expect(answer.body.details).toEqual({
      't-one': 'does not know the asset NOPE',
      't-two': 'does not know the asset NOPE',
      silent: 'no adapter',
    })
  })

  test('503 for an asset of the catalogue', async () => {
    const own = await service()
    await own.asset({ code: 'OURS' })
    await own.provider('t-one', table({}), { isDefault: true })
    expect(refused(await own.rate('OURS'), 503)).toBe('All providers failed for asset OURS')
  })

  test('400 at once with QUOTE_UNKNOWN_ASSET=reject; stablecoins and the catalogue are answered', async () => {
    const own = await service({ QUOTE_UNKNOWN_ASSET: 'reject' })
    await own.provider('t-one', table({ NOPE: 1, OURS: 2 }), { isDefault: true })
    const { id } = await own.asset({ code: 'OURS' })
    expect(refused(await own.rate('NOPE'), 400)).toBe('Asset not found')
    expect((await own.rate('USDT')).status).toBe(201)
    expect((await own.rate('OURS')).body.rate).toBe(2)
    const gone = { deletedAt: new Date() }
    await own.store.commit(async (tx) => void (await tx.update(assets).set(gone).where(eq(assets.id, id))))
    expect(refused(await own.rate('OURS'), 400)).toBe('Asset not found')
  })
})
