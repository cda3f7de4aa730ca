// Services with several instances, as the gateway passes requests to them and tells of them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort, type LocalServer, localServer, until } from '@bursar/testing'
import { openConsole, type TestConsole } from './console-harness'
import { openGateway, refused, type TestGateway } from './harness'
import { echo } from './peers'
import { rawServer } from './raw'

const withKey = { 'x-api-key': 'sk_test_instances' }
const bank = '01a1fe8f-0000-7000-8000-0000000000b1'

/** A connection that ends once a request has come. */
const breaking = () => rawServer((socket) => socket.end())

/** A gateway whose quote service has these addresses. */
async function gatewayOf(quote: string, env: Record<string, string> = {}) {
  const gateway = await openGateway({ QUOTE_URL: quote, ...env })
  gateway.main.issue(withKey['x-api-key'], { participantId: bank })
  return gateway
}

describe('requests', () => {
  let [first, second]: LocalServer[] = []
  let gateway: TestGateway
  const path = '/quote/v1/assets'
  beforeAll(async () => {
    ;[first, second] = [localServer(echo), localServer(echo)]
    gateway = await gatewayOf(`${first?.url}, ${second?.url}/`)
  })
  afterAll(async () => {
    await gateway?.close()
    await Promise.all([first, second].map((peer) => peer?.stop()))
  })

  test('are shared by both, and lost by none when one of them ends', async () => {
    for (let n = 0; n < 20; n++) expect((await gateway.post(path, { n }, withKey)).status).toBe(200)
    expect([first?.requests.length, second?.requests.length]).toEqual([10, 10])
    await first?.stop()
    const underWay = Array.from({ length: 50 }, (_, n) => gateway.post(path, { n }, withKey))
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(second?.requests.length).toBe(60)
  })
})

test('a write whose connection broke goes to another instance with a key alone; a read always', async () => {
  const broken = [breaking(), breaking()]
  const gateway = await gatewayOf(broken.map(({ url }) => url).join(','))
  const received = () => broken.flatMap((each) => each.received).length
  const tries = async (ask: Promise<{ status: number }>) => {
    const before = received()
    expect((await ask).status).toBe(502)
    return received() - before
  }
  const path = '/quote/v1/assets'
  // Bun's own client sends a request once more when a connection that it kept has ended; these are new.
  expect(await tries(gateway.post(path, {}, withKey))).toBe(1)
  for (const name of ['idempotency-key', 'x-idempotency-key'])
    expect(await tries(gateway.post(path, {}, { ...withKey, [name]: 'once' }))).toBe(2)
  expect(await tries(gateway.get(path, withKey))).toBe(2)
  await gateway.close()
  for (const each of broken) each.stop()
})

test('a body that is sent while it is received goes to one instance alone, and there whole', async () => {
  const [nobody, peer] = [`http://127.0.0.1:${await freePort()}`, localServer(echo)]
  const gateway = await gatewayOf(`${nobody},${peer.url}`)
  const text = 'x'.repeat(200_000)
  const upload = async () => {
    const body = new Blob([text]).stream()
    return (await fetch(`${gateway.url}/quote/v1/assets`, { method: 'POST', body, headers: withKey })).status
  }
  // Each in its turn; the one that is not there is left out then.
  expect([await upload(), await upload()].sort()).toEqual([200, 503])
  expect([await upload(), await upload()]).toEqual([200, 200])
  expect(peer.requests.map(({ body }) => body.length)).toEqual([text.length, text.length, text.length])
  await gateway.close()
  await peer.stop()
})

