import { describe, expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { never, participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'

/** Requests whose first attempt is over; with that attempt. */
const afterOne = (hooks: Webhooks, id: string) =>
  until(async () => (await hooks.attempts(id))[0], { what: 'the first attempt' })

/** No retry comes while the test looks. */
async function firstAttempt(url: string, env: Record<string, string> = {}) {
  const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '24h', ...env } })
  await hooks.endpoint(url)
  hooks.deliver()
  const id = await hooks.request()
  return { hooks, id, attempt: await afterOne(hooks, id) }
}

/** A server that speaks as it likes. */
function raw(answer: string, { end = false } = {}) {
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write(answer)
        if (end) socket.end()
      },
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}

describe('a receiver', () => {
  test.each([200, 201, 202, 204, 299])('that answers %d has accepted it', async (status) => {
    const to = receiver(() => new Response(status === 204 ? null : 'thanks', { status }))
    const { hooks, id, attempt } = await firstAttempt(to.url)
    await hooks.reached(id, 'delivered')
    expect(attempt).toMatchObject({ httpStatus: status, error: null, answer: status === 204 ? '' : 'thanks' })
    expect(attempt.durationMs).toBeGreaterThanOrEqual(0)
  })

  test.each([304, 400, 401, 404, 500, 503])('that answers %d has not', async (status) => {
    const to = receiver(() => new Response(null, { status }))
    const { hooks, id, attempt } = await firstAttempt(to.url)
    expect(attempt).toMatchObject({ httpStatus: status, error: `The receiver answered ${status}` })
    expect(await hooks.status(id)).toMatchObject({ status: 'pending_retry', attemptCount: 1, httpStatus: status })
  })

  test.each([301, 302, 303, 307, 308])('that redirects (%d) is not followed, whatever the location', async (status) => {
    const secret = receiver()
    for (const location of [secret.url, 'http://169.254.169.254/latest/meta-data', '/elsewhere']) {
      const to = receiver(() => new Response(null, { status, headers: { location } }))
      const { attempt } = await firstAttempt(to.url)
      expect(attempt).toMatchObject({
        httpStatus: status,
        error: `The receiver answered ${status}: redirects are not followed`,
      })
      expect(to.requests).toHaveLength(1)
    }
    expect(secret.requests).toHaveLength(0)
  })

  test('that is too slow has not', async () => {
    const to = receiver(never)
    const { attempt } = await firstAttempt(to.url, { WEBHOOK_TIMEOUT_MS: '50' })
    expect(attempt).toMatchObject({ httpStatus: null, answer: null })
    expect(attempt.error).toMatch(/^127\.0\.0\.1:\d+ did not answer within 50 ms$/)
  })

  test('that refuses the connection has not', async () => {
    const { attempt } = await firstAttempt('http://127.0.0.1:9/')
    expect(attempt.error).toMatch(/could not be reached \(ECONNREFUSED\)$/)
  })

  test('that closes the connection in mid-answer has not', async () => {
    const to = raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans', { end: true })
    const { attempt } = await firstAttempt(to.url)
    to.stop()
    expect(attempt).toMatchObject({ httpStatus: 200 })
    expect(attempt.error).toMatch(/broke its answer off/)
  })

  test('that stops in mid-answer has not', async () => {
    const to = raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    const env = { WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_RETRY_SCHEDULE: Array(9).fill('1ms').join() }
    const { hooks, id } = await firstAttempt(to.url, env)
    // An attempt may end before the beginning of the answer is read; the next one is for that.
    const begun = async () => (await hooks.attempts(id)).find(({ httpStatus }) => httpStatus !== null)
    const attempt = await until(begun, { what: 'an attempt that an answer began' })
    to.stop()
    expect(attempt).toMatchObject({ httpStatus: 200, answer: 'half' })
    expect(attempt.error).toMatch(/did not answer within 1000 ms/)
  })

  test('that answers without end has accepted it, and 1 KB is kept', async () => {
    let stopped = 0
    const to = receiver(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(700).fill(97)),
            cancel: () => {
              stopped += 1
            },
          }),
        ),
    )
    const { hooks, id, attempt } = await firstAttempt(to.url)
    await hooks.reached(id, 'delivered')
    expect(attempt).toMatchObject({ httpStatus: 200, answer: 'a'.repeat(1024) })
    await until(() => stopped === 1)
  })

  test('with an address that is no longer public is not called', async () => {
    const to = receiver()
    const open = await testWebhooks()
    await open.endpoint(to.url)
    const id = await open.request()
    await open.close()
    const strict = await testWebhooks({ dataDir: open.dataDir, env: { OUTBOUND_ALLOW: '' } })
    strict.deliver()
    expect((await afterOne(strict, id)).error).toMatch(/is not a public address, and OUTBOUND_ALLOW does not list it$/)
    expect(to.requests).toHaveLength(0)
    // Fallback URLs come with the event, and are looked at as well.
    const fallback = await strict.request({ participantId: null, fallbackUrl: to.url })
    expect((await afterOne(strict, fallback)).error).toMatch(/is not a public address/)
    expect(to.requests).toHaveLength(0)
  })
})

