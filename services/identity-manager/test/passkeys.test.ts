import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ConfigError } from '@bursar/http'
import { fixedClock } from '@bursar/testing'
import { config } from '../src/config'
import { noteSigned, removePasskey } from '../src/second-factor/passkeys'
import { hotp, stepOf } from '../src/second-factor/totp'
import { openService, refused, type TestIdentityManager } from './harness'
import { softAuthenticator } from './soft-authenticator'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
const origin = 'https://desk.bank.example'
const rpId = 'desk.bank.example'
type Member = Awaited<ReturnType<TestIdentityManager['member']>>
let service: TestIdentityManager
let member: Member
let headers: Record<string, string>
beforeEach(async () => {
  service = await openService({ now: clock, env: { PUBLIC_URL: origin } })
  member = await service.member()
  headers = await service.asUser({ ...member, roles: [member.role] })
})
afterEach(() => service?.close())

type Key = ReturnType<typeof softAuthenticator>
const post = (path: string, body: object, as = headers) => service.post(`/users/mfa${path}`, body, as)
const newKey = () => softAuthenticator(origin, rpId)
const beginAdding = (proof: object = {}) => post('/passkeys/options', { password: member.password, ...proof })
const add = (response: object, name = 'Telephone') => post('/passkeys', { name, response })

/** A passkey of the member, and the answer. */
async function added(): Promise<{ key: Key; recoveryCodes: string[] }> {
  const key = newKey()
  const answer = await add(key.create((await beginAdding()).body.data))
  expect(answer.status).toBe(201)
  return { key, recoveryCodes: answer.body.data.recoveryCodes }
}
const challenged = async () => (await service.logIn(member.email, member.password)).body.data
const optionsOf = async (challenge: string) => (await service.post('/auth/mfa/options', { challenge })).body.data
const finish = (challenge: string, passkey: object) => service.post('/auth/mfa', { challenge, passkey })

describe('adding a passkey', () => {
  test('takes the password; the first one brings recovery codes, and it is listed by its name', async () => {
    expect((await post('/passkeys/options', { password: 'wrong' })).status).toBe(401)
    const { body } = await beginAdding()
    expect(body.data).toMatchObject({
      rp: { id: rpId, name: 'Bursar' },
      user: { name: member.email },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required' },
    })
    const key = newKey()
    const answer = await add(key.create(body.data), 'Blue stick')
    expect([answer.status, answer.body.data.recoveryCodes.length]).toEqual([201, 10])
    expect((await service.get('/users/mfa/passkeys', headers)).body.data).toEqual([
      { id: key.id, name: 'Blue stick', createdAt: clock().toISOString(), lastUsedAt: null },
    ])
    expect((await service.get('/users/mfa', headers)).body.data).toMatchObject({ totp: false, passkeys: 1 })
  })

  test('a challenge is good for one answer, right or wrong, and for five minutes', async () => {
    const key = newKey()
    const { body } = await beginAdding()
    expect(refused(await add(key.create({ challenge: 'AAAA' })), 400).message).toContain('could not be verified')
    expect((await add(key.create(body.data))).status).toBe(400)
    const late = (await beginAdding()).body.data
    clock.advance(5 * minuteMs)
    expect((await add(key.create(late))).status).toBe(400)
    // One whose end is far ahead was made by a wrong clock.
    clock.advance(60 * minuteMs)
    const early = (await beginAdding()).body.data
    clock.advance(-60 * minuteMs)
    expect((await add(key.create(early))).status).toBe(400)
    const right = (await beginAdding()).body.data
    expect((await add(key.create(right))).status).toBe(201)
    expect((await add(key.create(right))).status).toBe(400)
  })

  test('for another page than the settings name the log says which it was', async () => {
    const reasons: string[] = []
    service.deps.log.info = (fields) => void reasons.push(Object(fields).reason)
    const key = softAuthenticator('https://other.bank.example', rpId)
    expect((await add(key.create((await beginAdding()).body.data))).status).toBe(400)
    expect(reasons).toContainEqual(expect.stringContaining('https://other.bank.example'))
  })

  test.each([
    ['made on another page', { origin: 'https://desk.bank.example.evil.example' }],
    ['made for another site', { rpId: 'evil.example' }],
    ['without a finger or a PIN', { isVerified: false }],
  ])('one that is %s is refused', async (_, act) => {
    expect((await add(newKey().create((await beginAdding()).body.data, act))).status).toBe(400)
    expect((await service.get('/users/mfa/passkeys', headers)).body.data).toEqual([])
  })

  test('a second one takes the first, or a recovery code; the same twice is 409', async () => {
    const { key, recoveryCodes } = await added()
    expect((await beginAdding()).status).toBe(400)
    expect((await beginAdding({ code: '000000' })).status).toBe(401)
    const passkey = key.get((await post('/options', {})).body.data)
    const begun = await beginAdding({ passkey })
    const second = await add(newKey().create(begun.body.data), 'Second')
    expect([second.status, second.body.data.recoveryCodes]).toEqual([201, null])
    const again = await beginAdding({ code: recoveryCodes[0] })
    expect((await add(key.create(again.body.data))).status).toBe(409)
    // An authenticator beside it takes as much.
    expect((await post('/totp', { password: member.password })).status).toBe(400)
    expect((await post('/totp', { password: member.password, code: recoveryCodes[1] })).status).toBe(201)
  })

  test('a user has ten at most; the browser is told which, so that none is made twice', async () => {
    const { key, recoveryCodes } = await added()
    for (const code of recoveryCodes.slice(0, 9)) {
      const { body } = await beginAdding({ code })
      expect(body.data.excludeCredentials).toContainEqual(expect.objectContaining({ id: key.id }))
      expect((await add(newKey().create(body.data))).status).toBe(201)
    }
    expect(refused(await beginAdding({ code: recoveryCodes[9] }), 409).message).toBe('A user has at most 10 passkeys')
  })

  test('continues when the second factor is verified for something else meanwhile', async () => {
    const { recoveryCodes } = await added()
    const begun = (await beginAdding({ code: recoveryCodes[0] })).body.data
    expect((await post('/options', {})).status).toBe(200)
    expect((await add(newKey().create(begun))).status).toBe(201)
  })

  test('is for users only', async () => {
    expect((await service.get('/users/mfa/passkeys')).status).toBe(401)
    expect((await service.post('/users/mfa/passkeys/options', { password: 'x' })).status).toBe(401)
  })
})

