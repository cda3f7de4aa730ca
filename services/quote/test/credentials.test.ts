import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { storedText } from '@bursar/testing/service'
import { providers } from '../src/tables/providers.table'
import { refused, type TestQuote, testQuote } from './harness'

const mask = '********'

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let slugs = 0
const provider = (fields: object = {}) =>
  quote.create('/providers', { name: 'Some provider', slug: `slug-${++slugs}`, ...fields })

/** The config as stored, and decrypted. */
async function stored(id: string) {
  const [row] = await quote.store.read.select().from(providers).where(eq(providers.id, id))
  if (!row) throw new Error('The provider is not stored')
  return { sealed: JSON.stringify(row.config), open: quote.deps.credentials.open(row.config, id) }
}

describe('credentials in config', () => {
  const config = {
    priority: 2,
    apiKey: 'secret-1',
    headers: { 'X-Key': 'secret-2', 'X-Other': 'secret-3' },
    credential: { user: 'secret-4', list: ['secret-5', 6, null] },
    'api-secret': 'secret-7',
    inner: { password: 'secret-8', open: 'seen' },
    symbols: { TOKEN: 'token' },
  }
  const shown = {
    priority: 2,
    apiKey: mask,
    headers: { 'X-Key': mask, 'X-Other': mask },
    credential: { user: mask, list: [mask, mask, null] },
    'api-secret': mask,
    inner: { password: mask, open: 'seen' },
    symbols: { TOKEN: 'token' },
  }

  test('are masked in every answer and encrypted in the file', async () => {
    const created = await provider({ config })
    const { id, slug } = created
    expect(created.config).toEqual(shown)
    expect((await quote.get(`/providers/${id}`)).body.config).toEqual(shown)
    expect((await quote.get(`/providers?slug=${slug}`)).body.data[0].config).toEqual(shown)
    expect((await quote.put(`/providers/${id}`, { name: 'Other' })).body.config).toEqual(shown)
    const { sealed, open } = await stored(id)
    expect(sealed).not.toContain('secret-')
    expect(open).toEqual(config)
    await quote.store.healthy()
    expect(await storedText(quote)).not.toContain('secret-')
  })

  test('keep their value when the mask is sent back, beside new ones', async () => {
    const { id } = await provider({ config })
    const changed = { ...shown, priority: 9, headers: { 'X-Key': 'secret-new', 'X-Other': mask } }
    expect((await quote.put(`/providers/${id}`, { config: changed })).body.config).toEqual({ ...shown, priority: 9 })
    const { open } = await stored(id)
    expect(open).toEqual({ ...config, priority: 9, headers: { 'X-Key': 'secret-new', 'X-Other': 'secret-3' } })
  })

  test('are gone when a new config leaves them out', async () => {
    const { id } = await provider({ config })
    expect((await quote.put(`/providers/${id}`, { config: { priority: 1 } })).body.config).toEqual({ priority: 1 })
    expect((await stored(id)).open).toEqual({ priority: 1 })
  })

  test.each(['url', 'baseUrl'])('belong to their address: the mask with a changed %s is 400', async (name) => {
    const { id } = await provider({ config: { [name]: 'https://a.example/{code}', apiKey: 'secret-1' } })
    const moved = { [name]: 'https://b.example/{code}', apiKey: mask }
    refused(await quote.put(`/providers/${id}`, { config: moved }), 400)
    expect((await stored(id)).open).toEqual({ [name]: 'https://a.example/{code}', apiKey: 'secret-1' })
    const whole = { ...moved, apiKey: 'secret-2' }
    expect((await quote.put(`/providers/${id}`, { config: whole })).status).toBe(200)
  })

  test('belong to the vendor that the slug selects: with another one they must be sent again', async () => {
    const keyed = { apiKey: 'secret-1', priority: 1 }
    const { id } = await quote.create('/providers', { name: 'Market', slug: 'coinmarketcap', config: keyed })
    const message = 'config.apiKey must be sent again with a changed slug: a stored credential stays with its address'
    for (const slug of ['cryptocompare', 'CoinGecko', 'desk']) {
      expect(refused(await quote.put(`/providers/${id}`, { slug }), 400)).toBe(message)
      const sent = { slug, config: { ...keyed, apiKey: mask } }
      expect(refused(await quote.put(`/providers/${id}`, sent), 400)).toBe(message)
    }
    expect((await quote.get(`/providers/${id}`)).body.slug).toBe('coinmarketcap')
    await quote.put(`/providers/${id}`, { slug: 'CoinMarketCap', name: 'The same' })
    expect((await stored(id)).open).toEqual(keyed)
    const moved = { slug: 'cryptocompare', config: { apiKey: 'secret-2' } }
    expect((await quote.put(`/providers/${id}`, moved)).status).toBe(200)
    expect((await stored(id)).open).toEqual(moved.config)
  })

  test('of no built-in vendor stay under another slug; a built-in one without any may take another’s slug', async () => {
    const own = { url: 'https://a.example/{code}', path: 'price', apiKey: 'secret-1' }
    const { id } = await provider({ config: own })
    expect((await quote.put(`/providers/${id}`, { slug: 'renamed' })).status).toBe(200)
    expect((await stored(id)).open).toEqual(own)
    refused(await quote.put(`/providers/${id}`, { slug: 'kraken' }), 400)
    const bare = await quote.create('/providers', { name: 'B', slug: 'bitstamp', config: { priority: 3 } })
    expect((await quote.put(`/providers/${bare.id}`, { slug: 'pyth' })).body.config).toEqual({ priority: 3 })
  })

  test('a mask without a stored value is 400', async () => {
    const message = expect.stringContaining(
      'config.apiKey is the mask of a stored credential, but none is stored there',
    )
    const created = await quote.post('/providers', { name: 'X', slug: 'mask', config: { apiKey: mask } })
    expect(refused(created, 400)).toEqual(message)
    const { id } = await provider()
    expect(refused(await quote.put(`/providers/${id}`, { config: { apiKey: mask } }), 400)).toEqual(message)
  })
})

