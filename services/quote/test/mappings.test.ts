import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { assetProviders } from '../src/tables/asset-providers.table'
import { nobody, notUuid, refused, type TestQuote, testQuote } from './harness'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let made = 0
const newAsset = async () => (await quote.create('/assets', { name: 'A', code: `A${++made}` })).id
const newCategory = async () => (await quote.create('/categories', { name: `C${++made}` })).id
const newProvider = async () => (await quote.create('/providers', { name: 'P', slug: `p${++made}` })).id

const kinds = [
  {
    path: '/asset-providers',
    side: 'assetId',
    owners: '/assets',
    newOwner: newAsset,
    ownerMissing: 'Asset does not exist',
    one: (owner: string, provider: string) => `/asset-providers/${owner}/providers/${provider}`,
    message: 'Asset-provider mapping deleted successfully',
  },
  {
    path: '/category-providers',
    side: 'categoryId',
    owners: '/categories',
    newOwner: newCategory,
    ownerMissing: 'Category does not exist',
    one: (owner: string, provider: string) => `/category-providers/${provider}/category/${owner}`,
    message: 'Category-provider mapping deleted successfully',
  },
] as const

describe.each(kinds)('POST $path', ({ path, side, owners, newOwner, ownerMissing }) => {
  test('201 with the mapping; config is null unless given', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    const { status, body } = await quote.post(path, { [side]: owner, providerId })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...(side === 'categoryId' ? { id: body.id } : {}),
      [side]: owner,
      providerId,
      config: null,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    })
    const configured = { [side]: owner, providerId: await newProvider(), config: { priority: 1 } }
    expect(await quote.create(path, configured)).toMatchObject(configured)
    const nothing = { [side]: owner, providerId: await newProvider(), config: null }
    expect(await quote.create(path, nothing)).toMatchObject(nothing)
  })

  test('400 for a config over 32 KiB', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    const config = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    const tooLarge = await quote.post(path, { [side]: owner, providerId, config: config(32 * 1024 + 1) })
    expect(refused(tooLarge, 400)).toEqual(['config must be at most 32 KiB of JSON or null'])
    expect((await quote.post(path, { [side]: owner, providerId, config: config(32 * 1024) })).status).toBe(201)
  })

  test('201 and unknown fields are dropped, credentials masked', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    const body = { [side]: owner, providerId, config: { apiKey: 's' }, id: nobody, createdAt: 1 }
    const answer = await quote.create(path, body)
    expect(answer.config).toEqual({ apiKey: '********' })
    expect(answer.id).not.toBe(nobody)
  })

  test('400 names every missing field and every wrong type', async () => {
    expect(refused(await quote.post(path, {}), 400)).toEqual([
      `${side} should not be empty`,
      'providerId should not be empty',
    ])
    expect(refused(await quote.post(path, { [side]: 'abc', providerId: 7, config: [] }), 400)).toEqual([
      `${side} must be a UUID`,
      'providerId must be a string',
      'config must be an object or null',
    ])
    expect(refused(await quote.post(path, '[1'), 400)).toBe('The body is not valid JSON')
  })

  test('400 for a missing or deleted asset, category or provider', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    const [goneOwner, goneProvider] = [await newOwner(), await newProvider()]
    await quote.del(`${owners}/${goneOwner}`)
    await quote.del(`/providers/${goneProvider}`)
    for (const id of [nobody, goneOwner]) {
      expect(refused(await quote.post(path, { [side]: id, providerId }), 400)).toBe(ownerMissing)
    }
    for (const id of [nobody, goneProvider]) {
      expect(refused(await quote.post(path, { [side]: owner, providerId: id }), 400)).toBe('Provider does not exist')
    }
  })

  test('400 for an existing mapping', async () => {
    const body = { [side]: await newOwner(), providerId: await newProvider() }
    await quote.create(path, body)
    expect(refused(await quote.post(path, body), 400)).toBe('This mapping already exists')
  })

  test('an idempotency key replays the answer', async () => {
    const body = { [side]: await newOwner(), providerId: await newProvider() }
    const send = () => quote.post(path, body, { 'idempotency-key': 'm-1' })
    const first = await send()
    const again = await send()
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe.each(kinds)('DELETE $path', ({ path, side, newOwner, one, message }) => {
  test('200, 400 the second time, and then it can be created again', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    const body = { [side]: owner, providerId }
    await quote.create(path, body)
    expect(await quote.del(one(owner, providerId))).toMatchObject({ status: 200, body: { success: true, message } })
    expect(refused(await quote.del(one(owner, providerId)), 400)).toBe('This mapping does not exist')
    await quote.create(path, body)
  })

  test('400 for an unknown mapping, also with the two ids swapped', async () => {
    const [owner, providerId] = [await newOwner(), await newProvider()]
    await quote.create(path, { [side]: owner, providerId })
    expect(refused(await quote.del(one(nobody, providerId)), 400)).toBe('This mapping does not exist')
    expect(refused(await quote.del(one(providerId, owner)), 400)).toBe('This mapping does not exist')
  })

  test('400 for an id that is not a UUID', async () => {
    expect(refused(await quote.del(one('abc', nobody)), 400)).toBe(notUuid)
    expect(refused(await quote.del(one(nobody, 'abc')), 400)).toBe(notUuid)
  })

  test('405 with Allow for GET: mappings are read with their asset or category', async () => {
    const all = await quote.get(path)
    const single = await quote.get(one(nobody, nobody))
    refused(all, 405)
    refused(single, 405)
    expect([all.headers.get('allow'), single.headers.get('allow')]).toEqual(['POST', 'DELETE'])
  })
})

test('credentials of a mapping are encrypted in the file', async () => {
  const [assetId, providerId] = [await newAsset(), await newProvider()]
  await quote.create('/asset-providers', { assetId, providerId, config: { priority: 3, apiKey: 'plain' } })
  const rows = await quote.store.read.select().from(assetProviders)
  const config = rows.find((row) => row.assetId === assetId)?.config ?? {}
  expect(JSON.stringify(config)).not.toContain('plain')
  expect(quote.deps.credentials.open(config, providerId)).toEqual({ priority: 3, apiKey: 'plain' })
})
