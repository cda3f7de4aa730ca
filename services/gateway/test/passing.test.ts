import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, refused, type TestGateway } from './harness'
import { echo } from './peers'
import { rawServer } from './raw'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const withKey = { 'x-api-key': 'sk_test_passing' }
const path = '/quote/v1/assets'

let gateway: TestGateway
/** Answers nothing by itself: each test says what it does. */
let onData: Parameters<typeof rawServer>[0] = () => {}
const raw = rawServer((socket, got) => onData(socket, got))
beforeAll(async () => {
  gateway = await openGateway({ CORE_URL: raw.url })
  gateway.main.issue(withKey['x-api-key'], { participantId: bank })
})
afterAll(async () => {
  await gateway?.close()
  raw.stop()
})

describe('passed on', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s with its query, its body and its own headers',
    async (method) => {
      const own = { 'idempotency-key': 'once', accept: 'application/json', 'webhook-signature': 'v1,x' }
      const sent = method === 'GET' ? undefined : { name: 'Café', amount: '1.50' }
      const { status, body } = await gateway.ask(method, `${path}?limit=1&x=%2F%20ö`, sent, { ...withKey, ...own })
      expect(status).toBe(200)
      expect([body.method, body.path]).toEqual([method, '/v1/assets?limit=1&x=%2F%20%C3%B6'])
      expect(body.body).toBe(sent ? JSON.stringify(sent) : '')
      expect(body.headers).toMatchObject(own)
      if (sent) expect(body.headers['content-type']).toBe('application/json')
    },
  )

  test('the answer as it is: status, headers and body, even of an error in another shape', async () => {
    const answered = { statusCode: 409, message: 'Asset code is taken', error: 'Conflict' }
    gateway.quote.answer(() =>
      Response.json(answered, { status: 409, headers: { 'idempotent-replayed': 'true', allow: 'GET' } }),
    )
    const { status, headers, body } = await gateway.post(path, {}, withKey)
    expect([status, body, headers.get('idempotent-replayed'), headers.get('allow')]).toEqual([
      409,
      answered,
      'true',
      'GET',
    ])
    gateway.quote.answer(echo)
  })

  test('HEAD has no body, and the length that GET would have', async () => {
    const { status, body, headers } = await gateway.ask('HEAD', path, undefined, withKey)
    expect([status, body]).toEqual([200, undefined])
    expect(gateway.quote.requests.at(-1)?.method).toBe('HEAD')
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('redirects are passed on, not followed', async () => {
    gateway.quote.answer(() => new Response(null, { status: 303, headers: { location: '/v1/elsewhere' } }))
    const response = await fetch(gateway.url + path, { headers: withKey, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/v1/elsewhere'])
    gateway.quote.answer(echo)
  })

  test('no hop-by-hop header', async () => {
    onData = (socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nConnection: x-own\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\nX-Own: 1\r\nContent-Length: 2\r\n\r\nok',
      )
    }
    const { status, body, headers } = await gateway.get('/core/v1/assets', withKey)
    expect([status, body]).toEqual([200, 'ok'])
    for (const name of ['keep-alive', 'proxy-authenticate', 'x-own'])
      expect([name, headers.get(name)]).toEqual([name, null])
  })
})

describe('x-request-id', () => {
  test('a valid one is passed on and answered', async () => {
    const { headers, body } = await gateway.get(path, { ...withKey, 'x-request-id': 'req-7f3a' })
    expect([headers.get('x-request-id'), body.headers['x-request-id']]).toEqual(['req-7f3a', 'req-7f3a'])
  })

  test.each(['', 'with space', 'x'.repeat(129), 'ö'])('"%s" is replaced', async (given) => {
    const { headers, body } = await gateway.get(path, { ...withKey, 'x-request-id': given })
    expect(body.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-request-id')).toBe(body.headers['x-request-id'])
  })

  test('is in the gateway’s own errors', async () => {
    const { headers, body } = await gateway.get(path, { 'x-request-id': 'req-401' })
    expect([headers.get('x-request-id'), body.error.requestId]).toEqual(['req-401', 'req-401'])
  })
})

describe('streams, in both directions', () => {
  test('an answer reaches the caller while the service still writes it', async () => {
    let output: ReadableStreamDefaultController<Uint8Array> | undefined
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        output = controller
      },
    })
    gateway.quote.answer(() => new Response(source, { headers: { 'content-type': 'text/event-stream' } }))
    const put = (text: string) => output?.enqueue(new TextEncoder().encode(text))
    put('data: 1\n\n')
    const response = await fetch(gateway.url + path, { headers: withKey })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    for (const text of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(text)
      put(`data: ${Number(text[6]) + 1}\n\n`)
    }
    await reader.cancel()
    gateway.quote.answer(echo)
  })

  test('a large body reaches the service while the caller still sends it', async () => {
    const half = 'x'.repeat(100_000)
    let got = ''
    let finish = () => {}
    onData = (socket, text) => {
      got += text
      if (got.includes('y'.repeat(1000)))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone')
    }
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(half))
        finish = () => {
          controller.enqueue(new TextEncoder().encode('y'.repeat(2000)))
          controller.close()
        }
      },
    })
    const answer = fetch(`${gateway.url}/core/v1/assets`, { method: 'POST', body, headers: withKey })
    await until(() => got.includes('x'.repeat(1000)), { what: 'the first half to arrive' })
    finish()
    expect(await (await answer).text()).toBe('done')
  })
})

