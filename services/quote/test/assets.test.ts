import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rates } from '../src/rates/rates.table'
import { nobody, notUuid, refused, type TestQuote, testQuote } from './harness'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let codes = 0
const nextCode = () => `C${++codes}`
const asset = (fields: object = {}) => quote.create('/assets', { name: 'Some asset', code: nextCode(), ...fields })
const category = (name: string) => quote.create('/categories', { name })

describe('POST /assets', () => {
  test('201 with the asset', async () => {
    const { id: categoryId } = await category('Coins')
    const fields = { name: 'Bitcoin', code: 'BTC', categoryId, description: 'The first', staticValue: 64000.5 }
    const { status, body } = await quote.post('/assets', fields)
    expect(status).toBe(201)
    expect(body).toEqual({ ...fields, id: body.id, createdAt: body.createdAt, updatedAt: body.createdAt })
    expect(body.id).toMatch(uuidV7)
    expect(body.createdAt).toMatch(isoTime)
  })

  test('201 with null where an optional field is left out or null', async () => {
    const nothing = { categoryId: null, description: null, staticValue: null }
    expect(await asset()).toMatchObject(nothing)
    expect(await asset(nothing)).toMatchObject(nothing)
  })

  test('201 and unknown fields are dropped', async () => {
    const fields = { id: nobody, deletedAt: 1, createdAt: '2000-01-01T00:00:00.000Z', other: {} }
    const body = await asset(fields)
    expect(body.id).not.toBe(nobody)
    expect(body.createdAt).not.toBe(fields.createdAt)
    expect(Object.keys(body)).not.toContain('other')
    expect((await quote.get(`/assets/${body.id}`)).status).toBe(200)
  })

  test('400 names every missing field', async () => {
    const expected = ['name should not be empty', 'code should not be empty']
    expect(refused(await quote.post('/assets', {}), 400)).toEqual(expected)
    expect(refused(await quote.post('/assets'), 400)).toEqual(expected)
    expect(refused(await quote.post('/assets', { name: '', code: '' }), 400)).toEqual(expected)
  })

  test('400 names every field of a wrong type', async () => {
    const wrong = { name: 1, code: {}, categoryId: 'x', description: 3, staticValue: '1' }
    expect(refused(await quote.post('/assets', wrong), 400)).toEqual([
      'name must be a string',
      'code must be a string',
      'categoryId must be a UUID or null',
      'description must be a string or null',
      'staticValue must be a number or null',
    ])
  })

  test.each([
    ['a blank name', { name: '  ', code: 'X' }, ['name should not be blank']],
    ['a code that is too long', { name: 'X', code: 'X'.repeat(256) }, ['code must be at most 255 characters long']],
    ['null for a name', { name: null, code: 'X' }, ['name must be a string']],
    ['a list', [], ['name should not be empty', 'code should not be empty']],
  ])('400 for %s', async (_what, body, messages) => {
    expect(refused(await quote.post('/assets', body), 400)).toEqual(messages)
  })

  test('400 for a body that is no JSON, 400 for another content type', async () => {
    expect(refused(await quote.post('/assets', '{"name":'), 400)).toBe('The body is not valid JSON')
    const typed = await quote.post('/assets', '{}', { 'content-type': 'text/plain' })
    expect(refused(typed, 400)).toBe('Content-Type must be application/json')
    expect(refused(await quote.post('/assets', '{"name":"X","code":"X","staticValue":1e999}'), 400)).toEqual([
      'staticValue must be a number or null',
    ])
  })

  test('413 for a body over 1 MiB', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024), code: 'X' })
    const answer = await quote.post('/assets', body, { 'content-length': String(body.length) })
    expect(refused(answer, 413)).toBe('The body is larger than 1 MiB')
  })

  test('400 for a code that is taken, in whatever case', async () => {
    await asset({ code: 'Taken' })
    const answer = await quote.post('/assets', { name: 'Another', code: 'tAKEN' })
    expect(refused(answer, 400)).toBe('An asset with code tAKEN already exists')
  })

  test('of many at once with the same code one is created', async () => {
    const code = nextCode()
    const answers = await Promise.all(Array.from({ length: 20 }, () => quote.post('/assets', { name: 'Race', code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)])
  })

  test('404 for a category that is missing or deleted', async () => {
    const { id } = await category('Soon gone')
    await quote.del(`/categories/${id}`)
    for (const categoryId of [nobody, id]) {
      const answer = await quote.post('/assets', { name: 'X', code: nextCode(), categoryId })
      expect(refused(answer, 404)).toBe('Category not found')
    }
  })

  test.each([0, -1, -0.5])('422 for a staticValue of %d', async (staticValue) => {
    const answer = await quote.post('/assets', { name: 'X', code: nextCode(), staticValue })
    expect(refused(answer, 422)).toBe('staticValue must be greater than 0')
  })

  test('an idempotency key: replayed, 422 with another body, free again after a refusal', async () => {
    const body = { name: 'Once', code: nextCode() }
    const key = { 'idempotency-key': 'k-1' }
    const first = await quote.post('/assets', body, key)
    const again = await quote.post('/assets', body, { 'x-idempotency-key': 'k-1' })
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    refused(await quote.post('/assets', { ...body, name: 'Other' }, key), 422)
    const taken = { 'idempotency-key': 'k-2' }
    refused(await quote.post('/assets', body, taken), 400)
    expect((await quote.post('/assets', { ...body, code: nextCode() }, taken)).status).toBe(201)
  })
})

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
    // The clock has moved on since the asset was made.
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
})

