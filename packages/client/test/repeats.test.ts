import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Handler, LocalServer } from '@bursar/testing'
import { BursarError } from '../src/errors'
import { answer, clientOf, gateway, patientWorld, refusal } from './gateway'

const withdrawalPath = '/core/v1/transactions/withdrawal'
const body = { accountId: 'a', network: 'base', assetId: 'u', amount: '1', destinationAddress: 'x' }
const done = answer(201, { id: 'w-1' })
const away = answer(503, refusal('SERVICE_UNAVAILABLE'))

let server: LocalServer | undefined
const serve = (...handlers: [Handler, ...Handler[]]): LocalServer => {
  server = gateway(...handlers)
  return server
}
afterEach(() => server?.stop())

const failureOf = async (call: Promise<unknown>): Promise<BursarError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(BursarError)
  return error as BursarError
}
const keysOf = ({ requests }: LocalServer) => requests.map(({ headers }) => headers.get('idempotency-key'))

describe('what is sent again', () => {
  test('a payment after 502, 503 and 504, under one key that the client made', async () => {
    const to = serve(answer(502, refusal('UPSTREAM_ERROR')), away, answer(504, refusal('UPSTREAM_TIMEOUT')), done)
    const { data, attempts, status } = await clientOf(to.url).send('post', withdrawalPath, { body })
    expect([attempts, status, data]).toMatchObject([4, 201, { id: 'w-1' }])
    const keys = keysOf(to)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(to.requests.map((each) => each.body))).toEqual(new Set([JSON.stringify(body)]))
    expect(new Set(to.requests.map(({ headers }) => headers.get('x-request-id'))).size).toBe(1)
  })

  test('two calls have two keys; a given key is used as it is', async () => {
    const to = serve(done)
    const bursar = clientOf(to.url)
    await bursar.post(withdrawalPath, { body })
    await bursar.post(withdrawalPath, { body })
    await bursar.post(withdrawalPath, { body, idempotencyKey: 'payout-204' })
    const [one, two, three] = keysOf(to)
    expect(one).not.toBe(two)
    expect(new Set(to.requests.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3)
    expect(three).toBe('payout-204')
  })

  test('nothing that cannot be sent: it is refused at once, and not taken for a lost answer', async () => {
    const to = serve(done)
    const bursar = clientOf(to.url)
    for (const idempotencyKey of ['', 'two words', 'line\n', '✓', 'x'.repeat(256)])
      await expect(bursar.post(withdrawalPath, { body, idempotencyKey })).rejects.toThrow(
        new TypeError(`POST ${withdrawalPath}: an idempotency key is 1 to 255 visible ASCII characters`),
      )
    for (const name of ['Idempotency-Key', 'x-idempotency-key']) {
      const params = { header: { [name]: 'payout-204' } }
      await expect(bursar.post(withdrawalPath, { body, params })).rejects.toThrow('is given as `idempotencyKey`')
    }
    const unsendable = { ...body, amount: 10n as unknown as string }
    await expect(bursar.post(withdrawalPath, { body: unsendable })).rejects.toBeInstanceOf(TypeError)
    await expect(clientOf('nowhere').get('/core/v1/assets')).rejects.toBeInstanceOf(TypeError)
    await bursar.post(withdrawalPath, { body, idempotencyKey: 'x'.repeat(255) })
    expect(to.requests).toHaveLength(1)
  })

  test('a read, without a key', async () => {
    const to = serve(away, answer(200, []))
    expect(await clientOf(to.url).get('/core/v1/assets')).toEqual([])
    expect(keysOf(to)).toEqual([null, null])
  })

  test('any request that a limit refused', async () => {
    const to = serve(answer(429, refusal('RATE_LIMITED'), { 'retry-after': '2' }), answer(200, {}))
    const world = patientWorld()
    await clientOf(to.url, { world }).put('/account/v1/accounts/{id}', {
      params: { path: { id: 'a' } },
      body: { status: 'active' },
    })
    expect(to.requests).toHaveLength(2)
    expect(world.pauses).toEqual([2250])
  })

  test('a payment that is still under way, once its answer was lost', async () => {
    const to = serve(answer(504, refusal('UPSTREAM_TIMEOUT')), answer(409, refusal('CONFLICT')), done)
    expect((await clientOf(to.url).send('post', withdrawalPath, { body })).attempts).toBe(3)
  })

  test('a payment whose key another call uses right now: the answer of that one', async () => {
    const running = answer(409, refusal('CONFLICT'), { 'retry-after': '1' })
    const to = serve(running, done)
    expect((await clientOf(to.url).send('post', withdrawalPath, { body, idempotencyKey: 'payout-204' })).attempts).toBe(
      2,
    )
    const failure = await failureOf(clientOf(serve(running).url).post(withdrawalPath, { body }))
    expect(failure).toMatchObject({ status: 409, isUncertain: true })
  })
})

