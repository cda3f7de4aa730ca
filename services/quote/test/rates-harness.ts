import type { Envelope } from '@bursar/contracts/event'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { ValuationProcessed } from '@bursar/contracts/quote'
import { outbox } from '@bursar/store/schema'
import { total } from '../src/counters/counters'
import { rates } from '../src/tables/rates.table'
import { type TestQuote, testQuote } from './harness'

/** The service with a controlled broker, and providers allowed on this machine. */
export async function testRates(env: Record<string, string> = {}) {
  const quote = await testQuote({ env: { OUTBOUND_ALLOW: '127.0.0.1', ...env } })
  const { broker } = quote
  let codes = 0
  return {
    ...quote,
    /** A new asset, with code `T1` and so on by default. */
    asset: (fields: object = {}) => quote.create('/assets', { name: 'Some asset', code: `T${++codes}`, ...fields }),
    provider: (slug: string, config: object = {}, fields: object = {}) =>
      quote.create('/providers', { name: slug, slug, config, ...fields }),
    map: (asset: { id: string }, provider: { id: string }, config?: object) =>
      quote.create('/asset-providers', { assetId: asset.id, providerId: provider.id, ...(config ? { config } : {}) }),
    rate: (assetCode: string, headers?: Record<string, string>) => quote.post('/rates', { assetCode }, headers),
    /** The last stored rate. */
    last: async () => (await quote.get('/rates?limit=1')).body.data[0],
    valuations: () => broker.published.filter((each) => each.name === ValuationProcessed.name),
    /** The tracker's messages of a request, as published. */
    lines: (requestId: string) =>
      broker.published.filter((each) => each.name === LogRecorded.name && each.requestId === requestId).map(dataOf),
  }
}
export type TestRates = Awaited<ReturnType<typeof testRates>>

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of an event's data
export const dataOf = (envelope: Envelope): any => envelope.data

/** The contents of the database, bypassing the API. */
export async function stored({ store }: Pick<TestQuote, 'store'>) {
  const rows = await store.read.select().from(rates)
  const events = await store.read.select({ name: outbox.name }).from(outbox)
  return { rows, counted: await total(store.read, 'rates'), events: events.map(({ name }) => name) }
}

/** Fixed prices by code, for a provider without a server. */
export const table = (prices: Record<string, number | string>) => ({ rates: prices })

/** The config of a provider that asks a local server for `/<code>`, and waits as long as may be: machines are busy. */
export const desk = (server: { url: string }, more: object = {}) => ({
  url: `${server.url}/{code}`,
  path: 'price',
  timeout: 20_000,
  ...more,
})
