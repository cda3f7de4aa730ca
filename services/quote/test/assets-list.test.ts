import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, refused, type TestQuote, testQuote } from './harness'

describe('GET /assets', () => {
  let lists: TestQuote
  beforeAll(async () => {
    lists = await testQuote()
    const { id: categoryId } = await lists.create('/categories', { name: 'Gold' })
    const { id: providerId } = await lists.create('/providers', { name: 'Kraken', slug: 'kraken', isDefault: true })
    for (const [name, code] of [
      ['banana', 'Zed'],
      ['Apple', 'mid'],
      ['100% Gold_\\', 'AAA'],
      ['Äpfel', 'xyz'],
    ]) {
      await lists.create('/assets', { name, code, ...(code === 'AAA' ? { categoryId } : {}) })
    }
    const [gold] = (await lists.get('/assets?code=AAA')).body.data
    await lists.create('/asset-providers', { assetId: gold.id, providerId })
    const [banana] = (await lists.get('/assets?code=Zed')).body.data
    // The clock has advanced since the asset was created.
    const later = Date.parse(banana.updatedAt)
    while (Date.now() <= later);
    await lists.put(`/assets/${banana.id}`, { description: 'changed' })
  })
  afterAll(() => lists.close())

  const codesOf = async (query: string) => {
    const { status, body } = await lists.get(`/assets${query}`)
    expect(status).toBe(200)
    return body.data.map(({ code }: { code: string }) => code)
  }

  test('200, newest first, ten at most', async () => {
    const { body } = await lists.get('/assets')
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(['xyz', 'AAA', 'mid', 'Zed'])
    expect(body.pageInfo).toEqual({ limit: 10, offset: 0, total: 4 })
  })

  test('with category and assetProviders', async () => {
    const [gold] = (await lists.get('/assets?code=aaa')).body.data
    const [apple] = (await lists.get('/assets?code=MID')).body.data
    const providerId = gold.assetProviders[0].providerId
    const provider = { id: providerId, name: 'Kraken', slug: 'kraken', isDefault: true }
    expect(gold.category).toEqual({ id: gold.categoryId, name: 'Gold' })
    expect(gold.assetProviders).toEqual([{ assetId: gold.id, providerId, provider }])
    expect(apple).toMatchObject({ category: null, assetProviders: [] })
  })

  test.each([
    ['?sortBy=name&sortOrder=asc', ['AAA', 'mid', 'Zed', 'xyz']],
    ['?sortBy=name', ['xyz', 'Zed', 'mid', 'AAA']],
    ['?sortBy=code&sortOrder=asc', ['AAA', 'mid', 'xyz', 'Zed']],
    ['?sortBy=code&sortOrder=desc', ['Zed', 'xyz', 'mid', 'AAA']],
    ['?sortBy=createdAt&sortOrder=asc', ['Zed', 'mid', 'AAA', 'xyz']],
    ['?sortOrder=asc', ['Zed', 'mid', 'AAA', 'xyz']],
    ['?sortBy=updatedAt', ['Zed', 'xyz', 'AAA', 'mid']],
    ['?sortBy=updatedAt&sortOrder=asc', ['mid', 'AAA', 'xyz', 'Zed']],
  ])('%s sorts', async (query, expected) => {
    expect(await codesOf(query)).toEqual(expected)
  })

  test.each([
    ['?name=AN', ['Zed']],
    ['?name=p&sortBy=code', ['xyz', 'mid']],
    [`?name=${encodeURIComponent('äPF')}`, ['xyz']],
    ['?name=%25', ['AAA']],
    ['?name=_', ['AAA']],
    ['?name=%5C', ['AAA']],
    ['?name=nothing', []],
    ['?code=zED', ['Zed']],
    ['?code=ze', []],
    [`?categoryId=${nobody}`, []],
    ['?name=gold&code=aaa', ['AAA']],
    ['?name=gold&code=mid', []],
    ['?unknown=1&name=banana', ['Zed']],
  ])('%s filters', async (query, expected) => {
    expect(await codesOf(query)).toEqual(expected)
    expect((await lists.get(`/assets${query}`)).body.pageInfo.total).toBe(expected.length)
  })

  test('?categoryId filters', async () => {
    const [gold] = (await lists.get('/assets?code=aaa')).body.data
    expect(await codesOf(`?categoryId=${gold.categoryId}`)).toEqual(['AAA'])
  })

  test.each([
    ['?limit=2', ['xyz', 'AAA'], { limit: 2, offset: 0, total: 4 }],
    ['?limit=2&offset=2', ['mid', 'Zed'], { limit: 2, offset: 2, total: 4 }],
    ['?offset=3', ['Zed'], { limit: 10, offset: 3, total: 4 }],
    ['?offset=99', [], { limit: 10, offset: 99, total: 4 }],
    ['?limit=0', [], { limit: 0, offset: 0, total: 4 }],
    ['?limit=100', ['xyz', 'AAA', 'mid', 'Zed'], { limit: 100, offset: 0, total: 4 }],
    ['?limit=0&name=p', [], { limit: 0, offset: 0, total: 2 }],
  ])('%s pages', async (query, expected, pageInfo) => {
    expect(await codesOf(query)).toEqual(expected)
    expect((await lists.get(`/assets${query}`)).body.pageInfo).toEqual(pageInfo)
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['offset=-1', 'offset must not be less than 0'],
    ['limit=abc', 'limit must be an integer'],
    ['limit=1.5', 'limit must be an integer'],
    ['limit=1e1', 'limit must be an integer'],
    ['limit=', 'limit must be an integer'],
    ['offset=%2010', 'offset must be an integer'],
    ['sortBy=price', 'sortBy must be one of the following values: name, code, createdAt, updatedAt'],
    ['sortOrder=ASC', 'sortOrder must be one of the following values: asc, desc'],
    ['categoryId=abc', 'categoryId must be a UUID'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await lists.get(`/assets?${query}`), 400)).toEqual([message])
  })

  test('400 names every wrong value', async () => {
    const answer = await lists.get('/assets?limit=x&offset=-5&sortBy=y&sortOrder=z')
    expect(refused(answer, 400)).toHaveLength(4)
  })

  test('the document says how each filter compares', async () => {
    const { paths } = (await lists.get('/swagger/json')).body
    const said = (path: string, name: string) =>
      paths[path].get.parameters.find((each: { name: string }) => each.name === name).description
    expect(said('/assets', 'name')).toBe('Only records with this text in the field, case-insensitive')
    expect(said('/assets', 'code')).toBe('Only the asset with exactly this code, case-insensitive')
    expect(said('/providers', 'slug')).toBe('Only the provider with exactly this slug, case-sensitive')
  })

  test('400 names every parameter that is given twice', async () => {
    const answer = await lists.get('/assets?limit=1&offset=0&limit=1&odd=1&odd=2&offset=0')
    expect(refused(answer, 400)).toEqual(['limit must be given once', 'offset must be given once'])
  })
})