describe('what is sent once', () => {
  test.each([400, 401, 403, 404, 409, 413, 422, 500])('a payment that is answered with %d', async (status) => {
    const to = serve(answer(status, refusal('X')))
    const failure = await failureOf(clientOf(to.url).post(withdrawalPath, { body }))
    expect([failure.status, failure.isUncertain]).toEqual([status, status === 500])
    expect(to.requests).toHaveLength(1)
  })

  test('a write without a key whose service is away', async () => {
    const to = serve(away)
    const put = clientOf(to.url).put('/account/v1/accounts/{id}', {
      params: { path: { id: 'a' } },
      body: { status: 'active' },
    })
    expect(await failureOf(put)).toMatchObject({ status: 503, isUncertain: true, idempotencyKey: null })
    const logIn = clientOf(to.url).post('/identity/v1/auth/login', { body: { email: 'a', password: 'b' } })
    expect(await failureOf(logIn)).toMatchObject({ status: 503, idempotencyKey: null })
    expect(to.requests).toHaveLength(2)
  })

  test('a key for a route that takes none is refused before anything is sent', async () => {
    const to = serve(done)
    const call = clientOf(to.url).put('/account/v1/accounts/{id}', {
      params: { path: { id: 'a' } },
      body: { status: 'active' },
      idempotencyKey: 'k',
    })
    await expect(call).rejects.toThrow('takes no idempotency key')
    expect(to.requests).toHaveLength(0)
  })
})

describe('how long it goes on', () => {
  test('five times, with pauses that double', async () => {
    const to = serve(away)
    const world = patientWorld()
    expect((await failureOf(clientOf(to.url, { world }).get('/core/v1/assets'))).status).toBe(503)
    expect(world.pauses).toEqual([250, 500, 1000, 2000])
    expect(to.requests).toHaveLength(5)
  })

  test('with a random part of each pause, and all that the server asks for', async () => {
    const to = serve(away, answer(503, refusal('SERVICE_UNAVAILABLE'), { 'retry-after': '3' }), away)
    const world = patientWorld(() => 0.5)
    await failureOf(clientOf(to.url, { world }).get('/core/v1/assets'))
    expect(world.pauses).toEqual([125, 3250, 500, 1000])
  })

  test('a wait that is longer than its patience fails at once, and says how long', async () => {
    const to = serve(answer(429, refusal('RATE_LIMITED'), { 'retry-after': '300' }))
    const world = patientWorld()
    expect(await failureOf(clientOf(to.url, { world }).get('/core/v1/assets'))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 300_000,
    })
    expect([world.pauses, to.requests.length]).toEqual([[], 1])
  })

  test('all waits together', async () => {
    const to = serve(answer(429, refusal('RATE_LIMITED'), { 'retry-after': '25' }))
    const world = patientWorld()
    await failureOf(clientOf(to.url, { world, repeats: { attempts: 100 } }).get('/core/v1/assets'))
    expect(to.requests).toHaveLength(3)
  })

  test('a date in Retry-After counts from the server’s clock, however wrong this one is', async () => {
    const headers = { date: 'Thu, 01 Jan 1998 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 1998 00:00:04 GMT' }
    const to = serve(answer(503, {}, headers), answer(200, []))
    const world = patientWorld(() => 0)
    await clientOf(to.url, { world }).get('/core/v1/assets')
    expect(world.pauses).toEqual([4000])
  })

  test.each(['soon', '-5', '1e9', '99999999999999', 'NaN', ''])('Retry-After %j is no time', async (text) => {
    const to = serve(answer(503, {}, { 'retry-after': text }), answer(200, []))
    const world = patientWorld(() => 0)
    await clientOf(to.url, { world }).get('/core/v1/assets')
    expect(world.pauses).toEqual([0])
  })

  test('a signal ends it, also between two attempts', async () => {
    const to = serve(away)
    const caller = new AbortController()
    const world = patientWorld()
    const waiting = { ...world, sleep: async () => caller.abort(new Error('enough')) }
    const call = clientOf(to.url, { world: waiting }).get('/core/v1/assets', { signal: caller.signal })
    await expect(call).rejects.toThrow('enough')
    expect(to.requests).toHaveLength(1)
  })
})