test('a URL has at most 2048 bytes, however it is written', async () => {
  const hooks = await testWebhooks()
  const start = 'http://127.0.0.1:9/'
  // Random, so that a database that compresses what it indexes cannot make it fit.
  const signs = (count: number) =>
    start + String.fromCodePoint(...crypto.getRandomValues(new Uint16Array(count)).map((n) => 0x4e00 + (n % 20_000)))
  const longest = signs(676)
  const { id } = await hooks.endpoint(longest)
  for (const url of [signs(2000), `${longest}é`]) {
    const message = ['url must be at most 2048 bytes long']
    expect(refused(await hooks.post('/webhooks/endpoints', { participantId, url }), 400)).toEqual(message)
    expect(refused(await hooks.put(`/webhooks/endpoints/${id}`, { url }), 400)).toEqual(message)
  }
})

describe('410', () => {
  test('disables the endpoint: waiting and new deliveries fail until it is enabled', async () => {
    const hooks = await testWebhooks()
    const to = receiver(() => new Response('gone', { status: 410 }))
    const made = await hooks.endpoint(to.url)
    const ids = [await hooks.request(), await hooks.request(), await hooks.request()]
    hooks.deliver()
    for (const id of ids) await hooks.reached(id, 'failed')
    expect(await hooks.status(ids[0] ?? '')).toMatchObject({ lastError: 'The receiver answered 410', attemptCount: 1 })
    expect(await hooks.status(ids[2] ?? '')).toMatchObject({ lastError: 'endpoint disabled', attemptCount: 0 })
    expect(to.requests).toHaveLength(1)
    const state = async () => (await hooks.get(`/webhooks/endpoints/${made.id}`)).body.status
    expect(await state()).toBe('disabled')
    expect(await hooks.status(await hooks.request())).toMatchObject({
      status: 'failed',
      lastError: 'endpoint disabled',
    })
    to.answer(() => new Response('back'))
    const { status, body } = await hooks.post(`/webhooks/endpoints/${made.id}/enable`)
    expect([status, body.status, await state()]).toEqual([200, 'active', 'active'])
    await hooks.reached(await hooks.request(), 'delivered')
    expect((await hooks.get(`/webhooks/endpoints/${made.id}`)).body).toEqual(body)
  })

  test('of a URL that the endpoint has left does not disable it', async () => {
    const hooks = await testWebhooks()
    const answer = Promise.withResolvers<Response>()
    const [left, present] = [receiver(() => answer.promise), receiver()]
    const made = await hooks.endpoint(left.url)
    hooks.deliver()
    const id = await hooks.request()
    await until(() => left.requests.length === 1)
    await hooks.put(`/webhooks/endpoints/${made.id}`, { url: present.url })
    answer.resolve(new Response(null, { status: 410 }))
    await hooks.reached(id, 'failed')
    expect((await hooks.get(`/webhooks/endpoints/${made.id}`)).body.status).toBe('active')
    await hooks.reached(await hooks.request(), 'delivered')
  })

  test('of a fallback URL fails that delivery alone', async () => {
    const hooks = await testWebhooks()
    const to = receiver(() => new Response(null, { status: 410 }))
    hooks.deliver()
    const fields = { participantId: null, fallbackUrl: to.url }
    expect(await hooks.reached(await hooks.request(fields), 'failed')).toMatchObject({ attemptCount: 1 })
    to.answer(() => new Response())
    await hooks.reached(await hooks.request(fields), 'delivered')
  })
})

