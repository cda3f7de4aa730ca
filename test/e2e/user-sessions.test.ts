// Logins through the gateway, and how soon it refuses the tokens of a session that has ended.
import { afterAll, beforeAll, expect } from 'bun:test'
import { rotateSigningKeys } from '@bursar/contracts/identity-manager'
import { createClient, createIdentity, openInternalSecret, serviceConfig } from '@bursar/http'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

const admin = { email: 'admin@bursar.example', password: 'seven grey herons at dawn' }
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['gateway', 'identity-manager'], {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_LOGIN: '1000000',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_FAILURES: '1000000',
  })
})
afterAll(() => platform.close())

const gateway = () => platform.to('gateway', '')
const logIn = async (): Promise<{ accessToken: string; refreshToken: string }> =>
  (await gateway().post('/identity/v1/auth/login', admin)).body.data
const profile = async (accessToken: string) =>
  (await gateway().get('/identity/v1/users/profile', { authorization: `Bearer ${accessToken}` })).status

/** As `bun run rotate tokens` does. */
async function rotate(body: { dropRetired?: boolean }): Promise<void> {
  const { urls } = serviceConfig(platform.env, 'identity-manager')
  const identity = createIdentity('identity-manager', openInternalSecret(platform.dataDir, undefined), () => new Date())
  const client = createClient({ name: 'identity-manager', identity, urls, timeoutMs: 60_000 })
  await client.call(rotateSigningKeys, { body })
}

/** The gateway takes the token of an ended session for five seconds at the most, by its own clock. */
const refused = (accessToken: string) =>
  until(async () => (await profile(accessToken)) === 401, { what: 'the token to be refused' })

inOrder('a session that has ended', (step) => {
  step('is refused by the gateway', async () => {
    const { accessToken, refreshToken } = await logIn()
    expect(await profile(accessToken)).toBe(200)
    await gateway().post('/identity/v1/auth/logout', { refreshToken })
    await refused(accessToken)
  })

  step('others of its user go on, and get their next tokens', async () => {
    const [one, other] = [await logIn(), await logIn()]
    await gateway().post('/identity/v1/auth/logout', { refreshToken: one.refreshToken })
    await refused(one.accessToken)
    expect(await profile(other.accessToken)).toBe(200)
    const { refreshToken } = other
    const next = (await gateway().post('/identity/v1/auth/refresh', { refreshToken })).body.data
    expect(await profile(next.accessToken)).toBe(200)
  })

  step('tokens of another signing key are taken at once, and those of the one before until they expire', async () => {
    const before = await logIn()
    expect(await profile(before.accessToken)).toBe(200)
    await rotate({})
    const after = await logIn()
    expect([await profile(after.accessToken), await profile(before.accessToken)]).toEqual([200, 200])
  })

  step('tokens of keys that were taken back are refused once there is one of the new key', async () => {
    const before = await logIn()
    await rotate({ dropRetired: true })
    const after = await logIn()
    await until(async () => (await profile(after.accessToken)) === 200)
    expect(await profile(before.accessToken)).toBe(401)
    const { accessToken } = (await gateway().post('/identity/v1/auth/refresh', before)).body.data
    expect(await profile(accessToken)).toBe(200)
  })

  step('also without Redis', async () => {
    const { accessToken, refreshToken } = await logIn()
    expect(await profile(accessToken)).toBe(200)
    await platform.redis.stop()
    await gateway().post('/identity/v1/auth/logout', { refreshToken })
    await refused(accessToken)
  })
})