/** A server that does to connections what no handler of a well-kept one can. */
const rawServer = async (onRequest: Parameters<typeof createServer>[1] & {}): Promise<{ url: string; raw: Server }> => {
  const raw = createServer(onRequest)
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}`, raw }
}

describe('lost answers', () => {
  test.each(['before its first byte', 'in the middle of its body'])('a connection that ends %s', async (where) => {
    const keys: unknown[] = []
    const { url, raw } = await rawServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      if (keys.length > 1) return void response.writeHead(201, { connection: 'close' }).end('{"id":"w-1"}')
      if (where === 'before its first byte') return void request.socket.destroy()
      response.writeHead(201, { 'content-length': '100' }).write('{"id":')
      setImmediate(() => request.socket.destroy())
    })
    try {
      expect(await clientOf(url).send('post', withdrawalPath, { body })).toMatchObject({ attempts: 2 })
      expect([keys.length, keys[0] === keys[1]]).toEqual([2, true])
      keys.length = 0
      const put = clientOf(url).put('/account/v1/accounts/{id}', {
        params: { path: { id: 'a' } },
        body: { status: 'active' },
      })
      expect(await failureOf(put)).toMatchObject({ status: 0, code: 'NO_ANSWER', isUncertain: true })
      expect(keys).toHaveLength(1)
    } finally {
      raw.closeAllConnections()
      raw.close()
    }
  })

  test('an answer that takes too long, by the time limit of the call', async () => {
    const { url, raw } = await rawServer((request) => void request.resume())
    try {
      const call = clientOf(url, { repeats: { attempts: 2 } }).get('/core/v1/assets', { timeoutMs: 50 })
      expect(await failureOf(call)).toMatchObject({
        message: 'GET /core/v1/assets: no usable answer came (it took too long)',
        isUncertain: false,
      })
    } finally {
      raw.closeAllConnections()
      raw.close()
    }
  })

  test('a call that its caller ends while it waits for an answer', async () => {
    const caller = new AbortController()
    const { url, raw } = await rawServer(() => caller.abort(new Error('enough')))
    try {
      const given = { params: { path: { id: 'a' } }, body: { status: 'active' }, signal: caller.signal } as const
      await expect(clientOf(url).put('/account/v1/accounts/{id}', given)).rejects.toThrow(/^enough$/)
    } finally {
      raw.closeAllConnections()
      raw.close()
    }
  })

  test.each(['<html>Welcome', ''])('a page, or nothing, in place of an answer: %j', async (text) => {
    const page: Handler = () => new Response(text, { status: 200 })
    const to = serve(page, done)
    expect((await clientOf(to.url).send('post', withdrawalPath, { body })).attempts).toBe(2)
  })

  test.each([400, 401, 403, 409, 429])(
    'what was lost stays uncertain when its repeat is answered with %d',
    async (status) => {
      const to = serve(answer(504, refusal('UPSTREAM_TIMEOUT')), answer(status, refusal('X')))
      const failure = await failureOf(clientOf(to.url).post(withdrawalPath, { body, idempotencyKey: 'payout-204' }))
      expect(failure).toMatchObject({ status, isUncertain: true, idempotencyKey: 'payout-204' })
    },
  )

  test.each(['accessToken', 'renew'] as const)(
    'what was lost is told, with its key, when %s fails then',
    async (what) => {
      const expired = answer(401, refusal('TOKEN_EXPIRED'))
      const to = serve(answer(504, refusal('UPSTREAM_TIMEOUT')), expired)
      const gone = () => Promise.reject(new Error('The session has ended'))
      const session = {
        accessToken: async () => (what === 'accessToken' && to.requests.length > 0 ? await gone() : 'a'),
        renew: gone,
      }
      const failure = await failureOf(clientOf(to.url, { session }).post(withdrawalPath, { body }))
      expect(failure).toMatchObject({ status: 504, isUncertain: true, idempotencyKey: keysOf(to)[0] })
      const nothingSent = serve(expired)
      await expect(
        clientOf(nothingSent.url, { session: { ...session, accessToken: gone } }).get('/core/v1/assets'),
      ).rejects.toThrow('The session has ended')
    },
  )
})
