// Traces of the platform as processes, by OTLP to a collector: a withdrawal is one trace over all services.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type Collector, type Span, startCollector } from './collector'
import { type ProcessStack, startProcesses } from './process-stack'

setDefaultTimeout(300_000)

const traceId = '0af7651916cd43dd8448eb211c80319c'
const ours = 'b7ad6b7169203331'
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
/** Those that a withdrawal passes. */
const all = ['gateway', 'core-ledger', 'sanctions', 'wallet', 'blockchain', 'notification', 'webhook', 'log-tracker']

let collector: Collector
let receiver: LocalServer
let stack: ProcessStack

beforeAll(async () => {
  collector = startCollector()
  receiver = localServer(() => new Response('ok'))
  stack = await startProcesses({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key',
    OTEL_TRACES_SAMPLER_ARG: '1',
    SCREENING: 'sanctions',
    OUTBOUND_ALLOW: '127.0.0.1',
  })
})
afterAll(async () => {
  await stack?.stop()
  await receiver?.stop()
  await collector?.stop()
})

const spansOf = (id: string): Span[] => collector.spans.filter((span) => span.traceId === id)

/** An account with 100 POL, of a participant with an endpoint for webhooks. */
async function fundedAccount(): Promise<{ accountId: string; assetId: string }> {
  const asset = { code: 'POL', name: 'POL', decimalPlaces: 18, address: 'native', network: 'polygon' }
  const { id: assetId } = await stack.to('core-ledger').create('/assets', asset)
  const accounts = [{ type: 'STABLECOINS', status: 'active', name: 'Main' }]
  const { id: participantId, customers } = await stack.to('participant').create('/participants', {
    institutionName: 'Bank',
    authConsumerId: 'sk_test_bank',
    customers: [{ externalId: 'c', status: 'active', accounts }],
  })
  await stack.to('webhook').create('/webhooks/endpoints', { participantId, url: receiver.url })
  const accountId: string = customers[0].accounts[0].id
  const path = `/wallets/account/${accountId}/network/polygon?createIfNotExists=true`
  const { address } = await until(
    async () => {
      const { status, body } = await stack.to('wallet').get(path)
      return status === 200 && body
    },
    { what: 'the wallet', timeoutMs: 60_000 },
  )
  const balance = async () => (await stack.to('core-ledger').get(`/balances/account/${accountId}`)).body
  await until(
    async () => {
      // Again until the address is watched.
      await stack.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '100' })
      const [held] = await balance()
      return held && held.availableBalance !== '0'
    },
    { what: 'the deposit', timeoutMs: 120_000 },
  )
  return { accountId, assetId }
}

test('a withdrawal is one trace, from the request at the gateway to the webhook', async () => {
  const headers = await stack.logIn()
  const { accountId, assetId } = await fundedAccount()
  const order = { accountId, network: 'polygon', assetId, amount: '1', destinationAddress: stranger }
  const answer = await fetch(`${stack.url('gateway')}/core/v1/transactions/withdrawal`, {
    method: 'POST',
    headers: { ...headers, traceparent: `00-${traceId}-${ours}-00` },
    body: JSON.stringify(order),
  })
  const { id } = (await answer.json()) as { id: string }
  expect(answer.status).toBe(201)
  const reached = async () => (await stack.to('core-ledger').get(`/transactions/${id}`)).body.status === 'COMPLETED'
  await until(reached, { what: 'the withdrawal', timeoutMs: 120_000 })
  const told = () => receiver.requests.filter(({ body }) => body.includes(id))
  await until(() => told().some(({ body }) => /completed/i.test(body)), { what: 'its webhook', timeoutMs: 60_000 })
  const services = () => [...new Set(spansOf(traceId).map(({ service }) => service))].sort()
  await until(() => all.every((name) => services().includes(name)), {
    what: `spans of ${all.filter((name) => !services().includes(name))}`,
    timeoutMs: 30_000,
  })
  expect(collector.refused).toEqual([])
  expect(collector.header('api-key')).toBe('a key')

  // Each hangs below another one, so that the trace is one tree, once all services have sent theirs.
  const orphans = () => {
    const known = new Set([ours, ...spansOf(traceId).map(({ spanId }) => spanId)])
    return spansOf(traceId).filter(({ parentSpanId }) => parentSpanId === null || !known.has(parentSpanId))
  }
  await until(() => orphans().length === 0, { what: 'all spans', timeoutMs: 30_000 }).catch(() => {})
  expect(orphans()).toEqual([])
  const spans = spansOf(traceId)
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  const [first] = spans.filter(({ parentSpanId }) => parentSpanId === ours)
  expect(first).toMatchObject({ service: 'gateway', name: 'POST /core/*', kind: 2, failed: false })
  expect(first?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 201 })
  const served = spans.find(({ service, kind }) => service === 'core-ledger' && kind === 2)
  expect(served?.name).toBe('POST /transactions/withdrawal')
  expect(spans.map(({ name }) => name)).toContain('process core-ledger.transaction.created')
  // The receiver can go on with it.
  const traced = told().map(({ body, headers: sent }) => [
    `${JSON.parse(body).type} ${JSON.parse(body).data.status}`,
    sent.get('traceparent')?.startsWith(`00-${traceId}-`) ?? false,
  ])
  expect(traced.filter(([type]) => !String(type).startsWith('sanctions.'))).toEqual(
    expect.arrayContaining([['transaction.status_updated COMPLETED', true]]),
  )
  expect(traced.filter(([type, isTraced]) => !String(type).startsWith('sanctions.') && !isTraced)).toEqual([])
})

test('what nobody has asked for begins no trace', async () => {
  const began = collector.spans.filter(({ parentSpanId, kind }) => parentSpanId === null && kind !== 2)
  expect(began).toEqual([])
  const names = collector.spans.map(({ name }) => name)
  expect(names.filter((name) => /\/(?:health|metrics)/.test(name))).toEqual([])
})