describe('a cached list', () => {
  let quote: TestQuote
  beforeAll(async () => {
    quote = await testQuote()
  })
  afterAll(() => quote.close())

  test('shows every change of the catalogue at once', async () => {
    const category = await quote.create('/categories', { name: 'Old' })
    const provider = await quote.create('/providers', { name: 'Old', slug: 'old' })
    const asset = await quote.create('/assets', { name: 'Kept', code: 'KEPT', categoryId: category.id })
    const both = async () => {
      const listed = (await quote.get('/assets?code=kept')).body.data
      const { status, body } = await quote.get(`/assets/${asset.id}`)
      expect(listed).toEqual(status === 200 ? [body] : [])
      return { category: body.category?.name, providers: body.assetProviders?.map(nameOf), name: body.name }
    }
    const nameOf = (mapping: { provider: { name: string } }) => mapping.provider.name
    const mapping = { assetId: asset.id, providerId: provider.id }

    expect(await both()).toEqual({ name: 'Kept', category: 'Old', providers: [] })
    await quote.put(`/categories/${category.id}`, { name: 'New' })
    expect(await both()).toEqual({ name: 'Kept', category: 'New', providers: [] })
    await quote.create('/asset-providers', mapping)
    expect(await both()).toEqual({ name: 'Kept', category: 'New', providers: ['Old'] })
    await quote.put(`/providers/${provider.id}`, { name: 'New' })
    expect(await both()).toEqual({ name: 'Kept', category: 'New', providers: ['New'] })
    await quote.del(`/asset-providers/${asset.id}/providers/${provider.id}`)
    expect(await both()).toEqual({ name: 'Kept', category: 'New', providers: [] })
    await quote.patch(`/assets/${asset.id}/static-value`, { staticValue: 2 })
    expect((await quote.get('/assets?code=kept')).body.data[0].staticValue).toBe(2)
    await quote.del(`/assets/${asset.id}`)
    expect((await both()).name).toBeUndefined()
  })
})

test.each(['name', 'createdAt'])('pages sorted by %s of equal assets neither overlap nor skip', async (sortBy) => {
  const alike = await testQuote()
  const made: string[] = []
  for (let i = 0; i < 25; i++) {
    made.push((await alike.create('/assets', { name: 'All alike', code: `C${i}` })).id)
    if (i % 5 === 0) await alike.create('/assets', { name: 'Another', code: `A${i}` })
  }
  for (const sortOrder of ['asc', 'desc']) {
    const seen: string[] = []
    for (let offset = 0; offset < 25; offset += 7) {
      const path = `/assets?name=alike&sortBy=${sortBy}&sortOrder=${sortOrder}&limit=7&offset=${offset}`
      seen.push(...(await alike.get(path)).body.data.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual(sortOrder === 'asc' ? made : made.toReversed())
  }
  await alike.close()
})