describe('a second factor that was begun by the password alone', () => {
  const beginCodes = async () => (await post('/totp', { password: member.password })).body.data.secret as string
  const confirm = (secret: string) => post('/totp/confirm', { code: hotp(bytesOf(secret), stepOf(clock())) })

  test('an authenticator: it cannot be confirmed once there is a passkey, whose recovery codes stay', async () => {
    const secret = await beginCodes()
    const { recoveryCodes } = await added()
    expect((await confirm(secret)).status).toBe(409)
    expect((await post('/verify', { code: recoveryCodes[0] })).status).toBe(200)
    // Begun with the passkey's proof it can.
    const proven = await post('/totp', { password: member.password, code: recoveryCodes[1] })
    expect((await confirm(proven.body.data.secret)).status).toBe(200)
  })

  test('a passkey: it cannot be added once there is an authenticator', async () => {
    const begun = (await beginAdding()).body.data
    expect((await confirm(await beginCodes())).status).toBe(200)
    expect((await add(newKey().create(begun))).status).toBe(400)
    expect((await service.get('/users/mfa/passkeys', headers)).body.data).toEqual([])
  })

  test('neither outlives that password', async () => {
    const [secret, begun] = [await beginCodes(), (await beginAdding()).body.data]
    const { changePasswordToken } = (await service.post('/users/change-password-token', {}, headers)).body
    const password = { password: 'nine tall windmills', currentPassword: member.password }
    expect((await service.post(`/auth/change-password/${changePasswordToken}`, password)).status).toBe(200)
    expect((await confirm(secret)).status).toBe(409)
    expect((await add(newKey().create(begun))).status).toBe(400)
  })
})