describe('429 with Retry-After', () => {
  const start = '2026-01-31T12:00:00.000Z'

  test.each([
    ['90', 90_000],
    ['Sat, 31 Jan 2026 12:01:30 GMT', 90_000],
    ['999999', 3_600_000],
  ])('%s is waited for by all deliveries to this receiver', async (retryAfter, waitMs) => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const to = receiver(() => new Response('slow down', { status: 429, headers: { 'retry-after': retryAfter } }))
    await hooks.endpoint(to.url)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await afterOne(hooks, id)
    to.answer(() => new Response('ok'))
    const next = await hooks.request()
    clock.advance(waitMs - 1)
    await quiet(worker)
    expect(to.requests).toHaveLength(1)
    clock.advance(1)
    await worker.wake()
    for (const each of [id, next]) await hooks.reached(each, 'delivered')
    expect(to.requests).toHaveLength(3)
  })
})

test('a pause that a receiver asks for is not ended by a new delivery', async () => {
  const clock = fixedClock('2026-01-31T12:00:00.000Z')
  const hooks = await testWebhooks({ now: clock })
  const late: string[] = []
  const to = receiver(async () => {
    if (late.length === 0) late.push(await hooks.request())
    return new Response(null, { status: 429, headers: { 'retry-after': '90' } })
  })
  await hooks.endpoint(to.url)
  const worker = hooks.deliver()
  const id = await hooks.request()
  await afterOne(hooks, id)
  await quiet(worker)
  expect(to.requests).toHaveLength(1)
  to.answer(() => new Response('ok'))
  clock.advance(90_000)
  await worker.wake()
  for (const each of [id, ...late]) await hooks.reached(each, 'delivered')
})

/** Waits until the worker has looked and has nothing under way. */
async function quiet(worker: { wake(): Promise<void>; idle?(): boolean }) {
  await worker.wake()
  await until(() => worker.idle?.())
}

describe('GET /webhooks/delivery/:deliveryId/attempts', () => {
  test('200, newest first, each with status, answer, duration and error', async () => {
    const clock = fixedClock('2026-01-31T12:00:00.000Z')
    const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '1s,1s' } })
    const to = receiver(() => new Response('not yet', { status: 500 }))
    await hooks.endpoint(to.url)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await afterOne(hooks, id)
    to.answer(() => new Response('x'.repeat(5000), { status: 200 }))
    clock.advance(2000)
    await worker.wake()
    const { deliveryId } = await hooks.reached(id, 'delivered')
    expect(await hooks.attempts(id)).toEqual([
      {
        id: expect.any(String),
        startedAt: '2026-01-31T12:00:02.000Z',
        durationMs: expect.any(Number),
        httpStatus: 200,
        request: { url: to.url, headers: expect.any(Object) },
        answer: 'x'.repeat(1024),
        error: null,
      },
      {
        id: expect.any(String),
        startedAt: '2026-01-31T12:00:00.000Z',
        durationMs: expect.any(Number),
        httpStatus: 500,
        request: { url: to.url, headers: expect.any(Object) },
        answer: 'not yet',
        error: 'The receiver answered 500',
      },
    ])
    const page = await hooks.get(`/webhooks/delivery/${deliveryId}/attempts?limit=1`)
    expect(page.body).toHaveLength(1)
    expect((await hooks.get(`/webhooks/delivery/${deliveryId}`)).body).toEqual(await hooks.status(id))
  })

  test('404', async () => {
    const hooks = await testWebhooks()
    const id = '01a1fe8f-0000-7000-8000-000000000000'
    expect(refused(await hooks.get(`/webhooks/delivery/${id}/attempts`), 404)).toEqual(['Delivery not found'])
    refused(await hooks.get(`/webhooks/delivery/${id}`), 404)
  })
})
