// Whoever has a user's password and a session sets nothing up beside the user's first second factor, however close together.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { IdentityManagerDeps } from '../src/deps'
import { withOwnProof } from '../src/logins/with-own-proof'
import { beginEnrolment, confirmEnrolment, findAuthenticator } from '../src/second-factor/authenticators'
import { addPasskey, passkeysOf, verifiedPasskey } from '../src/second-factor/passkeys'
import { hotp, stepOf } from '../src/second-factor/totp'
import { getUser } from '../src/users/users'
import { openService, type TestIdentityManager } from './harness'
import { softAuthenticator } from './soft-authenticator'

let service: TestIdentityManager
let member: Awaited<ReturnType<TestIdentityManager['member']>>
beforeEach(async () => {
  service = await openService({ env: { PUBLIC_URL: 'https://desk.bank.example' } })
  member = await service.member()
})
afterEach(() => service?.close())

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )

/** The user sets up its authenticator. */
const enrol = ({ store, seal, now }: IdentityManagerDeps) =>
  store.commit(async (tx) => {
    const secret = await beginEnrolment(tx, seal, member.id, now())
    await confirmEnrolment(tx, { seal }, member.id, hotp(secret, stepOf(now())), now())
  })

test('what begins without a proof begins nothing once there is a second factor', async () => {
  const { deps } = service
  const user = await getUser(deps.store.read, member.id)
  let commits = 0
  const commit: typeof deps.store.commit = async (...given) => {
    // The first counts the attempt, the second forgives it: the third begins.
    commits += 1
    if (commits === 3) await enrol(deps)
    return await deps.store.commit(...given)
  }
  let isBegun = false
  const begun = withOwnProof(
    { ...deps, store: Object.create(deps.store, { commit: { value: commit } }) },
    { ...user, callingSession: null },
    member,
    async () => {
      isBegun = true
    },
  )
  expect([await reasonOf(begun), commits, isBegun]).toEqual(['Send either code or passkey', 3, false])
})

/** A new passkey that was verified, and is not added yet. */
async function verified(): Promise<Awaited<ReturnType<typeof verifiedPasskey>>> {
  const key = softAuthenticator('https://desk.bank.example', 'desk.bank.example')
  const response = key.create(await beginAdding()) as Parameters<typeof verifiedPasskey>[2]['response']
  return await verifiedPasskey(service.deps, member, { name: 'Key', response })
}

async function beginAdding() {
  const headers = await service.asUser({ id: member.id, roles: ['operator'] })
  return (await service.post('/users/mfa/passkeys/options', { password: member.password }, headers)).body.data
}

test('a passkey that was verified before is not added any more', async () => {
  const { deps } = service
  const made = await verified()
  await enrol(deps)
  const added = deps.store.commit((tx) => addPasskey(tx, made))
  expect(await reasonOf(added)).toBe('The passkey could not be verified: begin again')
  expect(await passkeysOf(deps.store.read, member.id)).toEqual([])
  expect((await findAuthenticator(deps.store.read, member.id))?.confirmedAt).toBeTruthy()
})

test('nor is one whose challenge was replaced while it was verified', async () => {
  const { store } = service.deps
  const made = await verified()
  await beginAdding()
  expect(await reasonOf(store.commit((tx) => addPasskey(tx, made)))).toContain('could not be verified')
  expect(await passkeysOf(store.read, member.id)).toEqual([])
})
