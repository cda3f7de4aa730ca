import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, refused, type TestQuote, testQuote } from './harness'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let slugs = 0
const provider = (fields: object = {}) =>
  quote.create('/providers', { name: 'Some provider', slug: `slug-${++slugs}`, ...fields })

describe('POST /providers', () => {
  test('201 with the provider, not default and without config unless given', async () => {
    const { status, body } = await quote.post('/providers', { name: 'Kraken', slug: 'kraken' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      name: 'Kraken',
      slug: 'kraken',
      isDefault: false,
      config: {},
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    })
  })

  test('201 with all fields; everything in config is stored, unknown fields are dropped', async () => {
    const config = { priority: 1, timeout: 500, nested: { list: [1, 'two', null, { three: true }] }, nothing: null }
    const body = await provider({ isDefault: true, config, id: nobody, deletedAt: 1 })
    expect(body).toMatchObject({ isDefault: true, config })
    expect(body.id).not.toBe(nobody)
    expect((await quote.get(`/providers/${body.id}`)).body.config).toEqual(config)
  })

  test('400 names every missing field and every wrong type', async () => {
    const missing = ['name should not be empty', 'slug should not be empty']
    expect(refused(await quote.post('/providers', {}), 400)).toEqual(missing)
    const wrong = { name: 1, slug: null, isDefault: 'true', config: 'x' }
    expect(refused(await quote.post('/providers', wrong), 400)).toEqual([
      'name must be a string',
      'slug must be a string',
      'isDefault must be a boolean',
      'config must be an object',
    ])
  })

  test.each([[[]], [[1]], [null], ['text'], [''], [3], [true]])('400 for a config of %j', async (config) => {
    const answer = await quote.post('/providers', { name: 'X', slug: 'no-config', config })
    expect(refused(answer, 400)).toEqual(['config must be an object'])
  })

  test('400 for a deeply nested config, and for a body that is not JSON', async () => {
    const nested = (levels: number) =>
      `{"name":"X","slug":"deep","config":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    const deep = await quote.post('/providers', nested(40))
    expect(refused(deep, 400)).toBe('config must not be nested deeper than 32 levels')
    const bottomless = await quote.post('/providers', nested(5000))
    expect(refused(bottomless, 400)).toBe('The body is nested more than 64 levels deep')
    expect(refused(await quote.post('/providers', '{'), 400)).toBe('The body is not valid JSON')
  })

  test('400 for a config over 32 KiB, by POST and by PUT', async () => {
    const config = (bytes: number) => ({ text: 'ü'.repeat((bytes - '{"text":""}'.length) / 2) })
    const message = ['config must be at most 32 KiB of JSON']
    const body = { name: 'X', slug: 'large', config: config(32 * 1024 + 3) }
    expect(refused(await quote.post('/providers', body), 400)).toEqual(message)
    const { id } = await provider({ config: config(32 * 1024 - 1) })
    expect(refused(await quote.put(`/providers/${id}`, { config: body.config }), 400)).toEqual(message)
  })

  test('400 for a slug that is taken; slugs are case-sensitive', async () => {
    const { slug } = await provider()
    const answer = await quote.post('/providers', { name: 'X', slug })
    expect(refused(answer, 400)).toBe(`A provider with slug ${slug} already exists`)
    expect((await quote.post('/providers', { name: 'X', slug: slug.toUpperCase() })).status).toBe(201)
  })

  test('an idempotency key replays the answer, which has no credential', async () => {
    const body = { name: 'Once', slug: 'once', config: { apiKey: 'very secret' } }
    const send = () => quote.post('/providers', body, { 'idempotency-key': 'p-1' })
    const first = await send()
    const again = await send()
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.stringify(again.body)).not.toContain('very secret')
  })
})

describe('GET /providers', () => {
  let lists: TestQuote
  beforeAll(async () => {
    lists = await testQuote()
    for (const [name, slug, isDefault] of [
      ['beta feed', 'zz', false],
      ['Alpha', 'Mid', true],
      ['Gamma', 'aa', false],
    ] as const) {
      await lists.create('/providers', { name, slug, isDefault })
    }
  })
  afterAll(() => lists.close())

  test('200, oldest first, ten at most, with empty relations', async () => {
    const { status, body } = await lists.get('/providers')
    expect(status).toBe(200)
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(['zz', 'Mid', 'aa'])
    expect(body.data[0]).toMatchObject({ assetProviders: [], categoryProviders: [] })
    expect(body.pageInfo).toEqual({ limit: 10, offset: 0, total: 3 })
  })

  test.each([
    ['?sortOrder=desc', ['aa', 'Mid', 'zz'], 3],
    ['?sortBy=name', ['Mid', 'zz', 'aa'], 3],
    ['?sortBy=name&sortOrder=desc', ['aa', 'zz', 'Mid'], 3],
    ['?sortBy=slug', ['Mid', 'aa', 'zz'], 3],
    ['?sortBy=slug&sortOrder=desc', ['zz', 'aa', 'Mid'], 3],
    ['?sortBy=createdAt', ['zz', 'Mid', 'aa'], 3],
    ['?sortBy=updatedAt&sortOrder=desc', ['aa', 'Mid', 'zz'], 3],
    ['?name=FEED', ['zz'], 1],
    ['?slug=zz', ['zz'], 1],
    ['?slug=z', [], 0],
    ['?slug=mid', [], 0],
    ['?isDefault=true', ['Mid'], 1],
    ['?isDefault=false', ['zz', 'aa'], 2],
    ['?isDefault=false&name=a&slug=aa', ['aa'], 1],
    ['?limit=0', [], 3],
    ['?limit=100', ['zz', 'Mid', 'aa'], 3],
    ['?limit=1&offset=1', ['Mid'], 3],
  ])('%s', async (query, expected, total) => {
    const { body } = await lists.get(`/providers${query}`)
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(expected)
    expect(body.pageInfo.total).toBe(total)
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['offset=-1', 'offset must not be less than 0'],
    ['limit=abc', 'limit must be an integer'],
    ['isDefault=1', 'isDefault must be true or false'],
    ['isDefault=', 'isDefault must be true or false'],
    ['sortBy=config', 'sortBy must be one of the following values: name, slug, createdAt, updatedAt'],
    ['sortOrder=x', 'sortOrder must be one of the following values: asc, desc'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await lists.get(`/providers?${query}`), 400)).toEqual([message])
  })
})

test('GET and list return assetProviders and categoryProviders', async () => {
  const created = await provider()
  const { id: providerId } = created
  const asset = await quote.create('/assets', { name: 'Coin', code: 'COIN' })
  const category = await quote.create('/categories', { name: 'Coins' })
  await quote.create('/asset-providers', { assetId: asset.id, providerId })
  await quote.create('/category-providers', { categoryId: category.id, providerId })
  const expected = {
    ...created,
    assetProviders: [{ assetId: asset.id, providerId, asset: { id: asset.id, name: 'Coin', code: 'COIN' } }],
    categoryProviders: [{ categoryId: category.id, providerId, category: { id: category.id, name: 'Coins' } }],
  }
  expect((await quote.get(`/providers/${providerId}`)).body).toEqual(expected)
  expect((await quote.get(`/providers?slug=${created.slug}`)).body.data).toEqual([expected])
})

test('GET /providers/:id: 404 for an unknown id', async () => {
  expect(refused(await quote.get(`/providers/${nobody}`), 404)).toBe('Provider not found')
})

describe('PUT /providers/:id', () => {
  test('200 and only the given fields change', async () => {
    const before = await provider({ config: { priority: 1 } })
    const { status, body } = await quote.put(`/providers/${before.id}`, { isDefault: true })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, isDefault: true, updatedAt: body.updatedAt })
    const all = { name: 'All', slug: 'all', isDefault: false, config: { timeout: 3 } }
    expect((await quote.put(`/providers/${before.id}`, all)).body).toMatchObject(all)
  })

  test('200 when nothing changes, unknown fields dropped', async () => {
    const before = await provider()
    const answer = await quote.put(`/providers/${before.id}`, { slug: before.slug, id: nobody, deletedAt: 5 })
    expect(answer).toMatchObject({ status: 200, body: { id: before.id, slug: before.slug } })
  })

  test('400 names every field of a wrong type', async () => {
    const { id } = await provider()
    const wrong = { name: null, slug: '', isDefault: null, config: [] }
    expect(refused(await quote.put(`/providers/${id}`, wrong), 400)).toEqual([
      'name must be a string',
      'slug should not be empty',
      'isDefault must be a boolean',
      'config must be an object',
    ])
  })

  test('400 for a slug that is another’s', async () => {
    const { slug } = await provider()
    const { id } = await provider()
    expect(refused(await quote.put(`/providers/${id}`, { slug }), 400)).toBe(
      `A provider with slug ${slug} already exists`,
    )
  })

  test('404 for an unknown id', async () => {
    expect(refused(await quote.put(`/providers/${nobody}`, {}), 404)).toBe('Provider not found')
  })
})

describe('DELETE /providers/:id', () => {
  test('200, and it is gone from everywhere', async () => {
    const { id, slug } = await provider()
    const { total } = (await quote.get('/providers')).body.pageInfo
    const answer = await quote.del(`/providers/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Provider deleted successfully' } })
    refused(await quote.get(`/providers/${id}`), 404)
    refused(await quote.put(`/providers/${id}`, {}), 404)
    refused(await quote.del(`/providers/${id}`), 404)
    expect((await quote.get(`/providers?slug=${slug}`)).body.data).toEqual([])
    expect((await quote.get('/providers')).body.pageInfo.total).toBe(total - 1)
    expect((await provider({ slug })).slug).toBe(slug)
  })

  test('400 while an asset or a category is mapped to it', async () => {
    const { id: providerId } = await provider()
    const message = 'The provider has active mappings and cannot be deleted; delete them first'
    const { id: assetId } = await quote.create('/assets', { name: 'Mapped', code: 'MAPPED' })
    await quote.create('/asset-providers', { assetId, providerId })
    expect(refused(await quote.del(`/providers/${providerId}`), 400)).toBe(message)
    await quote.del(`/asset-providers/${assetId}/providers/${providerId}`)
    const { id: categoryId } = await quote.create('/categories', { name: 'Mapped' })
    await quote.create('/category-providers', { categoryId, providerId })
    expect(refused(await quote.del(`/providers/${providerId}`), 400)).toBe(message)
    await quote.del(`/categories/${categoryId}`)
    expect((await quote.del(`/providers/${providerId}`)).status).toBe(200)
  })

  test('404 for an unknown id', async () => {
    expect(refused(await quote.del(`/providers/${nobody}`), 404)).toBe('Provider not found')
  })
})

test.each(['GET', 'PUT', 'DELETE'])('%s /providers/abc: 400, a uuid is expected', async (method) => {
  expect(refused(await quote.ask(method, '/providers/abc'), 400)).toBe(notUuid)
})

test.each([
  ['DELETE', '/providers', 'GET, HEAD, POST'],
  ['PATCH', `/providers/${nobody}`, 'DELETE, GET, HEAD, PUT'],
])('%s %s: 405 with Allow', async (method, path, allow) => {
  const answer = await quote.ask(method, path)
  refused(answer, 405)
  expect(answer.headers.get('allow')).toBe(allow)
})

test('the path is served without /v1 too', async () => {
  expect((await quote.fetch(new Request('http://localhost/providers'))).status).toBe(200)
})
