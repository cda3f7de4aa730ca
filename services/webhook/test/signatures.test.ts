import { describe, expect, test } from 'bun:test'
import { sealedHeaders } from '@bursar/contracts/webhook'
import { fixedClock, type SeenRequest, until } from '@bursar/testing'
import { Webhook } from 'standardwebhooks'
import { storeEndpoint } from '../src/endpoints/endpoints'
import { participantId, receiver, testWebhooks, type Webhooks } from './harness'

/** As a receiver does it, with the library that the standard's authors give to receivers. */
const verified = (secret: string, { body, headers }: SeenRequest): unknown =>
  new Webhook(secret).verify(body, Object.fromEntries(headers))
const isVerified = (secret: string, request: SeenRequest): boolean => {
  try {
    verified(secret, request)
    return true
  } catch {
    return false
  }
}

/** An endpoint as it is stored. */
const blankEndpoint = (id: string, url: string) => ({
  id,
  participantId,
  url,
  eventTypes: [],
  status: 'active' as const,
  previousSecret: null,
  previousUntil: null,
  createdAt: new Date(),
  updatedAt: new Date(),
})

async function sent(hooks: Webhooks, to: ReturnType<typeof receiver>, fields = {}): Promise<SeenRequest> {
  await hooks.reached(await hooks.request(fields), 'delivered')
  const last = to.requests.at(-1)
  if (!last) throw new Error('Nothing was sent')
  return last
}

describe('a delivery', () => {
  test('is a POST of the payload that the standard’s library verifies', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const { secret } = await hooks.endpoint(`${to.url}/hook?tenant=7`)
    hooks.deliver()
    const payload = { type: 'x', timestamp: '2026-01-31T12:00:00Z', data: { text: 'Grüße \u2028 \ud83d\ude00 \ud800' } }
    const request = await sent(hooks, to, { payload })
    expect([request.method, request.path]).toEqual(['POST', '/hook?tenant=7'])
    expect(verified(secret, request)).toEqual(JSON.parse(JSON.stringify(payload)))
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(request.headers.get('webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  })

  test('is not verified with another secret, body or id', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const { secret } = await hooks.endpoint(to.url)
    const other = await hooks.endpoint('http://127.0.0.1:9/', { eventTypes: ['sanctions.hit'] })
    hooks.deliver()
    const request = await sent(hooks, to)
    expect(isVerified(secret, request)).toBe(true)
    expect(isVerified(other.secret, request)).toBe(false)
    expect(isVerified(secret, { ...request, body: `${request.body} ` })).toBe(false)
    const headers = new Headers(request.headers)
    headers.set('webhook-id', 'another')
    expect(isVerified(secret, { ...request, headers })).toBe(false)
  })

  test('each attempt has the same webhook-id, and its own timestamp and signature', async () => {
    const clock = fixedClock(new Date().toISOString())
    const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '60s' } })
    const to = receiver(() => new Response(null, { status: 503 }))
    const { secret } = await hooks.endpoint(to.url)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await until(async () => (await hooks.attempts(id)).length === 1)
    to.answer(() => new Response('ok'))
    clock.advance(72_000)
    await worker.wake()
    await hooks.reached(id, 'delivered')
    const [first, second] = to.requests
    if (!first || !second) throw new Error('There were two attempts')
    const of = (name: string) => [first.headers.get(name), second.headers.get(name)]
    expect(of('webhook-id')[0]).toBe(of('webhook-id')[1])
    expect(Number(of('webhook-timestamp')[1]) - Number(of('webhook-timestamp')[0])).toBe(72)
    expect([isVerified(secret, first), isVerified(secret, second)]).toEqual([true, true])
  })
})

describe('an attempt', () => {
  test('keeps its address and its signature, by which its body verifies, whatever becomes of the endpoint', async () => {
    const clock = fixedClock(new Date().toISOString())
    const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '60s' } })
    const [first, second] = [receiver(() => new Response(null, { status: 503 })), receiver()]
    const { id, secret } = await hooks.endpoint(`${first.url}/one`)
    const worker = hooks.deliver()
    const requestId = await hooks.request()
    await until(async () => (await hooks.attempts(requestId)).length === 1)
    const changed = await hooks.post(`/webhooks/endpoints/${id}/rotate-secret`)
    await hooks.put(`/webhooks/endpoints/${id}`, { url: `${second.url}/two` })
    clock.advance(72_000)
    await worker.wake()
    const { deliveryId } = await hooks.reached(requestId, 'delivered')
    const { body } = (await hooks.get(`/webhooks/deliveries/${deliveryId}`)).body
    const made = (await hooks.attempts(requestId)).map(({ request }) => request) as {
      url: string
      headers: Record<string, string>
    }[]
    expect(made.map(({ url }) => url)).toEqual([`${second.url}/two`, `${first.url}/one`])
    const [later, earlier] = made
    if (!later || !earlier) throw new Error('There were two attempts')
    expect(Object.keys(earlier.headers)).toEqual([
      'content-type',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
    for (const [shown, sent] of [
      [earlier, first.requests[0]],
      [later, second.requests[0]],
    ] as const) {
      for (const [name, value] of Object.entries(shown.headers)) expect(sent?.headers.get(name)).toBe(value)
      expect(sent?.body).toBe(body)
    }
    const verifies = (by: string, { headers }: typeof later) => {
      const at = { ...headers, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' }
      return isVerified(by, { body, headers: new Headers(at) } as SeenRequest)
    }
    expect([verifies(secret, earlier), verifies(changed.body.secret, earlier)]).toEqual([true, false])
    expect([verifies(secret, later), verifies(changed.body.secret, later)]).toEqual([true, true])
  })

  test('without a secret is shown unsigned; one whose secret cannot be read has no request', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    hooks.deliver()
    const unsigned = await hooks.request({ participantId: null, fallbackUrl: to.url })
    await hooks.reached(unsigned, 'delivered')
    const [attempt] = await hooks.attempts(unsigned)
    expect(attempt?.request).toMatchObject({ url: to.url })
    expect(attempt?.request).not.toHaveProperty('headers.webhook-signature')
    const lost = await hooks.endpoint(to.url)
    await hooks.deps.store.commit((tx) => storeEndpoint(tx, { ...blankEndpoint(lost.id, to.url), secret: 'broken' }))
    const id = await hooks.request()
    await hooks.reached(id, 'failed')
    expect((await hooks.attempts(id))[0]).toMatchObject({ request: null, error: expect.stringContaining('decrypted') })
  })
})