describe("a mapping's own credentials", () => {
  const at = { url: 'https://a.example/{code}', path: 'price' }
  const moved = { ...at, url: 'https://b.example/{code}' }
  let codes = 0
  const mapped = async (providerId: string, config: object) => {
    const { id: assetId } = await quote.create('/assets', { name: 'A', code: `MOVE${++codes}` })
    await quote.create('/asset-providers', { assetId, providerId, config })
    return () => quote.del(`/asset-providers/${assetId}/providers/${providerId}`)
  }
  const message = (changed: string) =>
    `A mapping of the provider has credentials of its own, which stay with its address: delete the mapping before you change ${changed}`

  test('are not sent to another address: it cannot be changed while there are any', async () => {
    const { id } = await provider({ config: at })
    const unmap = await mapped(id, { apiKey: 'secret-1' })
    expect(refused(await quote.put(`/providers/${id}`, { config: moved }), 400)).toBe(message('url or baseUrl'))
    expect(refused(await quote.put(`/providers/${id}`, { config: { path: 'price' } }), 400)).toBe(
      message('url or baseUrl'),
    )
    expect((await stored(id)).open).toEqual(at)
    expect((await quote.put(`/providers/${id}`, { config: { ...at, path: 'last' } })).status).toBe(200)
    await unmap()
    expect((await quote.put(`/providers/${id}`, { config: moved })).status).toBe(200)
  })

  test('nor to the vendor of another slug, also where the mapping has an address of its own', async () => {
    const { id, slug } = await provider({ config: at })
    const unmap = await mapped(id, { url: 'https://c.example/{code}', headers: { 'x-key': 'secret-1' } })
    expect(refused(await quote.put(`/providers/${id}`, { slug: 'Kraken' }), 400)).toBe(message('slug'))
    expect((await quote.get(`/providers/${id}`)).body.slug).toBe(slug)
    expect((await quote.put(`/providers/${id}`, { slug: 'no-vendor' })).status).toBe(200)
    // Its own address is another one than the provider's.
    expect((await quote.put(`/providers/${id}`, { config: moved })).status).toBe(200)
    await unmap()
    expect((await quote.put(`/providers/${id}`, { slug: 'KRAKEN' })).status).toBe(200)
  })

  test('of a category as well; a mapping without any holds nothing up', async () => {
    const { id } = await provider({ config: at })
    await mapped(id, { priority: 1 })
    const { id: categoryId } = await quote.create('/categories', { name: 'Moved' })
    await quote.create('/category-providers', { categoryId, providerId: id, config: { credential: 'secret-1' } })
    expect(refused(await quote.put(`/providers/${id}`, { config: moved }), 400)).toBe(message('url or baseUrl'))
    await quote.del(`/category-providers/${id}/category/${categoryId}`)
    expect((await quote.put(`/providers/${id}`, { config: moved })).status).toBe(200)
  })
})
