// Traces of the platform as processes, by OTLP to a collector: a withdrawal is one trace over all services.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type LocalServer, localServer, tempDir, until } from '@bursar/testing'
import { type Collector, type Span, startCollector } from './collector'
import { type ProcessStack, startProcesses } from './process-stack'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const ours = 'b7ad6b7169203331'
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
/** Those that a withdrawal passes. */
const all = [
  'gateway',
  'core-ledger',
  'sanctions',
  'wallet',
  'blockchain',
  'notification',
  'webhook',
  'log-tracker',
] as const
/** Whom they ask, and who logs in. */
const others = ['identity-manager', 'participant', 'customer', 'account'] as const

let collector: Collector
let receiver: LocalServer
let stack: ProcessStack

beforeAll(async () => {
  collector = startCollector()
  receiver = localServer(() => new Response('ok'))
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key',
    OTEL_TRACES_SAMPLER_ARG: '1',
    SCREENING: 'sanctions',
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  stack = await startProcesses(settings, [...all, ...others])
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
    { what: 'the wallet' },
  )
  const balance = async () => (await stack.to('core-ledger').get(`/balances/account/${accountId}`)).body
  await until(
    async () => {
      // Again until the address is watched.
      await stack.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '100' })
      const [held] = await balance()
      return held && held.availableBalance !== '0'
    },
    { what: 'the deposit' },
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
  await until(reached, { what: 'the withdrawal' })
  const told = () => receiver.requests.filter(({ body }) => body.includes(id))
  const isEnd = ({ type, data }: { type: string; data: { status: string } }) =>
    type === 'transaction.status_updated' && data.status === 'COMPLETED'
  await until(() => told().some(({ body }) => isEnd(JSON.parse(body))), { what: 'its webhook' })
  const services = () => [...new Set(spansOf(traceId).map(({ service }) => service))].sort()
  await until(() => all.every((name) => services().includes(name)), {
    what: `spans of ${all.filter((name) => !services().includes(name))}`,
  })
  expect(collector.refused).toEqual([])
  expect(collector.header('api-key')).toBe('a key')

  // Each hangs below another one, so that the trace is one tree, once all services have sent theirs.
  const orphans = () => {
    const known = new Set([ours, ...spansOf(traceId).map(({ spanId }) => spanId)])
    return spansOf(traceId).filter(({ parentSpanId }) => parentSpanId === null || !known.has(parentSpanId))
  }
  await until(() => orphans().length === 0, { what: 'all spans' }).catch(() => {})
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

/** The traces that a figure's buckets name, by `service route`. */
async function exemplars(): Promise<Map<string, string[]>> {
  const answer = await fetch(`${stack.url('gateway')}/metrics/all`, {
    headers: { accept: 'application/openmetrics-text;version=1.0.0' },
  })
  expect(answer.headers.get('content-type')).toStartWith('application/openmetrics-text; version=1.0.0')
  const found = [
    ...(await answer.text()).matchAll(
      /^http_request_duration_seconds_bucket\{.*route="([^"]*)".*service="([^"]*)"\} \d+ # \{trace_id="(\w{32})"\} \S+$/gm,
    ),
  ].map(([, route, service, id = '']) => ({ place: `${service} ${route}`, id }))
  const byPlace = Map.groupBy(found, ({ place }) => place)
  return new Map([...byPlace].map(([place, all]) => [place, all.map(({ id }) => id)]))
}

async function askForCustomers(): Promise<void> {
  const headers = await stack.logIn()
  const answer = await fetch(`${stack.url('gateway')}/customer/v1/customers`, { headers })
  expect(answer.status).toBe(200)
}

test('the times of requests name the traces that have them', async () => {
  await askForCustomers()
  const ids = (await exemplars()).get('customer /customers/') ?? []
  expect(ids.length).toBeGreaterThan(0)
  for (const id of ids)
    await until(
      // Other tests have made some by that route.
      () => spansOf(id).some(({ service, name }) => service === 'customer' && /^(GET|POST) \/customers/.test(name)),
      {
        what: `the span of ${id}`,
      },
    )
  const plain = await (await fetch(`${stack.url('gateway')}/metrics/all`)).text()
  expect(plain).toContain('http_request_duration_seconds_bucket')
  expect(plain).not.toContain('trace_id')
})

const prometheus = Bun.which('prometheus')
if (!prometheus)
  console.warn('The test with Prometheus itself is skipped: it is missing (Debian has it in the package prometheus)')

test.skipIf(!prometheus)('Prometheus takes the figures, and keeps the exemplars', async () => {
  await askForCustomers()
  const [folder, port] = [tempDir(), await freePort()]
  const target = new URL(stack.url('gateway')).host
  const config = {
    scrape_configs: [
      {
        job_name: 'bursar',
        scrape_interval: '1s',
        metrics_path: '/metrics/all',
        static_configs: [{ targets: [target] }],
      },
    ],
  }
  // What is JSON is YAML as well.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const options = [
    '--enable-feature=exemplar-storage',
    `--storage.tsdb.path=${folder}/data`,
    `--config.file=${folder}/prometheus.yml`,
  ]
  const server = Bun.spawn([prometheus ?? '', ...options, `--web.listen-address=127.0.0.1:${port}`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const ask = async <T>(path: string): Promise<T[]> => {
    const { data } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: T[] }
    return data
  }
  const query = encodeURIComponent('http_request_duration_seconds_bucket{service="customer",route="/customers/"}')
  const now = Math.floor(Date.now() / 1000)
  const kept = () =>
    ask<{ exemplars: { labels: { trace_id: string } }[] }>(
      `query_exemplars?query=${query}&start=${now - 600}&end=${now + 600}`,
    )
  try {
    await until(async () => (await kept().catch(() => [])).length > 0, { what: 'exemplars' })
    const ids = (await kept()).flatMap((series) => series.exemplars.map(({ labels }) => labels.trace_id))
    expect(ids.length).toBeGreaterThan(0)
    // A figure may be taken before its span is sent.
    const strangers = () => ids.filter((id) => spansOf(id).length === 0)
    await until(() => strangers().length === 0, { what: 'their spans' }).catch(() => {})
    expect(strangers()).toEqual([])
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
})
