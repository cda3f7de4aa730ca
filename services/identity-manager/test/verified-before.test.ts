// A user's second factor is changed only by whoever still is what was verified: by its password, in a session that has not ended.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { beginEnrolment, confirmEnrolment, findAuthenticator } from '../src/second-factor/authenticators'
import { hotp, stepOf } from '../src/second-factor/totp'
import { openSessions } from '../src/sessions/sessions'
import { openService, refused, type TestIdentityManager } from './harness'

let service: TestIdentityManager
let member: Awaited<ReturnType<TestIdentityManager['member']>>
/** Done while the next password is verified. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeEach(async () => {
  const hasher = {
    hash: async (password: string) => password,
    async verify(password: string, hash: string) {
      const work = meanwhile
      meanwhile = null
      await work?.()
      return password === hash
    },
  }
  service = await openService({ env: { PUBLIC_URL: 'https://desk.bank.example' }, hasher })
  member = await service.member()
})
afterEach(() => service?.close())

/** The user's recovery codes, once it has an authenticator. */
async function enrolled(): Promise<string[]> {
  const { store, seal, now } = service.deps
  return await store.commit(async (tx) => {
    const secret = await beginEnrolment(tx, seal, member.id, now())
    return (await confirmEnrolment(tx, { seal }, member.id, hotp(secret, stepOf(now())), now())) ?? []
  })
}

async function changePassword() {
  await service.post('/auth/forgot-password', { email: member.email })
  const token = await service.tokenFor(member.email)
  return () => service.post(`/auth/reset-password/${token}`, { password: 'nine quiet silver foxes' })
}

const unknown = 'its password is changed, of a session that is not known,'
const ways: Record<string, () => Promise<() => Promise<unknown>>> = {
  'its password is changed': changePassword,
  [unknown]: changePassword,
  async 'its sessions are ended'() {
    const headers = await service.asUser({ id: member.id, roles: ['operator'] })
    return () => service.ask('DELETE', `/users/${member.id}/sessions`, undefined, headers)
  },
}
const acts = ['totp', 'passkeys/options', 'totp/remove', 'recovery-codes'] as const

test.each(Object.keys(ways).flatMap((way) => acts.map((act) => [act, way] as const)))(
  'POST /users/mfa/%s does nothing when %s while the password is verified',
  async (act, way) => {
    const { deps } = service
    expect((await service.logIn(member.email, member.password)).status).toBe(200)
    const [session] = (await openSessions(deps.store.read, member.id)).slice(-1)
    const [code] = act === 'totp' ? [] : await enrolled()
    const known = way === unknown ? {} : { sessionId: session?.id ?? '' }
    const headers = await service.asUser({ id: member.id, roles: ['operator'], ...known })
    meanwhile = (await ways[way]?.()) ?? null
    const before = await findAuthenticator(deps.store.read, member.id)
    const answer = await service.post(`/users/mfa/${act}`, { password: member.password, code }, headers)
    expect(refused(answer, 401).code).toBe('UNAUTHORIZED')
    expect(await findAuthenticator(deps.store.read, member.id)).toEqual(before)
  },
)
