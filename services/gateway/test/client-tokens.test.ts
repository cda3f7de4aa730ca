// Access tokens of clients: a token is its API key, for ten minutes.
import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { deploymentSeal, openInternalSecret } from '@bursar/http'
import { rotateKeyFile } from '@bursar/http/key-file'
import type { Answer } from '@bursar/testing/service'
import { UnsecuredJWT } from 'jose'
import { openGateway, refused, type TestGateway } from './harness'
import { clientOf, type OAuthClient, tokenOf } from './oauth'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())
afterEach(() => setSystemTime())

const client = () => clientOf(gateway)
const tokenFor = (known: OAuthClient) => tokenOf(gateway, known)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const call = (token: string, headers: Record<string, string> = {}) =>
  gateway.get('/quote/v1/assets', { ...bearer(token), ...headers })
const isRefused = (answer: Answer, code: string) => expect(refused(answer, 401).code).toBe(code)
const sealNow = () => deploymentSeal(openInternalSecret(gateway.platform.dataDir, undefined), 'client tokens')
const claimsOf = (more: object) => {
  const now = Math.floor(Date.now() / 1000)
  return JSON.stringify({ keyHash: 'a'.repeat(64), participantId: null, issuedAt: now, expiresAt: now + 60, ...more })
}

describe('an access token of a client', () => {
  test('is the participant of its key, counted with it', async () => {
    const known = client()
    const token = await tokenFor(known)
    const answer = await call(token)
    expect(answer.status).toBe(200)
    expect(await gateway.callerIn(answer.body.headers, 'quote')).toEqual({
      kind: 'participant',
      subject: known.id,
      participantId: known.id,
      custodianId: null,
      roles: [],
    })
    expect((await call(token, { 'x-api-key': known.secret })).status).toBe(200)
  })

  test('401 within five seconds of its key’s end, however often it was used before', async () => {
    const known = client()
    const token = await tokenFor(known)
    expect((await call(token)).status).toBe(200)
    gateway.main.issue(known.secret, { participantId: known.id, status: 'revoked' })
    setSystemTime(new Date(Date.now() + 5001))
    isRefused(await call(token), 'INVALID_API_KEY')
  })

  test('401 TOKEN_EXPIRED after ten minutes, and no earlier', async () => {
    const before = Date.now()
    const token = await tokenFor(client())
    const after = Date.now()
    setSystemTime(new Date(before + 598_000))
    expect((await call(token)).status).toBe(200)
    setSystemTime(new Date(after + 601_000))
    isRefused(await call(token), 'TOKEN_EXPIRED')
  })

  test('401 with the API key of another participant', async () => {
    const token = await tokenFor(client())
    isRefused(await call(token, { 'x-api-key': client().secret }), 'INVALID_API_KEY')
  })

  test('401 where a user’s token is needed besides the key', async () => {
    const known = client()
    const token = await tokenFor(known)
    const answer = await gateway.get('/main/v1/participants', { ...bearer(token), 'x-api-key': known.secret })
    isRefused(answer, 'UNAUTHORIZED')
  })

  test.each<[string, () => string | Promise<string>]>([
    [
      'one with an altered letter',
      async () => (await tokenFor(client())).replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    ],
    ['one that is cut short', async () => (await tokenFor(client())).slice(0, -4)],
    ['one that is long', () => `v1.00000000.${'a'.repeat(2000)}`],
    ['one of no key', () => 'v1.00000000.aaaa'],
    ['only its beginning', () => 'v1.'],
    [
      'an unsigned JWT (alg none)',
      () => new UnsecuredJWT({ keyHash: 'a'.repeat(64) }).setExpirationTime('5m').encode(),
    ],
    [
      'one of another deployment',
      () => deploymentSeal(Buffer.alloc(32, 9), 'client tokens').seal(claimsOf({}), gateway.url),
    ],
    ['one of another audience', () => sealNow().seal(claimsOf({}), 'https://other.example')],
    [
      'one sealed for another purpose',
      () =>
        deploymentSeal(openInternalSecret(gateway.platform.dataDir, undefined), 'console sessions').seal(
          claimsOf({}),
          gateway.url,
        ),
    ],
    [
      'one of a clock that was ahead',
      () =>
        sealNow().seal(
          claimsOf({ issuedAt: Math.floor(Date.now() / 1000) + 3600, expiresAt: Math.floor(Date.now() / 1000) + 4200 }),
          gateway.url,
        ),
    ],
    ['one without its claims', () => sealNow().seal('{}', gateway.url)],
    ['one that is no JSON', () => sealNow().seal('x', gateway.url)],
  ])('401 UNAUTHORIZED: %s', async (_, made) => {
    isRefused(await call(await made()), 'UNAUTHORIZED')
  })

  test('401 when its key is none, though it is sealed rightly', async () => {
    isRefused(await call(sealNow().seal(claimsOf({}), gateway.url)), 'INVALID_API_KEY')
  })

  test('401 when the key is another participant’s by now', async () => {
    const known = client()
    const token = await tokenFor(known)
    gateway.main.issue(known.secret, { participantId: Bun.randomUUIDv7() })
    setSystemTime(new Date(Date.now() + 5001))
    isRefused(await call(token), 'UNAUTHORIZED')
  })

  test('survives a rotation of the deployment’s secret', async () => {
    const token = await tokenFor(client())
    rotateKeyFile(gateway.platform.dataDir, 'internal.secret', new Date(Date.now() + 3_600_000))
    expect((await call(token)).status).toBe(200)
  })

  test('wrong ones count against their address', async () => {
    const strict = await openGateway({ RATE_LIMIT_FAILURES: '3' })
    // No more may be wrong, however long the requests take.
    setSystemTime(new Date())
    try {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++)
        statuses.push((await strict.get('/quote/v1/assets', bearer('v1.00000000.aaaa'))).status)
      expect(statuses).toEqual([401, 401, 401, 429])
    } finally {
      await strict.close()
    }
  })
})
