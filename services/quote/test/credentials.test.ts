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
