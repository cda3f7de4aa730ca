import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { PricingChanged } from '@bursar/contracts/quote'
import type { LocalServer } from '@bursar/testing'
import { priceChanges } from '../src/decisions/price-changes.table'
import { type Ledger, openLedger } from './harness'
import { quoteServer } from './quote-server'
import { type Bench, depositOf, make, makeAsset, owner, screen } from './steps'

// FOUR_EYES_USD is 1000: who makes an asset worth less, approves nothing of it.
let quote: LocalServer
const rates: Record<string, number> = {}
const highest: Record<string, number | null> = {}
let ledger: Ledger
let now: Date
let gold: Bench & { code: string }
let [anna, boris, clara] = [] as Record<string, string>[]
let codes = 0

beforeAll(async () => {
  quote = quoteServer(rates, highest)
  now = new Date()
  ledger = await openLedger({ env: { FOUR_EYES_USD: '1000' }, urls: { quote: quote.url }, tuning: { now: () => now } })
  anna = await ledger.as({ kind: 'user', subject: 'anna' })
  boris = await ledger.as({ kind: 'user', subject: 'boris' })
  clara = await ledger.as({ kind: 'user', subject: 'clara' })
})
afterAll(async () => {
  await ledger.close()
  await quote.stop()
})
beforeEach(async () => {
  // A change of a provider concerns every asset, those of other tests too.
  await ledger.store.commit(async (tx) => void (await tx.delete(priceChanges)))
  const code = `GOLD${++codes}`
  rates[code] = 10
  gold = { code, assetId: await makeAsset(ledger, { code }), ...(await owner(ledger)) }
})

async function frozen(amount = '100'): Promise<string> {
  const { id } = await make(ledger, 'deposit', depositOf(gold, amount))
  await screen(ledger, id, false)
  return id
}
const approve = async (id: string, headers?: Record<string, string>) =>
  (await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`, {}, headers)).status
const priced = (fields: object) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: PricingChanged.name,
    type: PricingChanged.type,
    timestamp: now.toISOString(),
    requestId: null,
    service: 'quote',
    data: { v: 1, assetCode: gold.code, what: 'asset', userId: 'anna', at: now.toISOString(), ...fields },
  })

describe('the highest rate of the last 24 hours counts', () => {
  test('a lowered price does not allow one person to approve', async () => {
    rates[gold.code] = 0.01
    highest[gold.code] = 10
    expect(await approve(await frozen('100'), boris)).toBe(202)
    expect(await approve(await frozen('99'), boris)).toBe(200)
    const asked = quote.requests.find(({ path }) => path.includes(`/highest/${gold.code}`))
    const since = new URL(asked?.path ?? '', 'http://x').searchParams.get('since') ?? ''
    expect(Date.parse(since)).toBe(now.getTime() - 86_400_000)
  })

  test('a price that rose counts at once', async () => {
    highest[gold.code] = 1
    expect(await approve(await frozen('100'), boris)).toBe(202)
  })

  test('two persons while it is unknown', async () => {
    highest[gold.code] = null
    expect(await approve(await frozen('1'), boris)).toBe(202)
  })
})

describe('a person who changed an asset’s price cannot approve its transactions for a day', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['its price', () => priced({})],
    ['its price, under its code in another case', () => priced({ assetCode: gold.code.toLowerCase() })],
    ['a provider, which may concern every asset', () => priced({ assetCode: null, what: 'provider' })],
    ['its decimals', () => ledger.ask('PATCH', `/assets/${gold.assetId}`, { decimals: 9 }, anna)],
    ['its network', () => ledger.ask('PATCH', `/assets/${gold.assetId}`, { blockchain: 'base' }, anna)],
    ['its code', () => ledger.ask('PATCH', `/assets/${gold.assetId}`, { code: `${gold.code}X` }, anna)],
  ]
  test.each(changes)('%s', async (what, change) => {
    await change()
    // A little is approved by one person, but not by this one.
    const { id } = await make(
      ledger,
      'deposit',
      depositOf(gold, '1', { network: what === 'its network' ? 'base' : 'ethereum' }),
    )
    await screen(ledger, id, false)
    expect(await approve(id, anna)).toBe(409)
    const big = await make(
      ledger,
      'deposit',
      depositOf(gold, '100', { network: what === 'its network' ? 'base' : 'ethereum' }),
    )
    await screen(ledger, big.id, false)
    expect(await approve(big.id, boris)).toBe(202)
    expect(await approve(big.id, anna)).toBe(409)
    expect(await approve(big.id, clara)).toBe(200)
  })

  test('not after a day; old changes are deleted', async () => {
    await priced({})
    const id = await frozen()
    expect(await approve(id, anna)).toBe(409)
    const day = 86_400_000
    now = new Date(now.getTime() + day - 1000)
    expect(await approve(id, anna)).toBe(409)
    now = new Date(now.getTime() + 2000)
    expect(await approve(id, anna)).toBe(202)
    now = new Date(now.getTime() + 7 * day)
    await priced({ userId: 'zoe' })
    expect((await ledger.store.read.select().from(priceChanges)).map(({ userId }) => userId)).toEqual(['zoe'])
  })

  test('a change of another asset, or one without effect, prevents nobody', async () => {
    await priced({ assetCode: 'OTHER' })
    await priced({ userId: null })
    await ledger.ask('PATCH', `/assets/${gold.assetId}`, { name: 'Gold', decimals: 6 }, anna)
    expect(await approve(await frozen(), anna)).toBe(202)
  })
})
