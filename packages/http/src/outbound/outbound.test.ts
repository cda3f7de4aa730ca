import { afterEach, describe, expect, test } from 'bun:test'
import { freePort } from '@bursar/testing'
import { createOutbound, type OutboundError, type OutboundRequest } from './outbound'

const servers: Bun.Server<undefined>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

function serve(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  servers.push(server)
  return server.port
}

/** Every name stands for this machine; only those of `.ok` are on the allow-list. */
const loopback = (...ports: (number | undefined)[]) =>
  createOutbound({
    allow: ports.flatMap((port) => [`a.ok:${port}`, `b.ok:${port}`]),
    resolve: async () => ['127.0.0.1'],
  })

/** A busy machine may keep a request for longer than a provider does. */
const patient = { timeoutMs: 60_000 }
const echo = async (request: Request) =>
  Response.json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  })

const refusal = (work: Promise<unknown>): Promise<OutboundError> =>
  work.then(
    () => Promise.reject(new Error('it was let through')),
    (error) => error,
  )

describe('what is sent', () => {
  test('goes to the address that was resolved, under the name that was asked', async () => {
    const port = serve(echo)
    const asked: string[] = []
    const outbound = createOutbound({
      allow: ['a.ok'],
      resolve: async (host) => {
        asked.push(host)
        return ['127.0.0.1']
      },
    })
    const answer = await outbound.request(`http://a.ok:${port}/p?q=1#part`, {
      ...patient,
      method: 'post',
      headers: { 'X-One': '1', Host: 'evil.test', 'Content-Length': '99' },
      body: 'hello',
    })
    const seen = JSON.parse(answer.text)
    expect(answer.status).toBe(200)
    expect(seen).toMatchObject({ method: 'POST', url: `http://a.ok:${port}/p?q=1`, body: 'hello' })
    expect(seen.headers).toMatchObject({ 'x-one': '1', host: `a.ok:${port}`, 'user-agent': 'Bursar' })
    expect(asked).toEqual(['a.ok'])
  })

  test('tries the next address when the first takes no connection, and asks nobody twice', async () => {
    let asked = 0
    const port = serve(() => {
      asked += 1
      return new Response('ok')
    })
    const outbound = createOutbound({ allow: ['a.ok'], resolve: async () => ['127.0.0.2', '127.0.0.1'] })
    expect(await outbound.request(`http://a.ok:${port}/`, patient)).toMatchObject({ status: 200, text: 'ok' })
    expect(asked).toBe(1)
  })

  test('bytes go as they are, and an error status is an answer', async () => {
    const port = serve(async (request) => new Response(await request.bytes(), { status: 502, headers: { 'x-a': 'b' } }))
    const body = new TextEncoder().encode('bytes')
    const answer = await loopback(port).request(`http://a.ok:${port}/`, { ...patient, method: 'PUT', body })
    expect(answer).toMatchObject({ status: 502, text: 'bytes' })
    expect(answer.headers.get('x-a')).toBe('b')
  })
})

describe('what is refused', () => {
  const outbound = createOutbound({ allow: [], resolve: async () => ['8.8.8.8', '127.0.0.1'] })

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://one-of-its-addresses-is-private.test/',
  ])('%s is blocked', async (url) => {
    expect(await refusal(outbound.request(url, patient))).toMatchObject({ name: 'OutboundError', reason: 'blocked' })
  })

  test.each(['', 'nonsense', 'ftp://a.test/', 'file:///etc/passwd', 'http://user:pass@a.test/', 'http://user@a.test/'])(
    '"%s" is an invalid URL',
    async (url) => {
      expect(await refusal(outbound.request(url, patient))).toMatchObject({ reason: 'invalid-url' })
    },
  )

  test('a header that cannot be sent is refused without its value', async () => {
    const error = await refusal(outbound.request('http://a.test/', { ...patient, headers: { key: 'secret\r\nx: y' } }))
    expect(error.reason).toBe('invalid-url')
    expect(error.message).not.toContain('secret')
  })
})

