// How an institution and its first user come to an account, a key and a session, all through the gateway: the rows of the
// identity manager and the main API that need a mailed secret or a state of their own (gateway-rows.test.ts has the others).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { shapeProblem } from './error-shapes'

const admin = { email: 'admin@bank.example', password: 'a long sentence for the admin' }
const otherKey = 'sk_test_of_another'
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform(['gateway', 'identity-manager', 'main-api', 'participant', 'transaction-manager'], {
    AUTHORIZATION: 'documented',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_LOGIN: '1000',
  })
  const made = { institutionName: 'Another', authConsumerId: otherKey, customers: [] }
  await platform.to('participant').create('/participants', made)
  // Early: their mails are on the way while something else is tested.
  for (const name of ['Fjord', 'Lagoon'] as const) institutions.set(name, await newInstitution(name))
})
afterAll(() => platform?.close())

type Headers = Record<string, string>
const through = () => platform.to('gateway', '')
const post = (path: string, body?: unknown, headers?: Headers) => through().post(path, body, headers)

/** The code of an error in the shape of the gateway and these services; fails for any other answer. */
async function refused(answer: ReturnType<typeof post>, status: number): Promise<string> {
  const { body, headers, ...rest } = await answer
  expect([shapeProblem('gateway', { ...rest, headers, body, text: '' }, status), body]).toEqual([null, body])
  return body.error.code
}

const logIn = (user: { email: string; password: string }) => post('/identity/v1/auth/login', user)
async function session(user: { email: string; password: string }) {
  const { status, body } = await logIn(user)
  expect([status, body.data?.user.email]).toEqual([200, user.email])
  return { refreshToken: body.data.refreshToken, headers: { authorization: `Bearer ${body.data.accessToken}` } }
}

