import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import type { Operations } from '@bursar/contracts/operations'
import { services } from '@bursar/contracts/services'
import { impatiently, type LocalServer, localServer, until } from '@bursar/testing'
import { openConsole, ownPage, type TestConsole } from './console-harness'

const peerNames = ['ACCOUNT', 'CUSTOMER', 'WALLET', 'WEBHOOK', 'MESSAGE', 'QUOTE', 'SANCTIONS'] as const
const letter = '01a1fe8f-0000-7000-8000-0000000000a1'

let opened: TestConsole
let cookie: string
const peers = new Map<string, LocalServer>()
const peer = (name: (typeof peerNames)[number]) => peers.get(name) as LocalServer

const figures = (service: string, more: Partial<Operations> = {}): Operations => ({
  service,
  version: '0.1.0',
  startedAt: '2026-11-22T06:00:00.000Z',
  checks: ['database', 'messageQueue'],
  failures: {},
  waiting: [],
  figures: {},
  outbox: { waiting: 0, oldestAt: null, problem: null, unknown: [] },
  queue: { depth: 0, deadLetters: 0 },
  consumers: [],
  database: { bytes: 1, logBytes: 1 },
  diskFreeBytes: 1,
  ...more,
})
const well = (request: Request) =>
  new URL(request.url).pathname === '/internal/operations'
    ? Response.json(figures('sample'))
    : Response.json({ error: { code: 'NOT_FOUND', message: 'Nothing' } }, { status: 404 })

beforeAll(async () => {
  for (const name of peerNames) peers.set(name, localServer(well))
  const urls = Object.fromEntries([...peers].map(([name, { url }]) => [`${name}_URL`, url]))
  // The participant service is away.
  opened = await openConsole({ ...urls, PARTICIPANT_URL: 'http://127.0.0.1:9' })
  cookie = await opened.logIn()
})
beforeEach(() => {
  for (const server of peers.values()) server.answer(well)
})
afterEach(() => void setSystemTime())
afterAll(async () => {
  await opened?.close()
  await Promise.all([...peers.values()].map((server) => server.stop()))
})

interface Line {
  name: string
  status: string
  ms: number
  problem: string | null
  operations: Operations | null
}

/** What the services say from now on: an answer is kept for a second. */
async function health(): Promise<Map<string, Line>> {
  const since = Date.now()
  let found: { at: string; services: Line[] } | undefined
  await until(async () => {
    const { status, body } = await opened.ask('/health', { cookie })
    expect(status).toBe(200)
    found = body
    return Date.parse(body.at) > since
  })
  return new Map(found?.services.map((line) => [line.name, line]))
}

describe('GET /console/api/health', () => {
  test('has all sixteen services, with their own report', async () => {
    // On a busy machine others are late as well: asked until they are not.
    const nobodyLate = async () => {
      const lines = await health()
      return ![...lines.values()].some(({ status }) => status === 'late') && lines
    }
    const found = await until(nobodyLate, { what: 'what each service says' })
    expect([...found.keys()].sort()).toEqual(Object.keys(services).sort())
    expect(found.get('gateway')).toMatchObject({ status: 'ok', operations: { service: 'gateway' } })
    expect(found.get('identity-manager')).toMatchObject({ status: 'ok', operations: { service: 'identity-manager' } })
    expect(found.get('participant')).toMatchObject({ status: 'away', operations: null })
  })

  test('a service that hangs, answers nonsense, aborts or says too much delays no other', async () => {
    peer('ACCOUNT').answer(() => new Promise<Response>(() => {}))
    peer('CUSTOMER').answer(() => new Response('<html>garbage'))
    peer('WALLET').answer(() => Response.json({ ...figures('wallet'), queue: { depth: -1, deadLetters: 'many' } }))
    peer('WEBHOOK').answer(() => Response.json({ ...figures('webhook'), consumers: ['x'.repeat(1024 * 1024)] }))
    peer('MESSAGE').answer(() => new Response(endless()))
    peer('QUOTE').answer(() => Response.json({ message: 'Internal error' }, { status: 500 }))
    peer('SANCTIONS').answer(() =>
      Response.json(
        figures('sanctions', { failures: { database: 'disk full', messageQueue: 'Redis does not answer' } }),
      ),
    )
    const expected = {
      account: ['late', 'The account service did not answer in time'],
      customer: ['failing', 'The customer service gave an answer that breaks its contract'],
      wallet: ['failing', 'The wallet service gave an answer that breaks its contract'],
      webhook: ['failing', 'The webhook service gave an answer that is too long'],
      message: ['failing', 'The message service gave an answer that is too long'],
      quote: ['failing', 'Internal error'],
      sanctions: ['failing', 'database: disk full; messageQueue: Redis does not answer'],
      'identity-manager': ['ok', null],
    }
    // On a busy machine others are late as well: asked until they are not.
    let told: object = {}
    const isTold = async () => {
      const found = await health()
      const states = Object.keys(expected).map((name) => [name, [found.get(name)?.status, found.get(name)?.problem]])
      told = Object.fromEntries(states)
      return Bun.deepEquals(told, expected)
    }
    await impatiently(() => until(isTold, { what: 'what each service says' })).catch(() => {})
    expect(told).toEqual(expected)
  })

  test('concurrent readers ask each service once', async () => {
    await health()
    const before = peer('ACCOUNT').requests.length
    // What was said is too old by then, and what is said then stays new, however late a reader comes.
    setSystemTime(new Date(Date.now() + 5000))
    await Promise.all(Array.from({ length: 10 }, () => opened.ask('/health', { cookie })))
    expect(peer('ACCOUNT').requests.length).toBe(before + 1)
  })

  test('not without a session', async () => {
    expect((await opened.ask('/health')).status).toBe(401)
  })
})