/** The bytes of a base32 text. */
function bytesOf(secret: string): Uint8Array {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

describe('logging in', () => {
  test('the password is not enough; the passkey opens the session, once', async () => {
    const { key } = await added()
    const { challenge, methods, accessToken } = await challenged()
    expect([methods, accessToken]).toEqual([['passkey'], undefined])
    const options = await optionsOf(challenge)
    expect(options).toMatchObject({ rpId, userVerification: 'required', allowCredentials: [{ id: key.id }] })
    const signed = key.get(options)
    const answer = await finish(challenge, signed)
    expect([answer.status, answer.body.data.user.id]).toEqual([200, member.id])
    expect((await finish(challenge, signed)).status).toBe(401)
    const [{ lastUsedAt }] = (await service.get('/users/mfa/passkeys', headers)).body.data
    expect(lastUsedAt).toBe(clock().toISOString())
  })

  test.each([
    ['signed on another page', { origin: 'https://evil.example' }],
    ['signed for another site', { rpId: 'evil.example' }],
    ['without a finger or a PIN', { isVerified: false }],
    ['of a copy whose counter is behind', { counter: 1 }],
  ])('one %s is refused', async (_, act) => {
    const { key } = await added()
    const first = await challenged()
    expect((await finish(first.challenge, key.get(await optionsOf(first.challenge), { counter: 5 }))).status).toBe(200)
    const { challenge } = await challenged()
    const base = { counter: 6, ...act }
    expect(refused(await finish(challenge, key.get(await optionsOf(challenge), base)), 401).message).toContain(
      'passkey',
    )
    const again = await finish(challenge, key.get(await optionsOf(challenge), { counter: 7 }))
    expect(again.status).toBe(200)
  })

  test('a signature counts once, however many come at once, and not for a passkey that was removed meanwhile', async () => {
    const { key } = await added()
    const note = () => service.store.commit((tx) => noteSigned(tx, { id: key.id, before: 0, counter: 1 }, clock()))
    expect(await Promise.all([note(), note()])).toEqual([true, false])
    await service.store.commit((tx) => removePasskey(tx, member.id, key.id))
    const removed = { id: key.id, before: 1, counter: 2 }
    expect(await service.store.commit((tx) => noteSigned(tx, removed, clock()))).toBe(false)
  })

  test('what was signed for another log-in, for another purpose, or by somebody else is refused', async () => {
    const { key } = await added()
    const [one, two] = [await challenged(), await challenged()]
    const [ofOne] = [await optionsOf(one.challenge), await optionsOf(two.challenge)]
    expect((await finish(two.challenge, key.get(ofOne))).status).toBe(401)
    const own = (await post('/options', {})).body.data
    await optionsOf(two.challenge)
    expect((await finish(two.challenge, key.get(own))).status).toBe(401)
    const other = await service.member()
    const otherHeaders = await service.asUser({ ...other, roles: [other.role] })
    const begun = await post('/passkeys/options', { password: other.password }, otherHeaders)
    const foreign = newKey()
    const made = { name: 'Theirs', response: foreign.create(begun.body.data) }
    expect((await post('/passkeys', made, otherHeaders)).status).toBe(201)
    const { challenge } = await challenged()
    expect((await finish(challenge, foreign.get(await optionsOf(challenge)))).status).toBe(401)
    expect((await finish(challenge, key.get(await optionsOf(challenge)))).status).toBe(200)
  })

  test('a recovery code stands in for a lost one; six digits do not', async () => {
    const { recoveryCodes } = await added()
    const { challenge } = await challenged()
    expect((await service.post('/auth/mfa', { challenge, code: '123456' })).status).toBe(401)
    expect((await service.post('/auth/mfa', { challenge, code: recoveryCodes[3] })).status).toBe(200)
  })

  test('400 for neither and for both, 401 for options of an unknown log-in', async () => {
    const { key } = await added()
    const { challenge } = await challenged()
    expect((await service.post('/auth/mfa', { challenge })).status).toBe(400)
    const both = { challenge, code: '123456', passkey: key.get(await optionsOf(challenge)) }
    expect((await service.post('/auth/mfa', both)).status).toBe(400)
    expect((await service.post('/auth/mfa/options', { challenge: 'x'.repeat(32) })).status).toBe(401)
  })
})

describe('later', () => {
  test('it verifies the user again, and is removed with its recovery codes; then the password is enough', async () => {
    const { key, recoveryCodes } = await added()
    const passkey = key.get((await post('/options', {})).body.data)
    expect((await post('/verify', { passkey })).status).toBe(200)
    expect((await post('/verify', { passkey })).status).toBe(401)
    const remove = (proof: object, id = key.id) =>
      post(`/passkeys/${id}/remove`, { password: member.password, ...proof })
    expect((await remove({})).status).toBe(400)
    expect((await remove({ code: recoveryCodes[0] }, 'another')).status).toBe(404)
    expect((await remove({ code: recoveryCodes[0] })).status).toBe(200)
    expect((await service.get('/users/mfa', headers)).body.data).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
    expect((await challenged()).accessToken).toBeString()
  })

  test('nobody removes another’s: 404, and it still logs in', async () => {
    const { key } = await added()
    const other = await service.member()
    const asOther = await service.asUser({ ...other, roles: [other.role] })
    const answer = await post(`/passkeys/${key.id}/remove`, { password: other.password }, asOther)
    expect(refused(answer, 404).message).toBe('There is no such passkey')
    const { challenge } = await challenged()
    expect((await finish(challenge, key.get(await optionsOf(challenge)))).status).toBe(200)
  })

  test('an administrator removes those of a user that has lost them', async () => {
    await added()
    const boss = await service.member({ role: 'admin' })
    const as = await service.asUser({ ...boss, roles: ['admin'] })
    expect((await service.post(`/users/${member.id}/mfa-reset`, {}, as)).status).toBe(200)
    expect((await challenged()).accessToken).toBeString()
  })
})

describe('the site', () => {
  const site = (env: Record<string, string>) => config({ DATA_DIR: '/nowhere', ...env }).passkeys
  test('is that of PUBLIC_URL; this machine is called localhost', () => {
    expect(site({ PUBLIC_URL: 'https://desk.bank.example/' })).toEqual({ rpId, origins: [origin] })
    expect(site({ PUBLIC_URL: 'http://127.0.0.1:3000' })).toEqual({
      rpId: 'localhost',
      origins: ['http://localhost:3000'],
    })
    const env = { PASSKEY_RP_ID: 'bank.example', PASSKEY_ORIGINS: 'https://a.bank.example, https://b.bank.example' }
    expect(site(env)).toEqual({ rpId: 'bank.example', origins: ['https://a.bank.example', 'https://b.bank.example'] })
  })
  test('is refused at the start when it is invalid', () => {
    const refusedBy = (env: Record<string, string>) => expect(() => site(env)).toThrow(ConfigError)
    refusedBy({ PASSKEY_RP_ID: 'https://bank.example' })
    refusedBy({ PASSKEY_ORIGINS: 'https://bank.example/console' })
  })
})
