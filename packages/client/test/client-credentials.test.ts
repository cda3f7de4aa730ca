import { afterEach, expect, test } from 'bun:test'
import type { LocalServer } from '@bursar/testing'
import { clientCredentials } from '../src/client-credentials'
import { answer, clientOf, gateway, patientWorld, refusal } from './gateway'

let server: LocalServer
afterEach(() => server?.stop())

/** A gateway that takes the last token that it issued; `faults` answer in place of the next ones. */
function platform(...faults: ReturnType<typeof answer>[]) {
  const state = { taken: '', issued: 0 }
  server = gateway(async (request) => {
    if (new URL(request.url).pathname === '/oauth/token') {
      state.issued += 1
      const fault = faults.shift()
      if (fault) return await fault(request)
      state.taken = `token-${state.issued}`
      return Response.json({ access_token: state.taken, token_type: 'Bearer', expires_in: 600 })
    }
    if (request.headers.get('authorization') === `Bearer ${state.taken}`) return Response.json([])
    return Response.json(refusal('TOKEN_EXPIRED'), { status: 401 })
  })
  const world = patientWorld()
  const session = clientCredentials({ baseUrl: server.url, clientId: 'p-1', clientSecret: 'sk_live_a+b' }, world)
  return { state, world, bursar: clientOf(server.url, { session, world }) }
}

test('a program proves itself by its id and its key, in the form and with the header of RFC 6749', async () => {
  const { bursar } = platform()
  await bursar.get('/core/v1/assets')
  const [{ headers, body, method } = { headers: new Headers(), body: '', method: '' }] = server.requests
  expect([method, headers.get('authorization'), headers.get('content-type'), body]).toEqual([
    'POST',
    `Basic ${btoa('p-1:sk_live_a%2Bb')}`,
    'application/x-www-form-urlencoded',
    'grant_type=client_credentials',
  ])
  expect(server.requests[1]?.headers.get('x-api-key')).toBeNull()
})

test('a token serves all calls until half a minute before its end', async () => {
  const { state, world, bursar } = platform()
  await Promise.all(Array.from({ length: 20 }, () => bursar.get('/core/v1/assets')))
  world.pass(569_000)
  await bursar.get('/core/v1/assets')
  expect(state.issued).toBe(1)
  world.pass(2000)
  await bursar.get('/core/v1/assets')
  expect(state.issued).toBe(2)
})

test('one that is refused as expired is replaced once, and the call made again', async () => {
  const { state, bursar } = platform()
  await bursar.get('/core/v1/assets')
  state.taken = 'another'
  await bursar.put('/account/v1/accounts/{id}', { params: { path: { id: 'a' } }, body: { status: 'active' } })
  expect(state.issued).toBe(2)
})

test('an answer that was lost is asked for once more', async () => {
  const { state, bursar } = platform(answer(504, refusal('UPSTREAM_TIMEOUT')))
  await bursar.get('/core/v1/assets')
  expect(state.issued).toBe(2)
})

test('a program that the gateway does not know is told so, in its words and without its secret', async () => {
  const unknown = { error: 'invalid_client', error_description: 'The client is unknown, or its secret is not valid' }
  const { state, bursar } = platform(answer(401, unknown), answer(401, unknown))
  const failure = await bursar.get('/core/v1/assets').catch((error: Error) => error)
  expect(failure).toMatchObject({
    status: 401,
    code: 'invalid_client',
    message: 'POST /oauth/token: The client is unknown, or its secret is not valid',
  })
  expect(JSON.stringify(failure) + String(failure)).not.toContain('sk_live')
  expect(state.issued).toBe(1)
})
