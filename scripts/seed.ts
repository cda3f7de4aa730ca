/**
 * `bun run seed`: a starting catalogue for the quote service. What is there already is left as it is, so it may be run
 * again at any time. Talks to the running service, like any client.
 */
import { services } from '@bursar/contracts/services'

const help = `Usage: bun run seed [--url <base URL of the quote service>]

Puts a starting catalogue into the running quote service: the categories "Cryptocurrencies" and "Stablecoins", the
assets BTC, ETH, SOL, USDC, USDT and EURC, and the providers coinbase, kraken and bitstamp (no key needed) as defaults.
What is already there stays as it is.
`

const categories = [
  { name: 'Cryptocurrencies', description: 'Native assets of public blockchains' },
  { name: 'Stablecoins', description: 'Tokens that follow the value of a currency' },
]

const providers = [
  { name: 'Coinbase', slug: 'coinbase', isDefault: true, config: { priority: 1, timeout: 5000 } },
  { name: 'Kraken', slug: 'kraken', isDefault: true, config: { priority: 2, timeout: 5000 } },
  { name: 'Bitstamp', slug: 'bitstamp', isDefault: true, config: { priority: 3, timeout: 5000 } },
]

const assets = [
  { code: 'BTC', name: 'Bitcoin', category: 'Cryptocurrencies' },
  { code: 'ETH', name: 'Ether', category: 'Cryptocurrencies' },
  { code: 'SOL', name: 'Solana', category: 'Cryptocurrencies' },
  { code: 'USDC', name: 'USD Coin', category: 'Stablecoins' },
  { code: 'USDT', name: 'Tether USD', category: 'Stablecoins' },
  { code: 'EURC', name: 'Euro Coin', category: 'Stablecoins' },
]

const arguments_ = process.argv.slice(2)
if (arguments_.includes('--help') || arguments_.includes('-h')) {
  process.stdout.write(help)
  process.exit(0)
}
const given = arguments_.indexOf('--url')
const port = process.env.QUOTE_PORT || services.quote.port
const base = (given >= 0 ? arguments_[given + 1] : undefined) ?? `http://${process.env.HOST || '127.0.0.1'}:${port}`

try {
  for (const category of categories) await make('categories', 'name', category)
  for (const provider of providers) await make('providers', 'slug', provider)
  for (const { category, ...asset } of assets) {
    const known = await find('categories', 'name', category)
    await make('assets', 'code', { ...asset, categoryId: known?.id })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** Creates a record unless one of that name, slug or code is there. */
async function make(resource: string, by: 'name' | 'slug' | 'code', record: Record<string, unknown>): Promise<void> {
  const label = `${resource}/${record[by]}`
  if (await find(resource, by, String(record[by]))) return say(`is there   ${label}`)
  await call('POST', `/${resource}`, record)
  say(`created    ${label}`)
}

/** The record whose `by` is exactly the value; names are searched by part, so the rest is compared here. */
async function find(resource: string, by: string, value: string): Promise<{ id: string } | undefined> {
  const { data } = await call<{ data: Array<{ id: string } & Record<string, unknown>> }>(
    'GET',
    `/${resource}?${by}=${encodeURIComponent(value)}&limit=100`,
  )
  return data.find((record) => record[by] === value)
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  }).catch(() => {
    throw new Error(`No quote service answers at ${base}; start it with scripts/start, or name another with --url`)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