describe('after a rotation', () => {
  test('both secrets verify for 24 hours, then the new one alone', async () => {
    const clock = fixedClock(new Date().toISOString())
    const hooks = await testWebhooks({ now: clock })
    const to = receiver()
    const made = await hooks.endpoint(to.url)
    hooks.deliver()
    const { status, body } = await hooks.post(`/webhooks/endpoints/${made.id}/rotate-secret`)
    expect(status).toBe(200)
    expect(body.secret).not.toBe(made.secret)
    expect(body.previousSecretUntil).toBe(new Date(clock().getTime() + 86_400_000).toISOString())
    const both = await sent(hooks, to)
    expect(both.headers.get('webhook-signature')).toMatch(/^v1,\S+ v1,\S+$/)
    expect([isVerified(made.secret, both), isVerified(body.secret, both)]).toEqual([true, true])
    // The library refuses timestamps of other days, so these are verified as of now.
    clock.advance(86_400_000)
    const later = await sent(hooks, to)
    expect(later.headers.get('webhook-signature')).toMatch(/^v1,\S+$/)
    // A clock that is put back by a year does not revive the old secret.
    clock.advance(-2 * 86_400_000)
    expect((await sent(hooks, to)).headers.get('webhook-signature')).toMatch(/^v1,\S+$/)
    clock.advance(86_400_000)
    expect(isVerified(made.secret, await sent(hooks, to))).toBe(true)
  })

  test('a second rotation ends the first secret', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const made = await hooks.endpoint(to.url)
    hooks.deliver()
    const rotate = async () => (await hooks.post(`/webhooks/endpoints/${made.id}/rotate-secret`)).body.secret
    const [second, third] = [await rotate(), await rotate()]
    const request = await sent(hooks, to)
    expect([made.secret, second, third].map((secret) => isVerified(secret, request))).toEqual([false, true, true])
  })
})

describe('the caller’s headers', () => {
  const withHeaders = (hooks: Webhooks, requestId: string, headers: object) => ({
    requestId,
    headers: hooks.deps.sealFor(sealedHeaders).seal(JSON.stringify(headers), requestId),
  })

  test('are sent with the delivery, and never replace ours', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const { secret } = await hooks.endpoint(to.url)
    hooks.deliver()
    const headers = {
      Authorization: 'Bearer abc',
      'X-Count': 5,
      'x-object': {},
      'Webhook-Id': 'forged',
      'WEBHOOK-SIGNATURE': 'forged',
      'webhook-anything': 'forged',
      'Content-Type': 'text/plain',
      'User-Agent': 'forged',
      Host: 'forged.example',
      'Content-Length': '1',
    }
    const request = await sent(hooks, to, withHeaders(hooks, 'job-1', headers))
    expect(request.headers.get('authorization')).toBe('Bearer abc')
    expect(request.headers.get('x-count')).toBe('5')
    expect(request.headers.has('x-object')).toBe(false)
    expect([...request.headers.values()].join()).not.toContain('forged')
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(request.headers.get('user-agent')).toBe('Bursar')
    expect(isVerified(secret, request)).toBe(true)
  })

  test('fail the delivery with the reason if they cannot be decrypted or sent', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    await hooks.endpoint(to.url)
    hooks.deliver()
    const stolen = await hooks.request({ ...withHeaders(hooks, 'job-1', { a: 'b' }), requestId: 'job-2' })
    expect(await hooks.reached(stolen, 'failed')).toMatchObject({
      lastError: 'Its headers or the endpoint’s secret cannot be decrypted',
    })
    const unsendable = await hooks.request(withHeaders(hooks, 'job-3', { 'x-a': 'one\r\nx-b: two' }))
    const record = await hooks.reached(unsendable, 'failed')
    expect([record.attemptCount, record.lastError]).toEqual([1, 'The request has a header that cannot be sent'])
    expect(to.requests).toHaveLength(0)
  })
})

test('deliveries to a fallback URL are signed with WEBHOOK_FALLBACK_SECRET', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const hooks = await testWebhooks({ env: { WEBHOOK_FALLBACK_SECRET: secret } })
  const to = receiver()
  hooks.deliver()
  expect(isVerified(secret, await sent(hooks, to, { fallbackUrl: to.url, participantId: null }))).toBe(true)
  await expect(testWebhooks({ env: { WEBHOOK_FALLBACK_SECRET: 'whsec_short' } })).rejects.toThrow(
    'WEBHOOK_FALLBACK_SECRET',
  )
})