const seen = new Set<string>()
/** The token of the next mail to an address. */
async function mailedTo(email: string): Promise<string> {
  const folder = join(platform.dataDir, 'mail')
  const token = await until(
    () => {
      const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
      const mails = names.map((name) => readFileSync(join(folder, name), 'utf8'))
      const own = mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`))
      return own.map((mail) => /password#([\w-]{20,})/.exec(mail)?.[1] ?? '').find((each) => each && !seen.has(each))
    },
    { what: `a mail to ${email}` },
  )
  seen.add(token)
  return token
}

const address = { street: '1 Pier', city: 'Oslo', zipCode: '0150', country: 'NO' }
const institution = (name: string) => ({
  name,
  email: `anna@${name.toLowerCase()}.example`,
  country: 'NO',
  businessType: 'BANK',
  registrationNumber: `NO-${name}`,
  address,
})

const institutions = new Map<'Fjord' | 'Lagoon', { id: string; email: string }>()
async function newInstitution(name: string) {
  const { status, body: pfi } = await post('/main/v1/participants', institution(name))
  expect([status, pfi.status]).toEqual([201, 'NOT_STARTED'])
  return pfi
}

/** An institution, its first user, and how this one registers by the mail. */
async function invited(name: 'Fjord' | 'Lagoon') {
  const pfi = institutions.get(name) as { id: string; email: string }
  const user = { email: pfi.email, password: 'twelve brass lanterns' }
  const invitationToken = await mailedTo(user.email)
  const registration = { ...user, name: 'Anna Berg', invitationToken }
  return { pfi, user, registration }
}
const register = (body: object) => post('/identity/v1/users/register', body)

test('an institution that registers: 201 without credentials, 400 for what is missing', async () => {
  const { name, ...nameless } = institution('Nameless')
  expect(await refused(post('/main/v1/participants', nameless), 400)).toBe('INVALID_REQUEST')
  expect(await refused(post('/main/v1/participants', { ...nameless, name: 12345 }), 400)).toBe('INVALID_REQUEST')
  expect((await post('/main/v1/participants', institution('Short'))).body.name).toBe('Short')
})

inOrder('an institution from its registration to its key', (step) => {
  let pfi: { id: string }
  let user: { email: string; password: string }
  let own: Headers
  let apiKey: string
  const keyPath = '/main/v1/participants/api-key'

  step('its user registers with the token of the mail alone, and once', async () => {
    const made = await invited('Fjord')
    ;({ pfi, user } = made)
    const { registration } = made
    expect(await refused(register({ ...registration, invitationToken: 'x'.repeat(30) }), 400)).toBe('INVALID_REQUEST')
    expect(await refused(register({ ...registration, email: 'eve@fjord.example' }), 400)).toBe('INVALID_REQUEST')
    expect(await refused(register({ ...registration, password: 'short' }), 400)).toBe('INVALID_REQUEST')
    expect(await refused(logIn(user), 401)).toBe('UNAUTHORIZED')
    const { status, body } = await register(registration)
    expect([status, body.participantId, body.roles]).toEqual([201, pfi.id, ['participant-admin']])
    expect(await refused(register(registration), 400)).toBe('INVALID_REQUEST')
    own = (await session(user)).headers
  })

  step('until there is a key the token alone is enough', async () => {
    expect((await through().get('/main/v1/participants/detail', own)).body.id).toBe(pfi.id)
    expect(await refused(through().get(keyPath, own), 404)).toBe('NOT_FOUND')
    for (const expirationDate of [0, -1, '365', 1_600_000_000]) {
      expect(await refused(post(keyPath, { expirationDate }, own), 400)).toBe('INVALID_REQUEST')
    }
    const { status, body } = await post(keyPath, { expirationDate: 365 }, own)
    expect([status, body.data.apiKey]).toEqual([201, expect.stringMatching(/^sk_test_\w{43}$/)])
    apiKey = body.data.apiKey
  })

  step('then the key is needed as well', async () => {
    await until(async () => (await through().get(keyPath, own)).status === 401)
    expect(await refused(through().get(keyPath, own), 401)).toBe('UNAUTHORIZED')
    const { status, body } = await through().get(keyPath, { ...own, 'x-api-key': apiKey })
    expect([status, Object.keys(body.data ?? body).includes('expirationDate')]).toEqual([200, true])
  })

  step('its administrators and ours see what the key is, and not the key', async () => {
    const path = `/main/v1/participants/${pfi.id}/api-key`
    const { status, body } = await through().get(path, { ...own, 'x-api-key': apiKey })
    expect([status, body.masked, body.status]).toEqual([200, `sk_test_…${apiKey.slice(-4)}`, 'valid'])
    expect((await through().get(path, (await session(admin)).headers)).body).toEqual(body)
  })

  step('the key of another participant is refused: 401 INVALID_API_KEY', async () => {
    for (const key of [otherKey, 'sk_test_nobodys', `sk_live_${apiKey.slice(8)}`]) {
      expect(await refused(through().get(keyPath, { ...own, 'x-api-key': key }), 401)).toBe('INVALID_API_KEY')
    }
  })

  step('an institution that was offboarded gets no further key: 409', async () => {
    const { headers } = await session(admin)
    const { status } = await through().put(`/main/v1/admin/pfi/${pfi.id}/status`, { status: 'OFFBOARDED' }, headers)
    expect(status).toBe(200)
    const asOwner = { ...own, 'x-api-key': apiKey }
    expect(await refused(post(keyPath, { expirationDate: 365 }, asOwner), 409)).toBe('CONFLICT')
  })
})

test('an invitation that was refused is sent again, to another address', async () => {
  const { headers } = await session(admin)
  const { id } = (await post('/main/v1/participants', { ...institution('Mistral'), email: admin.email })).body
  const invitation = async () => (await through().get(`/main/v1/admin/pfi/${id}`, headers)).body.invitation
  await until(async () => (await invitation()).status === 'FAILED')
  const path = `/main/v1/admin/pfi/${id}/invitation`
  const { status, body } = await post(path, { email: 'treasury@mistral.example' }, headers)
  expect([status, body.email]).toEqual([202, 'treasury@mistral.example'])
  await until(async () => (await invitation()).status === 'DONE')
  expect(await refused(post(path, {}, headers), 409)).toBe('CONFLICT')
})

inOrder('the sessions and passwords of a user', (step) => {
  let user: { email: string; password: string }
  const tokenPath = '/identity/v1/users/change-password-token'
  const change = (token: string, body: object) => post(`/identity/v1/auth/change-password/${token}`, body)
  const reset = (token: string, body: object) => post(`/identity/v1/auth/reset-password/${token}`, body)
  const refresh = (refreshToken: string) => post('/identity/v1/auth/refresh', { refreshToken })

  step('a session is refreshed, and ended by logging out', async () => {
    const made = await invited('Lagoon')
    user = made.user
    expect((await register(made.registration)).status).toBe(201)
    const { refreshToken, headers } = await session(user)
    const next = await refresh(refreshToken)
    expect([next.status, typeof next.body.data.accessToken]).toEqual([200, 'string'])
    expect(await refused(refresh('x'.repeat(43)), 401)).toBe('UNAUTHORIZED')
    const out = { refreshToken: next.body.data.refreshToken }
    expect((await post('/identity/v1/auth/logout', out)).status).toBe(200)
    expect(await refused(refresh(out.refreshToken), 401)).toBe('UNAUTHORIZED')
    expect((await post('/identity/v1/auth/logout', out)).status).toBe(200)
    await until(async () => (await through().get('/identity/v1/users/profile', headers)).status === 401)
  })

  step('the user ends another of its sessions, once', async () => {
    const { headers } = await session(user)
    const other = await session(user)
    const { body } = await through().get('/identity/v1/users/sessions', headers)
    expect(body.data.length).toBe(2)
    const path = `/identity/v1/users/sessions/${body.data[1].id}`
    expect((await through().del(path, headers)).status).toBe(200)
    expect(await refused(through().del(path, headers), 404)).toBe('NOT_FOUND')
    expect(await refused(refresh(other.refreshToken), 401)).toBe('UNAUTHORIZED')
  })

  step('the password is changed with the one before', async () => {
    const { headers } = await session(user)
    const { status, body } = await post(tokenPath, undefined, headers)
    expect(status).toBe(201)
    const password = 'thirteen copper kettles'
    const wrong = { password, currentPassword: 'not that one at all' }
    expect(await refused(change(body.changePasswordToken, wrong), 401)).toBe('UNAUTHORIZED')
    const right = { password, currentPassword: user.password }
    expect((await change(body.changePasswordToken, right)).status).toBe(200)
    expect(await refused(change(body.changePasswordToken, right), 400)).toBe('INVALID_REQUEST')
    expect(await refused(logIn(user), 401)).toBe('UNAUTHORIZED')
    user = { ...user, password }
    await session(user)
  })

  step('a password that was forgotten is set by mail, once', async () => {
    const asked = await post('/identity/v1/auth/forgot-password', { email: user.email })
    const ofNobody = await post('/identity/v1/auth/forgot-password', { email: 'nobody@lagoon.example' })
    expect([asked.status, ofNobody.status, asked.body]).toEqual([200, 200, ofNobody.body])
    const token = await mailedTo(user.email)
    user = { ...user, password: 'fourteen silver spoons' }
    expect(await refused(reset(token, { password: 'short' }), 400)).toBe('INVALID_REQUEST')
    expect((await reset(token, user)).status).toBe(200)
    expect(await refused(reset(token, user), 400)).toBe('INVALID_REQUEST')
    await session(user)
  })

  step('five wrong passwords lock the account: 429, also for the right one', async () => {
    const wrong = { ...user, password: 'a wrong one altogether' }
    for (let attempt = 0; attempt < 5; attempt++) expect(await refused(logIn(wrong), 401)).toBe('UNAUTHORIZED')
    const { status, headers, body } = await logIn(user)
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(body.error.details).toMatchObject({ limit: 5, remaining: 0 })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    await session(admin)
  })
})
