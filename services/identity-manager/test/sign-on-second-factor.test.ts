// A second factor verified by the provider replaces one of our own. The provider is a real one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type OpenIdProvider, openIdProvider } from '@bursar/testing/openid-provider'
import { hotp, stepOf } from '../src/second-factor/totp'
import { openService, refused, type TestIdentityManager } from './harness'
import { claimsOf } from './session-calls'
import { personOf, settingsFor, signOnCalls, withPatience } from './sign-on'

withPatience()
let provider: OpenIdProvider
let service: TestIdentityManager
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
beforeAll(async () => {
  provider = await openIdProvider()
})
afterAll(() => provider.close())
beforeEach(async () => {
  offsetMs = 0
  service = await openService({ env: settingsFor(provider, { OIDC_MFA_ACR: 'two-factors' }), now })
})
afterEach(() => service.close())
const { begin, complete, signOn } = signOnCalls(
  () => service,
  () => provider,
)
const anna = personOf('anna@harbour.example', ['desk-ops'])

describe('the second factor', () => {
  /** Sets up an authenticator. Returns a function for its code some steps from now. */
  async function withAuthenticator() {
    const member = await service.member({ role: 'operator' })
    const headers = await service.asUser({ id: member.id, roles: ['operator'] })
    const { data } = (await service.post('/users/mfa/totp', { password: member.password }, headers)).body
    const secret = Buffer.from(base32Bytes(data.secret))
    const code = (step: number) => hotp(secret, stepOf(new Date()) + step)
    await service.post('/users/mfa/totp/confirm', { code: code(0) }, headers)
    return { member, code }
  }

  test('of our own is required when the provider verified none', async () => {
    const { member, code } = await withAuthenticator()
    const { data } = (await signOn(personOf(member.email, ['desk-ops'], { amr: ['pwd'] }))).body
    expect(data).toMatchObject({
      mfaRequired: true,
      methods: ['code'],
      signOn: { userId: member.id, secondFactorAt: null },
    })
    expect(data.accessToken).toBeUndefined()
    const answer = await service.post('/auth/mfa', { challenge: data.challenge, code: code(1) })
    expect(answer.status).toBe(200)
    const { body } = await service.get(`/users/sessions?userId=${member.id}`)
    const { createdAt, expiresAt } = body.data.at(-1)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(12 * 3_600_000)
  })

  test.each(['provider-accounts', 'sessions'])('of our own opens nothing once its %s were ended', async (what) => {
    const { member, code } = await withAuthenticator()
    const { challenge } = (await signOn(personOf(member.email, ['desk-ops']))).body.data
    expect((await service.del(`/users/${member.id}/${what}`)).status).toBe(200)
    expect(refused(await service.post('/auth/mfa', { challenge, code: code(1) }), 401).message).toContain(
      'log in again',
    )
    expect((await service.get(`/users/sessions?userId=${member.id}`)).body.data).toEqual([])
  })

  test.each([
    ['amr mfa', { amr: ['pwd', 'mfa'] }],
    ['amr otp', { amr: ['otp'] }],
    ['amr hwk', { amr: ['hwk'] }],
    ['the acr of the settings', { acr: 'two-factors' }],
  ])('verified by the provider (%s) replaces it', async (_, by) => {
    const { member } = await withAuthenticator()
    const { data } = (await signOn(personOf(member.email, ['desk-ops'], by))).body
    expect(claimsOf(data.accessToken).sub).toBe(member.id)
    // The token does not say when, so it does not count as recent.
    expect(data.signOn.secondFactorAt).toBe('1970-01-01T00:00:00.000Z')
  })

  test('counts as recent after a fresh log-in', async () => {
    const { url, attempt } = await begin({ fresh: true })
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '300' })
    const { data } = (await complete(attempt, await provider.logIn(url, { ...anna, amr: ['mfa'] }))).body
    const agoMs = Date.now() - Date.parse(data.signOn.secondFactorAt)
    expect(agoMs).toBeGreaterThanOrEqual(0)
    expect(agoMs).toBeLessThan(60_000)
  })

  test.each([
    ['that the provider does not date', {}],
    ['of six minutes ago', { claims: '{"id_token":{"auth_time":null}}' }],
  ])('of a fresh log-in is none %s', async (_, asked) => {
    const { url, attempt } = await begin({ fresh: true })
    const other = new URL(url)
    for (const name of ['prompt', 'max_age']) other.searchParams.delete(name)
    for (const [name, value] of Object.entries(asked)) other.searchParams.set(name, value)
    const ts = Math.floor(Date.now() / 1000) - 360
    const query = await provider.logIn(other.href, { ...anna, amr: ['mfa'], ts })
    expect(refused(await complete(attempt, query), 401).message).toBe(
      'The log-in through Harbour ID is not valid: begin again',
    )
  })

  describe('that the provider dates', () => {
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    const datedBy = async (ts: number) => {
      const { url, attempt } = await begin()
      const asked = `${url}&claims=${encodeURIComponent('{"id_token":{"auth_time":null}}')}`
      return await complete(attempt, await provider.logIn(asked, { ...anna, amr: ['mfa'], ts }))
    }

    test.each([
      ['beyond the tolerance of clocks', inSeconds(3600)],
      ['in milliseconds', Date.now()],
      ['at the end of numbers', 1e306],
    ])('%s from now does not count as recent', async (_, ts) => {
      const { status, body } = await datedBy(ts)
      expect([status, body.data.signOn.secondFactorAt]).toEqual([200, '1970-01-01T00:00:00.000Z'])
    })

    test('within the tolerance of clocks from now is of now', async () => {
      const { secondFactorAt } = (await datedBy(inSeconds(20))).body.data.signOn
      const agoMs = Date.now() - Date.parse(secondFactorAt)
      expect(agoMs).toBeGreaterThanOrEqual(0)
      expect(agoMs).toBeLessThan(60_000)
    })

    test.each([-1, -1e306])('before 1970 (%p) is not taken', async (ts) => {
      expect((await datedBy(ts)).status).toBe(401)
    })
  })

  test.each([
    ['amr of a password', { amr: ['pwd', 'kba'] }],
    ['another acr', { acr: '1' }],
  ])('is not proven by %s', async (_, by) => {
    const { member } = await withAuthenticator()
    expect((await signOn(personOf(member.email, ['desk-ops'], by))).body.data.mfaRequired).toBe(true)
  })

  test('must be set up in production by users who approve, unless the provider verified one: also after refreshes', async () => {
    const own = await openService({ env: settingsFor(provider) })
    // Its settings would refuse a provider without TLS.
    Object.assign(own.deps.config, { environment: 'production' })
    const calls = signOnCalls(
      () => own,
      () => provider,
    )
    for (const [amr, mustEnrol] of [
      [['pwd'], true],
      [['mfa'], undefined],
    ] as const) {
      const { data } = (await calls.signOn({ ...anna, amr: [...amr] })).body
      expect(claimsOf(data.accessToken).mustEnrol).toBe(mustEnrol)
      const { body } = await own.post('/auth/refresh', { refreshToken: data.refreshToken })
      expect(claimsOf(body.data.accessToken).mustEnrol).toBe(mustEnrol)
    }
    await own.close()
  })
})

