// The token endpoint of OAuth 2.0 client credentials (RFC 6749, 4.4), and its metadata (RFC 8414).
import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, type TestGateway } from './harness'
import { ask, formOf as bodyOf, clientOf, form, type OAuthClient } from './oauth'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())
afterEach(() => setSystemTime())

const client = () => clientOf(gateway)
const post = (body: string, headers?: Record<string, string>) => ask(gateway, body, headers)
const basic = (id: string, secret: string) => ({
  ...form,
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const refusalOf = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

describe('the token endpoint', () => {
  test.each([
    ['in the body', (known: OAuthClient) => post(bodyOf(known))],
    ['by Basic', ({ id, secret }: OAuthClient) => post('grant_type=client_credentials', basic(id, secret))],
  ])('200 for a client that authenticates %s', async (_, ask) => {
    const known = client()
    const answer = await ask(known)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.headers.get('x-request-id')).not.toBeNull()
    expect(await answer.json()).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 600 })
  })

  test.each<[string, () => Promise<Response>, number, string]>([
    ['a wrong secret', () => post(bodyOf({ ...client(), secret: 'sk_test_wrong' })), 401, 'invalid_client'],
    [
      'the secret of another client',
      () => post(bodyOf({ ...client(), id: Bun.randomUUIDv7() })),
      401,
      'invalid_client',
    ],
    ['a key of the other environment', () => post(bodyOf({ ...client(), secret: 'sk_live_x' })), 401, 'invalid_client'],
    ['no client', () => post('grant_type=client_credentials'), 401, 'invalid_client'],
    ['no secret', () => post(`grant_type=client_credentials&client_id=${client().id}`), 401, 'invalid_client'],
    [
      'Basic that is none',
      () => post('grant_type=client_credentials', { ...form, authorization: 'Basic !' }),
      401,
      'invalid_client',
    ],
    [
      'Basic without a colon',
      () => post('grant_type=client_credentials', { ...form, authorization: 'Basic YQ==' }),
      401,
      'invalid_client',
    ],
    [
      'Basic with a broken escape',
      () => post('grant_type=client_credentials', { ...form, authorization: `Basic ${btoa('%:x')}` }),
      401,
      'invalid_client',
    ],
    [
      'both ways at once',
      () => {
        const known = client()
        return post(bodyOf(known), basic(known.id, known.secret))
      },
      400,
      'invalid_request',
    ],
    [
      'two clients',
      () => {
        const known = client()
        return post(`grant_type=client_credentials&client_id=${Bun.randomUUIDv7()}`, basic(known.id, known.secret))
      },
      400,
      'invalid_request',
    ],
    ['a parameter twice', () => post(`${bodyOf(client())}&grant_type=client_credentials`), 400, 'invalid_request'],
    ['no grant', () => post(bodyOf(client()).replace('grant_type=client_credentials&', '')), 400, 'invalid_request'],
    [
      'another grant',
      () => post(bodyOf(client()).replace('client_credentials', 'password')),
      400,
      'unsupported_grant_type',
    ],
    ['a scope', () => post(bodyOf(client(), { scope: 'admin' })), 400, 'invalid_scope'],
    [
      'JSON',
      () => post(JSON.stringify({ grant_type: 'client_credentials' }), { 'content-type': 'application/json' }),
      400,
      'invalid_request',
    ],
    ['nothing', () => post(''), 401, 'invalid_client'],
  ])('refuses %s', async (_, ask, status, error) => {
    const answer = await ask()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await refusalOf(answer)).toEqual([status, error])
  })

  test('names Basic where it was used, and only there', async () => {
    const { id } = client()
    const answers = [
      await post('grant_type=client_credentials', basic(id, 'sk_test_x')),
      await post(bodyOf({ id, secret: 'sk_test_x' })),
    ]
    expect(answers.map(({ headers }) => headers.get('www-authenticate'))).toEqual(['Basic realm="bursar"', null])
  })

  test('405 for another method, 413 for a long form; credentials in the address count for nothing', async () => {
    const url = `${gateway.url}/oauth/token`
    const read = await fetch(url)
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(`x=${'a'.repeat(9000)}`)).status).toBe(413)
    const inAddress = await fetch(`${url}?${bodyOf(client())}`, { method: 'POST', headers: form, body: '' })
    expect(inAddress.status).toBe(401)
  })

  test('413 for a form of unknown length as soon as it is too long: nobody has the gateway keep megabytes', async () => {
    const body = new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode(`x=${'a'.repeat(9000)}`)) })
    const answer = await fetch(`${gateway.url}/oauth/token`, { method: 'POST', headers: form, body })
    const { error } = (await answer.json()) as { error: { message: string } }
    expect([answer.status, error.message]).toEqual([413, 'The body is larger than 8 KiB'])
  })

  test('401 for a key that was revoked, and the client of an institution that has ended', async () => {
    const [revoked, ended] = [client(), client()]
    gateway.main.issue(revoked.secret, { participantId: revoked.id, status: 'revoked' })
    gateway.main.move(ended.id, 'OFFBOARDED')
    expect(await refusalOf(await post(bodyOf(revoked)))).toEqual([401, 'invalid_client'])
    await until(async () => (await refusalOf(await post(bodyOf(ended))))[1] === 'invalid_client')
  })

  test('429 for an address after too many wrong secrets', async () => {
    const strict = await openGateway({ RATE_LIMIT_FAILURES: '3' })
    // No more may be wrong, however long the requests take.
    setSystemTime(new Date())
    try {
      const ask = () =>
        fetch(`${strict.url}/oauth/token`, {
          method: 'POST',
          headers: form,
          body: bodyOf({ id: Bun.randomUUIDv7(), secret: 'sk_test_x' }),
        })
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) statuses.push((await ask()).status)
      expect(statuses).toEqual([401, 401, 401, 429])
    } finally {
      await strict.close()
    }
  })

  test('its metadata is where RFC 8414 looks for it', async () => {
    const answer = await fetch(`${gateway.url}/.well-known/oauth-authorization-server`)
    expect(await answer.json()).toMatchObject({
      issuer: gateway.url,
      token_endpoint: `${gateway.url}/oauth/token`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
    })
  })
})