describe('413: a body that is too large', () => {
  const mebibyte = 1024 * 1024
  const filled = (bytes: number) => JSON.stringify({ x: 'x'.repeat(bytes - 8) })

  test('exactly 1 MiB is passed on, one byte more is refused before it is sent on', async () => {
    expect((await gateway.post(path, filled(mebibyte), withKey)).status).toBe(200)
    const before = gateway.quote.requests.length
    expect(refused(await gateway.post(path, filled(mebibyte + 1), withKey), 413).code).toBe('PAYLOAD_TOO_LARGE')
    expect(gateway.quote.requests.length).toBe(before)
  })

  test('even without a content length', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
    let chunks = 0
    const body = new ReadableStream({
      pull: (controller) => (chunks++ < 40 ? controller.enqueue(chunk) : controller.close()),
    })
    const response = await fetch(gateway.url + path, { method: 'POST', body, headers: withKey })
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
  })

  test('documents may have up to 11 MiB', async () => {
    const token = await gateway.user({ participantId: bank })
    for (const place of [`/main/v1/admin/pfi/${bank}/documents`, `/main/v1/participants/${bank}/documents`]) {
      expect((await gateway.post(place, filled(10 * mebibyte), { ...withKey, ...token })).status).toBe(200)
      const refusal = await gateway.post(place, filled(11 * mebibyte + 1), { ...withKey, ...token })
      expect(refused(refusal, 413).message).toBe('The body is larger than 11 MiB')
    }
  })
})

test.each([
  ['of a known length', 'Content-Length: 7', ['7', null]],
  ['that is streamed', 'Transfer-Encoding: chunked', [null, 'chunked']],
])('HEAD tells the length of an answer %s', async (_, line, expected) => {
  onData = (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`)
  const { headers } = await gateway.ask('HEAD', '/core/v1/assets', undefined, withKey)
  expect([headers.get('content-length'), headers.get('transfer-encoding')]).toEqual(expected)
})

describe('a service that fails', () => {
  const ask = (method = 'GET', of: Pick<TestGateway, 'ask'> = gateway) =>
    of.ask(method, '/core/v1/assets', method === 'GET' ? undefined : {}, withKey)
  /** It alone: a large body may take longer on a busy machine. */
  const hurried = () => gateway.another({ UPSTREAM_TIMEOUT_MS: '1500' })

  test('refuses the connection: 503 SERVICE_UNAVAILABLE', async () => {
    expect(refused(await gateway.get('/wallet/v1/wallets', withKey), 503).code).toBe('SERVICE_UNAVAILABLE')
    expect(refused(await gateway.post('/wallet/v1/wallets/accounts', {}, withKey), 503).code).toBe(
      'SERVICE_UNAVAILABLE',
    )
  })

  test.each([
    ['hangs up', ''],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['breaks off in its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ])('%s: 502 UPSTREAM_ERROR', async (_, text) => {
    onData = (socket) => {
      socket.write(text)
      socket.end()
    }
    expect(refused(await ask(), 502).code).toBe('UPSTREAM_ERROR')
  })

  test('a POST that was sent is never sent again', async () => {
    // The first answer leaves a connection behind that is used again, and then closed.
    let count = 0
    onData = (socket) => {
      count += 1
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else socket.end()
    }
    raw.received.length = 0
    expect((await ask('POST')).status).toBe(200)
    expect(refused(await ask('POST'), 502).code).toBe('UPSTREAM_ERROR')
    expect(raw.received.filter((text) => text.startsWith('POST ')).length).toBe(2)
  })

  test('does not answer in time: 504 UPSTREAM_TIMEOUT, and its connection is closed', async () => {
    onData = () => {}
    const closed = raw.closed()
    expect(refused(await ask('POST', await hurried()), 504).code).toBe('UPSTREAM_TIMEOUT')
    await until(() => raw.closed() > closed, { what: 'the connection to be closed' })
  })

  test('an answer that began in time may take longer', async () => {
    onData = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no')
      setTimeout(() => socket.write('k'), 1800)
    }
    const { get } = await hurried()
    // On a busy machine one may begin too late.
    const inTime = async () => {
      const { status, body } = await get('/core/v1/assets', withKey)
      return status === 200 && body
    }
    expect(await until(inTime, { what: 'an answer that begins in time' })).toBe('ok')
  })

  test('aborts its body: the caller’s connection is aborted too, so the answer does not look complete', async () => {
    onData = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
      socket.end()
    }
    const whole = fetch(`${gateway.url}/core/v1/assets`, { headers: withKey }).then((response) => response.text())
    expect(
      await whole.then(
        () => 'whole',
        () => 'broken',
      ),
    ).toBe('broken')
  })
})

describe('a caller that hangs up', () => {
  test('before the answer: the service’s connection is closed', async () => {
    let own: Parameters<Parameters<typeof rawServer>[0]>[0] | undefined
    onData = (socket) => {
      own = socket
    }
    const stop = new AbortController()
    const answer = fetch(`${gateway.url}/core/v1/assets`, { headers: withKey, signal: stop.signal }).catch(() => 'gone')
    await until(() => own, { what: 'the service to be asked' })
    stop.abort()
    expect(await answer).toBe('gone')
    await until(() => own?.isClosed(), { what: 'the service’s connection to be closed' })
  })

  test('while it is answered: the service’s stream is cancelled', async () => {
    let isCancelled = false
    gateway.quote.answer(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
            cancel() {
              isCancelled = true
            },
          }),
        ),
    )
    const stop = new AbortController()
    const response = await fetch(gateway.url + path, { headers: withKey, signal: stop.signal })
    await (response.body as ReadableStream).getReader().read()
    stop.abort()
    await until(() => isCancelled, { what: 'the stream to be cancelled' })
    gateway.quote.answer(echo)
  })
})
