import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, refused, type TestQuote, testQuote } from './harness'

const missing = 'Category does not exist'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let names = 0
const category = (fields: object = {}) => quote.create('/categories', { name: `Category ${++names}`, ...fields })

describe('POST /categories', () => {
  test('201 with the category; the description may be left out or null', async () => {
    const { status, body } = await quote.post('/categories', { name: 'Stablecoins', description: 'Pegged' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      name: 'Stablecoins',
      description: 'Pegged',
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    })
    expect((await category()).description).toBeNull()
    expect((await category({ description: null })).description).toBeNull()
    expect((await category({ description: '' })).description).toBe('')
  })

  test('201 and unknown fields are dropped', async () => {
    const body = await category({ id: nobody, assets: [1] })
    expect(body.id).not.toBe(nobody)
    expect(Object.keys(body)).not.toContain('assets')
  })

  test.each([
    [{}, ['name should not be empty']],
    [{ name: '' }, ['name should not be empty']],
    [{ name: ' ' }, ['name should not be blank']],
    [{ name: 5, description: 5 }, ['name must be a string', 'description must be a string or null']],
  ])('400 for %j', async (body, messages) => {
    expect(refused(await quote.post('/categories', body), 400)).toEqual(messages)
  })

  test('400 for a body that is not JSON', async () => {
    expect(refused(await quote.post('/categories', '{'), 400)).toBe('The body is not valid JSON')
  })

  test('409 for a name that is taken', async () => {
    const { name } = await category()
    expect(refused(await quote.post('/categories', { name }), 409)).toBe(`A category with name ${name} already exists`)
  })

  test('an idempotency key replays the answer', async () => {
    const send = () => quote.post('/categories', { name: 'Once' }, { 'idempotency-key': 'c-1' })
    const first = await send()
    const again = await send()
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('GET /categories', () => {
  let lists: TestQuote
  beforeAll(async () => {
    lists = await testQuote()
    for (const name of ['beta', 'Alpha', 'Gamma']) await lists.create('/categories', { name })
  })
  afterAll(() => lists.close())

  test('200, oldest first, ten at most, with empty relations', async () => {
    const { status, body } = await lists.get('/categories')
    expect(status).toBe(200)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['beta', 'Alpha', 'Gamma'])
    expect(body.data[0]).toMatchObject({ assets: [], categoryProviders: [] })
    expect(body.pageInfo).toEqual({ limit: 10, offset: 0, total: 3 })
  })

  test.each([
    ['?sortOrder=desc', ['Gamma', 'Alpha', 'beta'], 3],
    ['?sortBy=createdAt', ['beta', 'Alpha', 'Gamma'], 3],
    ['?sortBy=updatedAt&sortOrder=desc', ['Gamma', 'Alpha', 'beta'], 3],
    ['?sortBy=name', ['Alpha', 'beta', 'Gamma'], 3],
    ['?sortBy=name&sortOrder=desc', ['Gamma', 'beta', 'Alpha'], 3],
    ['?name=PHA', ['Alpha'], 1],
    ['?name=a&sortBy=name&limit=1&offset=1', ['beta'], 3],
    ['?name=%25', [], 0],
    ['?limit=0', [], 3],
    ['?limit=100', ['beta', 'Alpha', 'Gamma'], 3],
    ['?limit=2&offset=2', ['Gamma'], 3],
    ['?offset=3', [], 3],
  ])('%s', async (query, expected, total) => {
    const { body } = await lists.get(`/categories${query}`)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(expected)
    expect(body.pageInfo.total).toBe(total)
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['offset=-1', 'offset must not be less than 0'],
    ['limit=abc', 'limit must be an integer'],
    ['sortBy=code', 'sortBy must be one of the following values: name, createdAt, updatedAt'],
    ['sortOrder=up', 'sortOrder must be one of the following values: asc, desc'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await lists.get(`/categories?${query}`), 400)).toEqual([message])
  })
})

test('GET and list return assets and categoryProviders', async () => {
  const created = await category()
  const { id: categoryId } = created
  const provider = await quote.create('/providers', { name: 'Coinbase', slug: 'coinbase', isDefault: true })
  const coin = await quote.create('/assets', { name: 'Coin', code: 'COIN', categoryId, description: 'A coin' })
  await quote.create('/assets', { name: 'Elsewhere', code: 'ELSE' })
  await quote.create('/category-providers', { categoryId, providerId: provider.id })
  const expected = {
    ...created,
    assets: [{ id: coin.id, name: 'Coin', code: 'COIN', description: 'A coin' }],
    categoryProviders: [
      {
        categoryId,
        providerId: provider.id,
        provider: { id: provider.id, name: 'Coinbase', slug: 'coinbase', isDefault: true },
      },
    ],
  }
  expect((await quote.get(`/categories/${categoryId}`)).body).toEqual(expected)
  const listed = (await quote.get('/categories?limit=100')).body.data
  expect(listed.find(({ id }: { id: string }) => id === categoryId)).toEqual(expected)
})

describe('PUT /categories/:id', () => {
  test('200 and only the given fields change; null clears the description', async () => {
    const before = await category({ description: 'd' })
    const renamed = await quote.put(`/categories/${before.id}`, { name: 'Renamed' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...before, name: 'Renamed', updatedAt: renamed.body.updatedAt })
    expect((await quote.get('/categories?name=RENAMED')).body.data[0].id).toBe(before.id)
    const cleared = await quote.put(`/categories/${before.id}`, { description: null })
    expect(cleared.body).toMatchObject({ name: 'Renamed', description: null })
  })

  test('200 when nothing changes, unknown fields dropped', async () => {
    const before = await category()
    const answer = await quote.put(`/categories/${before.id}`, { name: before.name, id: nobody, deletedAt: 5 })
    expect(answer).toMatchObject({ status: 200, body: { id: before.id, name: before.name } })
    expect((await quote.put(`/categories/${before.id}`, {})).status).toBe(200)
  })

  test('400 names every field of a wrong type', async () => {
    const { id } = await category()
    const answer = await quote.put(`/categories/${id}`, { name: null, description: 1 })
    expect(refused(answer, 400)).toEqual(['name must be a string', 'description must be a string or null'])
    expect(refused(await quote.put(`/categories/${id}`, { name: '' }), 400)).toEqual(['name should not be empty'])
  })

  test('409 for a name that is another’s', async () => {
    const { name } = await category()
    const { id } = await category()
    expect(refused(await quote.put(`/categories/${id}`, { name }), 409)).toBe(
      `A category with name ${name} already exists`,
    )
  })
})

describe('DELETE /categories/:id', () => {
  test('200, and it is gone from everywhere', async () => {
    const { id, name } = await category()
    const { id: providerId } = await quote.create('/providers', { name: 'P', slug: 'p' })
    await quote.create('/category-providers', { categoryId: id, providerId })
    const { total } = (await quote.get('/categories')).body.pageInfo
    const answer = await quote.del(`/categories/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Category deleted successfully' } })
    expect(refused(await quote.get(`/categories/${id}`), 400)).toBe(missing)
    expect(refused(await quote.put(`/categories/${id}`, {}), 400)).toBe(missing)
    expect(refused(await quote.del(`/categories/${id}`), 400)).toBe(missing)
    expect((await quote.get(`/categories?name=${encodeURIComponent(name)}`)).body.data).toEqual([])
    expect((await quote.get('/categories')).body.pageInfo.total).toBe(total - 1)
    expect((await quote.get(`/providers/${providerId}`)).body.categoryProviders).toEqual([])
    expect((await category({ name })).name).toBe(name)
  })

  test('400 while it has assets, 200 when they are gone', async () => {
    const { id } = await category()
    const asset = await quote.create('/assets', { name: 'In it', code: 'INIT', categoryId: id })
    expect(refused(await quote.del(`/categories/${id}`), 400)).toStartWith('The category has assets')
    await quote.del(`/assets/${asset.id}`)
    expect((await quote.del(`/categories/${id}`)).status).toBe(200)
  })
})

test.each(['GET', 'PUT', 'DELETE'])(
  '%s /categories/:id: 400 for an unknown id and for one that is not a UUID',
  async (method) => {
    expect(refused(await quote.ask(method, `/categories/${nobody}`), 400)).toBe(missing)
    expect(refused(await quote.ask(method, '/categories/abc'), 400)).toBe(notUuid)
  },
)

test.each([
  ['PUT', '/categories', 'GET, HEAD, POST'],
  ['PATCH', `/categories/${nobody}`, 'DELETE, GET, HEAD, PUT'],
])('%s %s: 405 with Allow', async (method, path, allow) => {
  const answer = await quote.ask(method, path)
  refused(answer, 405)
  expect(answer.headers.get('allow')).toBe(allow)
})

test('the path is served without /v1 too', async () => {
  expect((await quote.fetch(new Request('http://localhost/categories'))).status).toBe(200)
})
