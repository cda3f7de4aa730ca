// Nothing of a deleted user opens anything, nor stands in the way of the same person when it is invited again.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { hotp, stepOf } from '../src/second-factor/totp'
import { openService, refused, type TestIdentityManager } from './harness'
import { softAuthenticator } from './soft-authenticator'

const origin = 'https://desk.bank.example'
type Member = Awaited<ReturnType<TestIdentityManager['member']>>
let service: TestIdentityManager
beforeEach(async () => {
  service = await openService({ env: { PUBLIC_URL: origin } })
})
afterEach(() => service?.close())

const invite = (email: string) => service.member({ email, role: 'operator' })
const headersOf = ({ id, role }: Member) => service.asUser({ id, roles: [role] })
const remove = async ({ id }: Member) => expect((await service.del(`/users/${id}`)).status).toBe(200)

test('its passkey is nobody’s: who is invited again registers the same', async () => {
  const key = softAuthenticator(origin, 'desk.bank.example')
  const register = async (member: Member) => {
    const headers = await headersOf(member)
    const { body } = await service.post('/users/mfa/passkeys/options', { password: member.password }, headers)
    return await service.post('/users/mfa/passkeys', { name: 'Key', response: key.create(body.data) }, headers)
  }
  const first = await invite('again@bank.example')
  expect((await register(first)).status).toBe(201)
  await remove(first)
  const second = await invite('again@bank.example')
  expect((await service.logIn(second.email, second.password)).body.data.accessToken).toBeTruthy()
  expect((await register(second)).status).toBe(201)
  expect((await service.get('/users/mfa/passkeys', await headersOf(first))).status).toBe(404)
})

test('its mails set no password, neither its own nor that of the next user of its address', async () => {
  const member = await invite('again@bank.example')
  await service.post('/auth/forgot-password', { email: member.email })
  const token = await service.tokenFor(member.email)
  await remove(member)
  await invite(member.email)
  const set = await service.post(`/auth/reset-password/${token}`, { password: 'nine tall windmills' })
  expect(refused(set, 400).message).toContain('The token is not valid')
  expect((await service.logIn(member.email, 'nine tall windmills')).status).toBe(401)
})

test('a log-in that awaited its code ends with it', async () => {
  const member = await invite('again@bank.example')
  const headers = await headersOf(member)
  const { secret } = (await service.post('/users/mfa/totp', { password: member.password }, headers)).body.data
  const code = (step: number) => hotp(bytesOf(secret), stepOf(new Date()) + step)
  await service.post('/users/mfa/totp/confirm', { code: code(0) }, headers)
  const { challenge } = (await service.logIn(member.email, member.password)).body.data
  await remove(member)
  await invite(member.email)
  expect((await service.post('/auth/mfa', { challenge, code: code(1) })).status).toBe(401)
})

/** The bytes of a base32 text. */
function bytesOf(secret: string): Uint8Array {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