describe('redirects', () => {
  const to = (location: string, status = 302) => new Response(null, { status, headers: { location } })

  test('to an allowed host is followed, without the headers that may hold a key', async () => {
    const end = serve(echo)
    const start = serve(() => to(`http://b.ok:${end}/end`, 307))
    const headers = { authorization: 'Bearer k', cookie: 'k', 'x-any-key': 'k', accept: 'text/json' }
    const request: OutboundRequest = { ...patient, method: 'POST', headers, body: 'x' }
    const seen = JSON.parse((await loopback(start, end).request(`http://a.ok:${start}/`, request)).text)
    expect(seen).toMatchObject({ method: 'POST', url: `http://b.ok:${end}/end`, body: 'x' })
    expect(JSON.stringify(seen.headers)).not.toContain('"k"')
    expect(seen.headers).toMatchObject({ accept: 'text/json' })
    expect(seen.headers.authorization).toBeUndefined()
    expect(seen.headers.cookie).toBeUndefined()
  })

  test('to another port of the same host is another origin', async () => {
    const end = serve(echo)
    const start = serve(() => to(`http://a.ok:${end}/end`, 307))
    const request = { ...patient, headers: { authorization: 'Bearer k' } }
    const seen = JSON.parse((await loopback(start, end).request(`http://a.ok:${start}/`, request)).text)
    expect(seen.headers.authorization).toBeUndefined()
  })

  test('inside the same origin keeps them, and a 303 turns into GET', async () => {
    const port = serve((request) => (request.url.endsWith('/end') ? echo(request) : to('/end', 303)))
    const request = { ...patient, method: 'POST', headers: { authorization: 'k', 'content-type': 'text/x' }, body: 'x' }
    const seen = JSON.parse((await loopback(port).request(`http://a.ok:${port}/`, request)).text)
    expect(seen).toMatchObject({ method: 'GET', body: '', headers: { authorization: 'k' } })
    expect(seen.headers['content-type']).toBeUndefined()
  })

  test.each(['http://private.test/', 'http://127.0.0.1/', 'http://[::1]/'])('to %s is blocked', async (location) => {
    const port = serve(() => to(location))
    expect(await refusal(loopback(port).request(`http://a.ok:${port}/`, patient))).toMatchObject({ reason: 'blocked' })
  })

  test('to another scheme or with a password is an invalid URL', async () => {
    for (const location of ['file:///etc/passwd', 'http://u:p@b.ok/']) {
      const port = serve(() => to(location))
      const error = await refusal(loopback(port).request(`http://a.ok:${port}/`, patient))
      expect(error.reason).toBe('invalid-url')
    }
  })

  test('are followed three times and no more; not at all when told so', async () => {
    let asked = 0
    const port = serve(() => {
      asked += 1
      return to('/again')
    })
    const error = await refusal(loopback(port).request(`http://a.ok:${port}/`, patient))
    expect(error).toMatchObject({ reason: 'unreachable' })
    expect(asked).toBe(4)
    const answer = await loopback(port).request(`http://a.ok:${port}/`, { ...patient, maxRedirects: 0 })
    expect(answer.status).toBe(302)
  })
})

describe('limits', () => {
  test('a body over the cap is broken off, announced or not, packed or not', async () => {
    const big = 'x'.repeat(3000)
    const chunks = () =>
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(500))
        },
      })
    const packed = { headers: { 'content-encoding': 'gzip' } }
    const answers = [
      () => new Response(big),
      () => new Response(chunks()),
      () => new Response(Bun.gzipSync(big.repeat(1000)), packed),
    ]
    for (const answer of answers) {
      const port = serve(answer)
      const error = await refusal(loopback(port).request(`http://a.ok:${port}/`, { ...patient, maxBytes: 2000 }))
      expect(error.reason).toBe('too-large')
    }
  })

  test('one byte over the cap is broken off, also when it comes in pieces', async () => {
    const pieces = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(1500).fill(97))
          controller.enqueue(new Uint8Array(501).fill(97))
          controller.close()
        },
      })
    const port = serve(() => new Response(pieces()))
    const ask = (maxBytes: number) => loopback(port).request(`http://a.ok:${port}/`, { ...patient, maxBytes })
    expect((await refusal(ask(2000))).reason).toBe('too-large')
    expect((await ask(2001)).text.length).toBe(2001)
  })

  test('a body of exactly the cap is read, across characters cut by the network', async () => {
    const port = serve(
      () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              for (const byte of new TextEncoder().encode('é€')) controller.enqueue(new Uint8Array([byte]))
              controller.close()
            },
          }),
        ),
    )
    expect((await loopback(port).request(`http://a.ok:${port}/`, { ...patient, maxBytes: 5 })).text).toBe('é€')
  })

  test('the time counts for the name, the answer and the body', async () => {
    const never = new Promise<never>(() => {})
    const silent = serve(() => never)
    const slowBody = serve(() => new Response(new ReadableStream({ pull: () => never })))
    const noName = createOutbound({ allow: ['a.ok'], resolve: () => never })
    const works = [
      noName.request('http://a.ok/', { timeoutMs: 60 }),
      loopback(silent).request(`http://a.ok:${silent}/?key=secret`, { timeoutMs: 60 }),
      loopback(slowBody).request(`http://a.ok:${slowBody}/`, { timeoutMs: 60 }),
    ]
    for (const error of await Promise.all(works.map(refusal))) {
      expect(error.reason).toBe('timeout')
      expect(error.message).not.toContain('secret')
    }
  })

  test('the caller can break off, and gets its own reason back', async () => {
    const silent = serve(() => new Promise<never>(() => {}))
    const stop = new AbortController()
    const work = refusal(loopback(silent).request(`http://a.ok:${silent}/`, { ...patient, signal: stop.signal }))
    stop.abort(new Error('stopped'))
    expect((await work).message).toBe('stopped')
  })
})

test('a host without a name, a closed port and a broken connection are unreachable, and say no more than the host', async () => {
  const noName = createOutbound({
    allow: [],
    resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
  })
  const port = await freePort()
  const hangUp = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: (socket) => void socket.end() } })
  const failures = [
    [await refusal(noName.request('http://a.ok/x?key=secret', patient)), 'ENOTFOUND'],
    [await refusal(loopback(port).request(`http://a.ok:${port}/x?key=secret`, patient)), 'ECONNREFUSED'],
    [await refusal(loopback(hangUp.port).request(`http://a.ok:${hangUp.port}/x?key=secret`, patient)), 'ECONNRESET'],
  ] as const
  hangUp.stop(true)
  for (const [error, code] of failures) {
    expect(error).toMatchObject({ reason: 'unreachable', code })
    expect(error.message).toStartWith('a.ok')
    expect(error.message).not.toContain('secret')
  }
})