/** More and more, without an end. */
const endless = () =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)) })

describe('dead letters', () => {
  const items = [
    {
      id: letter,
      consumer: 'webhook',
      events: [{ id: letter, name: 'webhook.delivery.requested' }],
      attempts: 25,
      error: 'Not today',
      at: '2026-11-22T06:00:00.000Z',
    },
  ]

  test('are listed as their service lists them', async () => {
    peer('WEBHOOK').answer(() => Response.json({ total: 1, items }))
    expect((await opened.ask('/services/webhook/dead-letters', { cookie })).body).toEqual({ total: 1, items })
    expect((await opened.ask('/services/gateway/dead-letters', { cookie })).body).toEqual({ total: 0, items: [] })
    expect((await opened.ask('/services/nobody/dead-letters', { cookie })).status).toBe(400)
    expect((await opened.ask('/services/participant/dead-letters', { cookie })).status).toBe(503)
    expect((await opened.ask('/services/webhook/dead-letters')).status).toBe(401)
  })

  const retry = (id: string, headers: Record<string, string | null> = {}, service = 'webhook') =>
    opened.ask(`/services/${service}/dead-letters/${id}/retry`, { method: 'POST', cookie, headers })

  test('a retry is passed to the service, answered with its result, and audited', async () => {
    const letter = Bun.randomUUIDv7()
    let tries = 0
    peer('WEBHOOK').answer((request) => {
      expect([request.method, new URL(request.url).pathname]).toEqual([
        'POST',
        `/internal/operations/dead-letters/${letter}/retry`,
      ])
      tries += 1
      return Response.json({ id: letter, state: tries === 1 ? 'retried' : 'pending' })
    })
    expect((await retry(letter)).body).toEqual({ id: letter, state: 'retried' })
    expect((await retry(letter)).body).toEqual({ id: letter, state: 'pending' })
    const acts = (await opened.ask(`/audit?object=${letter}`, { cookie })).body
    expect(acts).toHaveLength(2)
    expect(acts[0]).toMatchObject({
      door: 'console',
      service: 'webhook',
      action: 'POST /console/api/services/:name/dead-letters/:id/retry',
      object: letter,
      status: 200,
      roles: ['admin'],
      address: '127.0.0.1',
    })
  })

  test('refuses dead letters that are gone, unreachable services, and requests of other sites', async () => {
    const letter = Bun.randomUUIDv7()
    expect((await retry(letter)).status).toBe(404)
    expect((await retry(letter, {}, 'participant')).status).toBe(503)
    expect((await retry(letter, {}, 'gateway')).status).toBe(404)
    expect((await retry(letter, { 'x-console': null })).status).toBe(403)
    expect((await retry(letter, { ...ownPage, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const statuses = (await opened.ask(`/audit?object=${letter}`, { cookie })).body.map((act: Line) => act.status)
    expect(statuses).toEqual([404, 503, 404])
  })
})
