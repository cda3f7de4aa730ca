import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { admin, openService, refused, type TestIdentityManager } from './harness'

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

describe('POST /auth/login', () => {
  test('200 with tokens that the published keys verify', async () => {
    const { status, body } = await service.logIn()
    expect(status).toBe(200)
    const { data } = body
    expect(data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 900,
      user: { id: data.user.id, email: admin.email, name: 'Administrator', roles: ['admin'] },
    })
    const keys = createLocalJWKSet((await service.get('/.well-known/jwks.json')).body)
    const { payload, protectedHeader } = await jwtVerify(data.accessToken, keys, {
      issuer: accessTokenIssuer,
      audience: accessTokenAudience,
      algorithms: ['EdDSA'],
    })
    expect(protectedHeader.kid).toBeString()
    expect(payload).toMatchObject({ sub: data.user.id, roles: ['admin'], participantId: null, custodianId: null })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900)
  })

  test('401 for a wrong password', async () => {
    expect(refused(await service.logIn(admin.email, 'wrong'), 401).code).toBe('UNAUTHORIZED')
  })
})
