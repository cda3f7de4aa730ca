import { afterAll, afterEach, beforeAll, describe, expect, type Mock, spyOn, test } from 'bun:test'
import type { Handler, LocalServer } from '@bursar/testing'
import { logIn, resumeSession, type Tokens } from '../src/session'
import { answer, clientOf, gateway, patientWorld, refusal } from './gateway'

let server: LocalServer
afterEach(() => server?.stop())
// A refresh has four seconds, for which a busy machine may stand still: no time limit passes here.
let limits: Mock<typeof AbortSignal.timeout>
beforeAll(() => {
  limits = spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
})
afterAll(() => limits.mockRestore())

const user = { id: 'u', email: 'a@b.example', name: 'A', roles: [] }
const granted = (number: number, expiresIn = 900) => ({
  data: { accessToken: `access-${number}`, refreshToken: `refresh-${number}`, expiresIn, user },
})

interface Platform {
  /** The access token that is taken. */
  taken: string
  refreshed: string[]
  /** Answers in place of the next refreshes. */
  faults: Handler[]
}

/** A gateway with a session: it takes the last access token that it gave. */
function platform(): Platform {
  const state: Platform = { taken: 'access-1', refreshed: [], faults: [] }
  server = gateway(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/identity/v1/auth/logout') return Response.json({ success: true })
    if (pathname === '/identity/v1/auth/login') return Response.json(granted(1))
    if (pathname === '/identity/v1/auth/refresh') {
      const { refreshToken } = (await request.json()) as Tokens
      state.refreshed.push(refreshToken)
      const number = Number(refreshToken.split('-')[1]) + 1
      const fault = state.faults.shift()
      if (fault) return await fault(request)
      state.taken = `access-${number}`
      return Response.json(granted(number))
    }
    if (request.headers.get('authorization') === `Bearer ${state.taken}`) return Response.json([])
    return Response.json(refusal('TOKEN_EXPIRED'), { status: 401 })
  })
  return state
}

const start = async (world = patientWorld()) => {
  const kept: Tokens[] = []
  const options = {
    baseUrl: server.url,
    email: 'a@b.example',
    password: 'p',
    onTokens: (each: Tokens) => void kept.push(each),
  }
  const session = await logIn(options, world)
  return { session, kept, world, bursar: clientOf(server.url, { session, world }) }
}

describe('an access token', () => {
  test('is sent, and renewed half a minute before its end', async () => {
    const state = platform()
    const { bursar, world, session } = await start()
    await bursar.get('/core/v1/assets')
    world.pass(869_000)
    await bursar.get('/core/v1/assets')
    expect(state.refreshed).toEqual([])
    world.pass(2000)
    await bursar.get('/core/v1/assets')
    expect(state.refreshed).toEqual(['refresh-1'])
    expect(session.tokens()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  })

  test('that the gateway calls expired is renewed, and the request sent again, also a write without a key', async () => {
    const state = platform()
    const { bursar } = await start()
    state.taken = 'access-2'
    await bursar.put('/account/v1/accounts/{id}', { params: { path: { id: 'a' } }, body: { status: 'active' } })
    expect(state.refreshed).toEqual(['refresh-1'])
  })

  test('is renewed once for requests at the same time', async () => {
    const state = platform()
    const { bursar, kept } = await start()
    state.taken = 'access-2'
    await Promise.all(Array.from({ length: 20 }, () => bursar.get('/core/v1/assets')))
    expect(state.refreshed).toEqual(['refresh-1'])
    expect(kept.map(({ refreshToken }) => refreshToken)).toEqual(['refresh-1', 'refresh-2'])
  })

  test('that another call has renewed already is taken as it is', async () => {
    const state = platform()
    const { session } = await start()
    await session.renew('access-1')
    expect(await session.renew('access-1')).toBe('access-2')
    expect(state.refreshed).toEqual(['refresh-1'])
  })

  test('that stays refused is renewed once, and the refusal passed on', async () => {
    const state = platform()
    const { bursar } = await start()
    state.faults.push(answer(200, granted(9)), answer(200, granted(10)))
    state.taken = 'another'
    await expect(bursar.get('/core/v1/assets')).rejects.toMatchObject({ status: 401, code: 'TOKEN_EXPIRED' })
    expect(state.refreshed).toEqual(['refresh-1'])
  })
})

describe('a refresh', () => {
  test('whose answer was lost is sent once more with the same token', async () => {
    const state = platform()
    const { bursar } = await start()
    state.taken = 'access-2'
    state.faults.push(answer(504, refusal('UPSTREAM_TIMEOUT')))
    await bursar.get('/core/v1/assets')
    expect(state.refreshed).toEqual(['refresh-1', 'refresh-1'])
  })

  test('that is refused ends the call; the next call asks again', async () => {
    const state = platform()
    const { bursar } = await start()
    state.taken = 'access-2'
    state.faults.push(answer(401, refusal('UNAUTHORIZED')))
    await expect(bursar.get('/core/v1/assets')).rejects.toMatchObject({
      operation: 'POST /identity/v1/auth/refresh',
      status: 401,
    })
    await bursar.get('/core/v1/assets')
    expect(state.refreshed).toEqual(['refresh-1', 'refresh-1'])
  })
})

test('stored tokens go on, and are renewed when they have expired', async () => {
  const state = platform()
  state.taken = 'access-8'
  const tokens = { accessToken: 'access-7', refreshToken: 'refresh-7' }
  const session = await resumeSession({ baseUrl: server.url, tokens })
  await clientOf(server.url, { session }).get('/core/v1/assets')
  expect(session.tokens()).toEqual({ accessToken: 'access-8', refreshToken: 'refresh-8' })
})

test('token and API key are sent together', async () => {
  platform()
  const { session } = await start()
  await clientOf(server.url, { session, apiKey: 'sk_test_x' }).get('/core/v1/assets')
  const sent = server.requests.at(-1)?.headers
  expect([sent?.get('authorization'), sent?.get('x-api-key')]).toEqual(['Bearer access-1', 'sk_test_x'])
})

describe('a user with a second factor', () => {
  const challenge = { data: { mfaRequired: true, challenge: 'c-1', methods: ['totp'], expiresIn: 300 } }
  const options = () => ({ baseUrl: server.url, email: 'a@b.example', password: 'p' })

  test('gives a code', async () => {
    server = gateway(answer(200, challenge), answer(200, granted(1)))
    const session = await logIn({ ...options(), code: async () => '755224' })
    expect(await session.accessToken()).toBe('access-1')
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ challenge: 'c-1', code: '755224' })
  })

  test('is told when there is none', async () => {
    server = gateway(answer(200, challenge))
    await expect(logIn(options())).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  })
})

test('a log-out sends the last refresh token', async () => {
  platform()
  const { session, bursar, world } = await start()
  world.pass(1_000_000)
  await bursar.get('/core/v1/assets')
  await session.logOut()
  expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ refreshToken: 'refresh-2' })
})
