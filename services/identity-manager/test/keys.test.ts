import { afterEach, describe, expect, test } from 'bun:test'
import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { fixedClock } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { sweep } from '../src/sweep'
import { openService, refused, type TestIdentityManager } from './harness'
import { kidOf } from './session-calls'

const dayMs = 24 * 3_600_000
const start = '2026-03-01T12:00:00.000Z'
const open: TestIdentityManager[] = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

async function withKeys(env: Record<string, string> = {}, dataDir?: string) {
  const clock = fixedClock(start)
  const service = await openService({ now: clock, env, dataDir })
  open.push(service)
  const kids = async (): Promise<string[]> =>
    (await service.get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
  const token = async (): Promise<string> => (await service.logIn()).body.data.accessToken
  /** As the gateway does. */
  const verifies = async (accessToken: string) =>
    jwtVerify(accessToken, createLocalJWKSet((await service.get('/.well-known/jwks.json')).body), {
      issuer: accessTokenIssuer,
      audience: accessTokenAudience,
      currentDate: clock(),
    }).then(
      () => true,
      () => false,
    )
  return { clock, service, kids, token, verifies }
}

describe('GET /.well-known/jwks.json', () => {
  test('200 with public keys, also without the version in front', async () => {
    const { service } = await withKeys()
    const { status, body } = await service.get('/.well-known/jwks.json')
    expect(status).toBe(200)
    expect(body.keys).toHaveLength(2)
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        alg: 'EdDSA',
        use: 'sig',
      })
    }
    const plain = await service.fetch(new Request('http://localhost/.well-known/jwks.json'))
    expect(await plain.json()).toEqual(body)
  })
})

describe('the signing keys', () => {
  test('are rotated after thirty days: the next one signs, which was published before', async () => {
    const { clock, service, kids, token, verifies } = await withKeys()
    const before = await kids()
    const old = await token()
    clock.advance(30 * dayMs - 1)
    await sweep(service.deps)
    expect(await kids()).toEqual(before)
    const last = await token()
    clock.advance(1)
    await sweep(service.deps)
    const fresh = await token()
    expect(kidOf(last)).toBe(kidOf(old))
    expect(kidOf(fresh)).not.toBe(kidOf(old))
    expect(before).toContain(kidOf(fresh))
    expect([await verifies(last), await verifies(fresh)]).toEqual([true, true])
    expect(await kids()).toHaveLength(3)
    // Its tokens live fifteen minutes, and clocks differ.
    clock.advance(20 * 60_000 - 1)
    expect(await kids()).toContain(kidOf(old))
    // The tokens that it signed are dead.
    clock.advance(1)
    expect(await kids()).not.toContain(kidOf(old))
    expect(await kids()).toHaveLength(2)
    await sweep(service.deps)
    expect(await verifies(await token())).toBe(true)
  })

  test('are rotated once, however often it is checked', async () => {
    const { clock, service, kids } = await withKeys({ IDENTITY_KEY_DAYS: '1' })
    clock.advance(dayMs)
    await Promise.all(Array.from({ length: 5 }, () => sweep(service.deps)))
    expect(await kids()).toHaveLength(3)
  })

  test('a command activates the next one at once', async () => {
    const { service, kids, token, verifies } = await withKeys()
    const old = await token()
    const { status, body } = await service.post('/internal/signing-keys/rotate', {}, await service.asService('gateway'))
    expect(status).toBe(200)
    const fresh = await token()
    expect([kidOf(fresh), kidOf(fresh) === kidOf(old)]).toEqual([body.kid, false])
    expect([await verifies(old), await verifies(fresh), (await kids()).length]).toEqual([true, true, 3])
  })

  test('a command revokes all keys: their tokens are invalid, and verifiers do not know the new key yet', async () => {
    const { service, kids, token, verifies } = await withKeys()
    const before = await kids()
    const old = await token()
    const headers = await service.asService('identity-manager')
    await service.post('/internal/signing-keys/rotate', { dropRetired: true }, headers)
    const fresh = await token()
    expect([await verifies(old), await verifies(fresh)]).toEqual([false, true])
    expect((await kids()).filter((kid) => before.includes(kid))).toEqual([])
  })

  test('400 for an invalid option', async () => {
    const { service } = await withKeys()
    const headers = await service.asService('identity-manager')
    const answer = await service.post('/internal/signing-keys/rotate', { dropRetired: 'yes' }, headers)
    expect(refused(answer, 400).message).toBe('dropRetired must be a boolean')
  })

  test('a clock that is a year ahead for an hour invalidates nothing', async () => {
    const { clock, service, kids, token, verifies } = await withKeys()
    const before = await token()
    clock.advance(365 * dayMs)
    await sweep(service.deps)
    const ahead = await token()
    expect(await verifies(ahead)).toBe(true)
    clock.advance(10 * 60_000)
    await sweep(service.deps)
    clock.set(start)
    expect(await verifies(before)).toBe(true)
    await sweep(service.deps)
    const after = await token()
    // Else the key that began to sign a year ahead would sign for a year and a month.
    expect([await verifies(after), kidOf(after) === kidOf(ahead)]).toEqual([true, false])
    const count = (await kids()).length
    // It settles: the keys are not rotated again and again because one of them comes from the future.
    for (let i = 0; i < 3; i++) await sweep(service.deps)
    expect(await kids()).toHaveLength(count)
    expect(kidOf(await token())).toBe(kidOf(after))
  })

  test('outlive the process, and are encrypted in the database', async () => {
    const first = await withKeys()
    const old = await first.token()
    const { dataDir, file } = first.service
    await first.service.close()
    open.pop()
    const stored = await storedText({ file })
    expect(stored).toContain(kidOf(old))
    expect(stored).not.toContain('"d":')
    const again = await withKeys({}, dataDir)
    expect([await again.verifies(old), kidOf(await again.token())]).toEqual([true, kidOf(old)])
  })

  test('another IDENTITY_SECRET_KEY decrypts none: the service does not start', async () => {
    const { service } = await withKeys()
    open.pop()
    await service.close()
    const env = { IDENTITY_SECRET_KEY: Buffer.alloc(32, 3).toString('base64') }
    expect(openService({ env, dataDir: service.dataDir })).rejects.toThrow(
      'IDENTITY_SECRET_KEY, or identity.key, is not',
    )
  })
})