describe('a user without a password', () => {
  const first = async () => {
    const { user, accessToken } = (await signOn(anna)).body.data
    const headers = await service.asUser({ id: user.id, roles: ['operator'], sessionId: claimsOf(accessToken).sid })
    const post = (path: string, body: object) => service.post(`/users/mfa/${path}`, body, headers)
    return { id: user.id, headers, post }
  }

  test('sets a second factor up, and removes it, by a log-in through the provider of the last five minutes', async () => {
    const { headers, post } = await first()
    expect((await service.get('/users/mfa', headers)).body.data).toMatchObject({ hasPassword: false, totp: false })
    const { data } = (await post('totp', {})).body
    const code = (step: number) => hotp(Buffer.from(base32Bytes(data.secret)), stepOf(new Date()) + step)
    const { recoveryCodes } = (await post('totp/confirm', { code: code(0) })).body.data
    const { challenge } = (await signOn(anna)).body.data
    expect((await service.post('/auth/mfa', { challenge, code: recoveryCodes[1] })).status).toBe(200)
    expect((await post('totp/remove', {})).status).toBe(400)
    expect((await post('totp/remove', { code: recoveryCodes[0] })).status).toBe(200)
  })

  test('cannot by an older log-in, nor by a password that it does not have', async () => {
    const { post } = await first()
    expect((await post('totp', { password: 'twelve brass lanterns' })).status).toBe(401)
    offsetMs = 270_000
    expect((await post('totp', {})).status).toBe(201)
    offsetMs = 301_000
    for (const path of ['totp', 'totp/remove', 'recovery-codes', 'passkeys/options', 'passkeys/x/remove']) {
      expect(refused(await post(path, {}), 401).message).toStartWith('You have no password here')
    }
  })

  test('cannot by a log-in of another session: whoever has stolen an older one waits for the next', async () => {
    const stolen = await first()
    offsetMs = 301_000
    const fresh = await first()
    const unknown = { ...fresh.headers, ...(await service.asUser({ id: fresh.id, roles: ['operator'] })) }
    const { data } = (await signOn(personOf('bo@harbour.example', ['desk-ops']))).body
    const another = await service.asUser({ id: fresh.id, sessionId: claimsOf(data.accessToken).sid })
    for (const headers of [stolen.headers, unknown, another]) {
      for (const path of ['totp', 'passkeys/options']) {
        const answer = await service.post(`/users/mfa/${path}`, {}, headers)
        expect(refused(answer, 401).message).toStartWith('You have no password here')
      }
    }
    expect((await fresh.post('totp', {})).status).toBe(201)
    await service.del(`/users/${fresh.id}/sessions`)
    expect((await fresh.post('totp', {})).status).toBe(401)
  })

  test('differs from one with a password, which is required however the user logged in', async () => {
    const member = await service.member({ role: 'operator' })
    expect((await signOn(personOf(member.email, ['desk-ops']))).status).toBe(200)
    const headers = await service.asUser({ id: member.id, roles: ['operator'] })
    const answer = await service.post('/users/mfa/totp', {}, headers)
    expect(refused(answer, 400).message).toBe('password should not be empty')
  })

  test('cannot set one with its session only: the token requires the present password', async () => {
    const { headers } = await first()
    const { changePasswordToken } = (await service.post('/users/change-password-token', {}, headers)).body
    const path = `/auth/change-password/${changePasswordToken}`
    for (const currentPassword of [undefined, 'anything at all']) {
      const { status } = await service.post(path, { password: 'nineteen quiet otters', currentPassword })
      expect([400, 401]).toContain(status)
    }
  })
})

function base32Bytes(text: string): number[] {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}
