import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openGateway, refused, type TestGateway } from './harness'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway?.close())

test('whoever must set up a second factor first may do that, and nothing that begins alike', async () => {
  const headers = await gateway.user({ roles: ['operator'], mustEnrol: true })
  for (const path of ['/users/mfa', '/users/profile', '/health']) {
    expect([path, (await gateway.get(`/identity/v1${path}`, headers)).status]).toEqual([path, 200])
  }
  for (const path of ['/users/mfa/recovery-codes', '/users/mfa/verify', '/users/mfa/passkeys/x/remove', '/users']) {
    const answer = await gateway.post(`/identity/v1${path}`, {}, headers)
    expect([path, refused(answer, 403).code]).toEqual([path, 'SECOND_FACTOR_REQUIRED'])
  }
})
