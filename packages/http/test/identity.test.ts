import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { createIdentity } from '../src'
import { openInternalSecret } from '../src/peers/identity'
import { rotateKeyFile } from '../src/secrets/key-file'

const secret = openInternalSecret(tempDir(), undefined).all()[0] as Uint8Array
const identity = createIdentity('account', secret, () => new Date())
const request = (token: string) => new Request('http://localhost', { headers: { 'x-identity': token } })
const caller = { kind: 'user', subject: 'u1', participantId: 'p1', roles: ['admin'] } as const
const claims = { kind: 'user', participantId: null, roles: [], sub: 'u1', iss: 'bursar', aud: 'account' }
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const inAMinute = () => inSeconds(60)
const signed = (payload: JWTPayload, key: Uint8Array = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(key)
const refusal = (token: string) =>
  identity.read(request(token)).then(
    () => null,
    ({ status, code }) => [status, code],
  )

// It stands still unless a test moves it: on a busy machine a second may pass between two lines.
beforeEach(() => setSystemTime(new Date()))
afterEach(() => setSystemTime())
const later = (seconds: number) => setSystemTime(new Date(Date.now() + seconds * 1000))

describe('a caller', () => {
  test('is read back by the audience of its token', async () => {
    expect(await identity.read(request(await identity.sign(caller, 'account')))).toEqual({
      ...caller,
      custodianId: null,
    })
  })

  test('of a session is read back with it', async () => {
    const user = { ...caller, sessionId: 's1' }
    expect(await identity.read(request(await identity.sign(user, 'account')))).toEqual({ ...user, custodianId: null })
  })

  test('of a paused institution is read back as that', async () => {
    const paused = { ...caller, isPaused: true as const }
    expect(await identity.read(request(await identity.sign(paused, 'account')))).toEqual({
      ...paused,
      custodianId: null,
    })
  })

  test('is nobody without a token', async () => {
    expect(await identity.read(new Request('http://localhost'))).toBeNull()
  })

  test('with a token older than a minute is refused', async () => {
    const token = await identity.sign(caller, 'account')
    later(61)
    expect(await refusal(token)).toEqual([401, 'TOKEN_EXPIRED'])
  })

  test('with a token whose end is five minutes ahead is read: clocks differ', async () => {
    expect(await identity.read(request(await signed({ ...claims, exp: inSeconds(300) })))).toMatchObject({
      subject: 'u1',
    })
  })

  test.each<[string, () => string | Promise<string>]>([
    ['that is no token', () => 'x.y.z'],
    ['with an altered signature', async () => `${(await identity.sign(caller, 'account')).slice(0, -4)}AAAA`],
    ['of another secret', () => signed({ ...claims, exp: inAMinute() }, Buffer.alloc(32, 1))],
    ['for another service', () => identity.sign(caller, 'quote')],
    ['of another issuer', () => signed({ ...claims, iss: 'evil', exp: inAMinute() })],
    ['without an end', () => signed(claims)],
    ['whose end is more than five minutes ahead', () => signed({ ...claims, exp: inSeconds(302) })],
    ['that would be good for ever', () => signed({ ...claims, exp: Number.MAX_SAFE_INTEGER })],
    ['without a signature', () => new UnsecuredJWT({ ...claims, exp: inAMinute() }).encode()],
    ['without a subject', () => signed({ ...claims, sub: undefined, exp: inAMinute() })],
    ['without roles', () => signed({ ...claims, roles: undefined, exp: inAMinute() })],
    ['whose roles are no list', () => signed({ ...claims, roles: 'xadminx', exp: inAMinute() })],
    ['of no known kind', () => signed({ ...claims, kind: 'root', exp: inAMinute() })],
  ])('with a token %s is refused', async (_, token) => {
    expect(await refusal(await token())).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('a token that was verified before', () => {
  test('ends when it says', async () => {
    setSystemTime(new Date('2026-01-01T00:00:00.500Z'))
    const token = await signed({ ...claims, exp: inSeconds(60) })
    expect(await refusal(token)).toBeNull()
    later(59)
    expect(await refusal(token)).toBeNull()
    later(1)
    expect(await refusal(token)).toEqual([401, 'TOKEN_EXPIRED'])
    expect(await refusal(token)).toEqual([401, 'TOKEN_EXPIRED'])
  })

  test('is refused when the clock is set back, and read when it is right again', async () => {
    const token = await signed({ ...claims, exp: inAMinute() })
    expect(await refusal(token)).toBeNull()
    later(-3600)
    expect(await refusal(token)).toEqual([401, 'UNAUTHORIZED'])
    later(3600)
    expect(await refusal(token)).toBeNull()
  })

  test('is another one when a letter of it differs', async () => {
    const token = await signed({ ...claims, exp: inAMinute() })
    expect(await refusal(token)).toBeNull()
    const [head, body, signature = ''] = token.split('.')
    const forged = Buffer.from(JSON.stringify({ ...claims, roles: ['admin'], exp: inAMinute() })).toString('base64url')
    expect(await refusal(`${head}.${forged}.${signature}`)).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal(`${head}.${body}.${signature.slice(0, -4)}AAAA`)).toEqual([401, 'UNAUTHORIZED'])
  })

  test('is nothing to another service', async () => {
    const token = await signed({ ...claims, exp: inAMinute() })
    expect(await refusal(token)).toBeNull()
    const quote = createIdentity('quote', secret, () => new Date())
    expect(await quote.read(request(token)).catch(({ status }) => status)).toBe(401)
  })
})

describe('a token that was signed', () => {
  const sign = () => identity.sign(caller, 'account')

  test('is used again for 20 seconds', async () => {
    setSystemTime(new Date('2026-01-01T00:00:00Z'))
    const first = await sign()
    later(19)
    expect(await sign()).toBe(first)
    later(1)
    const second = await sign()
    expect(second).not.toBe(first)
    expect(await refusal(second)).toBeNull()
  })

  test('is not used again when the clock was set back', async () => {
    await sign()
    later(-365 * 86_400)
    expect(await refusal(await sign())).toBeNull()
  })

  test('is for one caller and one service', async () => {
    const other = { ...caller, subject: 'u2' }
    await sign()
    expect(await refusal(await identity.sign(caller, 'quote'))).toEqual([401, 'UNAUTHORIZED'])
    expect(await identity.read(request(await identity.sign(other, 'account')))).toMatchObject({ subject: 'u2' })
    expect(await identity.read(request(await sign()))).toMatchObject({ subject: 'u1' })
  })
})

describe('after a rotation of the secret', () => {
  const until = new Date(Date.now() + 3_600_000)
  const rings = () => {
    const dir = tempDir()
    const opened = () => openInternalSecret(dir, undefined, () => new Date())
    const rings = [opened(), opened()] as const
    return { dir, rings, services: rings.map((ring) => createIdentity('account', ring, () => new Date())) }
  }

  test('a service takes what another has signed with the new one, before it has looked', async () => {
    const {
      dir,
      rings: [, ring],
      services: [early, late],
    } = rings()
    rotateKeyFile(dir, 'internal.secret', until)
    ring.refresh()
    const token = (await late?.sign(caller, 'account')) ?? ''
    expect(await early?.read(request(token))).toMatchObject({ subject: 'u1' })
  })

  test('what was signed with the one before is taken until its end, and no longer', async () => {
    const {
      dir,
      rings: all,
      services: [early, late],
    } = rings()
    const before = all[0].all()[0] as Uint8Array
    const token = (await early?.sign(caller, 'account')) ?? ''
    rotateKeyFile(dir, 'internal.secret', until)
    for (const ring of all) ring.refresh()
    expect(await late?.read(request(token))).toMatchObject({ subject: 'u1' })
    setSystemTime(until)
    const forged = await signed({ ...claims, exp: inAMinute() }, before)
    for (const one of [early, late])
      expect(await one?.read(request(forged)).catch(({ code }) => code)).toBe('UNAUTHORIZED')
  })
})

test('the secret is made once, readable by its owner alone', () => {
  const dir = tempDir()
  const first = openInternalSecret(dir, undefined)
  expect(openInternalSecret(dir, undefined).all()).toEqual(first.all())
  expect(statSync(join(dir, 'internal.secret')).mode & 0o777).toBe(0o600)
  expect(() => openInternalSecret(dir, 'c2hvcnQ=')).toThrow('at least 32 bytes')
})
