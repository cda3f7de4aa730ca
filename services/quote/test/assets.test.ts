import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rates } from '../src/tables/rates.table'
import { nobody, notUuid, refused, type TestQuote, testQuote } from './harness'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let codes = 0
const nextCode = () => `C${++codes}`
const asset = (fields: object = {}) => quote.create('/assets', { name: 'Some asset', code: nextCode(), ...fields })
const category = (name: string) => quote.create('/categories', { name })

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

  test('200 with null and an empty list when there are none', async () => {
    const created = await asset()
    const { body } = await quote.get(`/assets/${created.id}`)
    expect(body).toEqual({ ...created, category: null, assetProviders: [] })
  })

  test('404 for an unknown id', async () => {
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

  test('404 for an unknown id', async () => {
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

  test('404 for an unknown id', async () => {
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

test('x-request-id is used', async () => {
  const answer = await quote.ask('GET', '/assets', undefined, { 'x-request-id': 'mine-1' })
  expect(answer.headers.get('x-request-id')).toBe('mine-1')
})