test('pages of a list with equal names neither overlap nor skip', async () => {
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.push((await asset({ name: 'Twelve alike' })).id)
  for (const sortOrder of ['asc', 'desc']) {
    const seen: string[] = []
    for (let offset = 0; offset < 12; offset += 5) {
      const path = `/assets?name=twelve+alike&sortBy=name&sortOrder=${sortOrder}&limit=5&offset=${offset}`
      seen.push(...(await quote.get(path)).body.data.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual(sortOrder === 'asc' ? made : made.toReversed())
  }
})

describe('GET /assets/:id', () => {
  test('200 with category and assetProviders', async () => {
    const { id: categoryId } = await category('One')
    const created = await asset({ categoryId })
    const made = []
    for (const slug of ['a', 'b']) {
      const provider = await quote.create('/providers', { name: `Provider ${slug}`, slug })
      await quote.create('/asset-providers', { assetId: created.id, providerId: provider.id })
      made.push({
        assetId: created.id,
        providerId: provider.id,
        provider: { id: provider.id, name: provider.name, slug, isDefault: false },
      })
    }
    const { status, body } = await quote.get(`/assets/${created.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...created, category: { id: categoryId, name: 'One' }, assetProviders: made })
  })

  test('200 with null and an empty list where there is neither', async () => {
    const created = await asset()
    const { body } = await quote.get(`/assets/${created.id}`)
    expect(body).toEqual({ ...created, category: null, assetProviders: [] })
  })

  test('404 for one that is missing', async () => {
    expect(refused(await quote.get(`/assets/${nobody}`), 404)).toBe('Asset not found')
  })
})

describe('PUT /assets/:id', () => {
  test('200 and only the given fields change', async () => {
    const { id: categoryId } = await category('Put')
    const before = await asset({ categoryId, description: 'd', staticValue: 2 })
    const { status, body } = await quote.put(`/assets/${before.id}`, { name: 'Renamed' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'Renamed', updatedAt: body.updatedAt })
    expect(body.updatedAt >= before.updatedAt).toBe(true)
    expect((await quote.get('/assets?name=renamed')).body.data[0].id).toBe(before.id)
  })

  test('200 with every field', async () => {
    const { id: categoryId } = await category('Put all')
    const { id } = await asset()
    const fields = { name: 'All', code: nextCode(), categoryId, description: 'All', staticValue: 0.00000001 }
    expect((await quote.put(`/assets/${id}`, fields)).body).toMatchObject(fields)
    expect((await quote.get(`/assets/${id}`)).body).toMatchObject({ ...fields, category: { name: 'Put all' } })
  })

  test('200 and null clears what may be null', async () => {
    const { id: categoryId } = await category('Put null')
    const { id } = await asset({ categoryId, description: 'd', staticValue: 2 })
    const nothing = { categoryId: null, description: null, staticValue: null }
    expect((await quote.put(`/assets/${id}`, nothing)).body).toMatchObject(nothing)
  })

  test('200 when nothing changes, when the code only changes its case, and unknown fields are dropped', async () => {
    const before = await asset({ code: 'own' })
    const same = await quote.put(`/assets/${before.id}`, {})
    expect(same).toMatchObject({ status: 200, body: { ...before, updatedAt: same.body.updatedAt } })
    expect((await quote.put(`/assets/${before.id}`, { code: 'OWN' })).body.code).toBe('OWN')
    const sneaky = { id: nobody, deletedAt: 1, createdAt: 1, searchName: 'x' }
    const after = await quote.put(`/assets/${before.id}`, sneaky)
    expect(after.body).toMatchObject({ id: before.id, createdAt: before.createdAt })
  })

  test('400 names every field of a wrong type', async () => {
    const { id } = await asset()
    const wrong = { name: null, code: 1, categoryId: 'x', description: [], staticValue: true }
    expect(refused(await quote.put(`/assets/${id}`, wrong), 400)).toEqual([
      'name must be a string',
      'code must be a string',
      'categoryId must be a UUID or null',
      'description must be a string or null',
      'staticValue must be a number or null',
    ])
    expect(refused(await quote.put(`/assets/${id}`, { name: '' }), 400)).toEqual(['name should not be empty'])
  })

  test('400 for a code that is another asset’s', async () => {
    await asset({ code: 'Other' })
    const { id } = await asset()
    const answer = await quote.put(`/assets/${id}`, { code: 'OTHER' })
    expect(refused(answer, 400)).toBe('An asset with code OTHER already exists')
  })

  test('404 for an asset or a category that is missing', async () => {
    const { id } = await asset()
    expect(refused(await quote.put(`/assets/${nobody}`, { name: 'X' }), 404)).toBe('Asset not found')
    expect(refused(await quote.put(`/assets/${id}`, { categoryId: nobody }), 404)).toBe('Category not found')
  })

  test('422 for a staticValue not above 0', async () => {
    const { id } = await asset()
    refused(await quote.put(`/assets/${id}`, { staticValue: 0 }), 422)
  })
})

describe('PATCH /assets/:id/static-value', () => {
  test('200 sets it, and null removes it', async () => {
    const before = await asset()
    const set = await quote.patch(`/assets/${before.id}/static-value`, { staticValue: 1.25 })
    expect(set).toMatchObject({ status: 200, body: { ...before, staticValue: 1.25, updatedAt: set.body.updatedAt } })
    const removed = await quote.patch(`/assets/${before.id}/static-value`, { staticValue: null, name: 'dropped' })
    expect(removed.body).toMatchObject({ staticValue: null, name: before.name })
  })

  test.each([[{}], [{ staticValue: '1' }], [{ staticValue: [] }]])('400 for %j', async (body) => {
    const { id } = await asset()
    const answer = await quote.patch(`/assets/${id}/static-value`, body)
    expect(refused(answer, 400)).toEqual([expect.stringContaining('staticValue must be a number')])
  })

  test.each([0, -3])('422 for %d', async (staticValue) => {
    const { id } = await asset()
    const answer = await quote.patch(`/assets/${id}/static-value`, { staticValue })
    expect(refused(answer, 422)).toBe('staticValue must be greater than 0')
  })

  test('404 for one that is missing', async () => {
    expect(refused(await quote.patch(`/assets/${nobody}/static-value`, { staticValue: 1 }), 404)).toBe(
      'Asset not found',
    )
  })
})

describe('DELETE /assets/:id', () => {
  test('200, and it is gone from everywhere', async () => {
    const { id: categoryId } = await category('Delete')
    const { id: providerId } = await quote.create('/providers', { name: 'Delete', slug: 'delete' })
    const { id, code } = await asset({ categoryId, name: 'To be deleted' })
    await quote.create('/asset-providers', { assetId: id, providerId })
    const { total } = (await quote.get('/assets')).body.pageInfo

    const answer = await quote.del(`/assets/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Asset deleted successfully' } })

    for (const again of [
      await quote.get(`/assets/${id}`),
      await quote.put(`/assets/${id}`, {}),
      await quote.patch(`/assets/${id}/static-value`, { staticValue: 1 }),
      await quote.del(`/assets/${id}`),
    ]) {
      refused(again, 404)
    }
    expect((await quote.get('/assets?name=to+be+deleted')).body.data).toEqual([])
    expect((await quote.get('/assets')).body.pageInfo.total).toBe(total - 1)
    expect((await quote.get(`/categories/${categoryId}`)).body.assets).toEqual([])
    expect((await quote.get(`/providers/${providerId}`)).body.assetProviders).toEqual([])
    expect((await quote.del(`/providers/${providerId}`)).status).toBe(200)
    expect((await asset({ code })).code).toBe(code)
  })

  test('400 for one with a stored rate', async () => {
    const { id, code } = await asset()
    await quote.store.commit(async (tx) => {
      const rate = { id: nobody, assetId: id, assetCode: code, rate: 1, providers: {}, timestamp: new Date() }
      await tx.insert(rates).values(rate)
    })
    expect(refused(await quote.del(`/assets/${id}`), 400)).toBe('The asset has rates and cannot be deleted')
    expect((await quote.get(`/assets/${id}`)).status).toBe(200)
  })

  test('404 for one that is missing', async () => {
    expect(refused(await quote.del(`/assets/${nobody}`), 404)).toBe('Asset not found')
  })
})

test.each([
  ['GET', '/assets/abc'],
  ['PUT', '/assets/abc'],
  ['PATCH', '/assets/abc/static-value'],
  ['DELETE', '/assets/abc'],
])('%s %s: 400, a uuid is expected', async (method, path) => {
  expect(refused(await quote.ask(method, path, method === 'PATCH' ? { staticValue: 1 } : undefined), 400)).toBe(notUuid)
})

test.each([
  ['PATCH', '/assets', 'GET, HEAD, POST'],
  ['POST', `/assets/${nobody}`, 'DELETE, GET, HEAD, PUT'],
  ['GET', `/assets/${nobody}/static-value`, 'PATCH'],
])('%s %s: 405 with Allow', async (method, path, allow) => {
  const answer = await quote.ask(method, path)
  refused(answer, 405)
  expect(answer.headers.get('allow')).toBe(allow)
})

test('the paths are served without /v1 too, and an unknown one is 404', async () => {
  const plain = await quote.fetch(new Request('http://localhost/assets?limit=1'))
  expect(plain.status).toBe(200)
  refused(await quote.get('/asset'), 404)
})

test('x-request-id is taken over', async () => {
  const answer = await quote.ask('GET', '/assets', undefined, { 'x-request-id': 'mine-1' })
  expect(answer.headers.get('x-request-id')).toBe('mine-1')
})