test('nobody there: 503', async () => {
  const nobody = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`)
  const gateway = await gatewayOf(nobody.join(','))
  refused(await gateway.post('/quote/v1/assets', {}, withKey), 503)
  await gateway.close()
})

test('a WebSocket goes to an instance that takes it', async () => {
  const tracker = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    websocket: { open: (socket) => void socket.send('{"hello":"there"}'), message() {} },
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 404 })),
  })
  const nobody = `http://127.0.0.1:${await freePort()}`
  const gateway = await openGateway({ TRACKER_URL: `${nobody},http://127.0.0.1:${tracker.port}` })
  const { authorization } = await gateway.user({ roles: ['admin'] })
  for (let n = 0; n < 2; n++) {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/tracker/v1/log-messages/stream`, {
      headers: { authorization },
    } as never)
    const heard = await new Promise((resolve) => {
      socket.onmessage = ({ data }) => resolve(data)
      socket.onclose = () => resolve(null)
    })
    expect(heard).toBe('{"hello":"there"}')
    socket.close()
  }
  await gateway.close()
  await tracker.stop(true)
})

describe('what is told of them', () => {
  const figures = {
    service: 'quote',
    version: '0.1.0',
    startedAt: '2026-11-22T06:00:00.000Z',
    checks: ['database'],
    failures: {},
    waiting: [],
    figures: {},
    outbox: { waiting: 0, oldestAt: null, problem: null, unknown: [] },
    queue: { depth: 0, deadLetters: 0 },
    consumers: [],
    database: { bytes: 1, logBytes: 1 },
    diskFreeBytes: 1,
  }
  const text = '# HELP up_a As\n# TYPE up_a gauge\nup_a 1\nup_b{path="/x} 2",service="quote"} 2\n'
  const answer = ({ url }: Request) => {
    const { pathname } = new URL(url)
    if (pathname === '/internal/operations/metrics') return Response.json({ text })
    return Response.json(pathname === '/internal/operations' ? figures : { status: 'ok' })
  }
  /** Repeats expectations until they hold: on a busy machine one may answer too late. */
  const untilNobodyIsLate = (expectations: () => Promise<void>) =>
    until(() => expectations().then(() => true), { what: 'all that run to answer in time' })
  let peer: LocalServer
  let away: string
  let desk: TestConsole
  beforeAll(async () => {
    peer = localServer(answer)
    away = `http://127.0.0.1:${await freePort()}`
    desk = await openConsole({ QUOTE_URL: `${away},${peer.url}`, MESSAGE_URL: peer.url })
  })
  afterAll(async () => {
    await desk?.close()
    await peer?.stop()
  })

  test('the page at / says how many are healthy, and no address', async () => {
    await untilNobodyIsLate(async () => {
      const page = await (await fetch(desk.url)).text()
      const row = (name: string) => new RegExp(`${name}</th>.*?</tr>`, 's').exec(page)?.[0]
      expect(row('quote')).toContain('class="error"')
      expect(row('quote')).toContain('Healthy, 1 of 2 instances')
      expect(row('message')).not.toContain('instances')
      expect(page).not.toContain(new URL(away).host)
    })
  })

  test('operators see each with its address, its state and its problem', async () => {
    const cookie = await desk.logIn()
    await untilNobodyIsLate(async () => {
      const { body } = await desk.ask('/health', { cookie })
      const of = (name: string) => body.services.find((each: { name: string }) => each.name === name)
      expect(of('quote')).toMatchObject({
        status: 'failing',
        problem: `${away}: The quote service cannot be reached`,
        operations: { service: 'quote' },
        instances: [
          { address: away, status: 'away', problem: 'The quote service cannot be reached' },
          { address: peer.url, status: 'ok', problem: null },
        ],
      })
      expect(of('message')).toMatchObject({ status: 'ok', instances: [] })
    })
  })

  test('figures name their instance, and say which gave none', async () => {
    const instance = `instance="${new URL(peer.url).host}"`
    await untilNobodyIsLate(async () => {
      const lines = (await (await fetch(`${desk.url}/metrics/all`)).text()).split('\n')
      expect(lines).toContain(`bursar_up{service="quote",${instance}} 1`)
      expect(lines).toContain(`bursar_up{service="quote",instance="${new URL(away).host}"} 0`)
      expect(lines).toContain(`up_a{${instance}} 1`)
      expect(lines).toContain(`up_b{path="/x} 2",service="quote",${instance}} 2`)
      // A single one is its service.
      expect(lines).toContain('bursar_up{service="message"} 1')
      expect(lines).toContain('up_a 1')
    })
  })
})
