// The user of a log-in through the provider: roles, institution, status. The provider is a real one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type OpenIdProvider, openIdProvider } from '@bursar/testing/openid-provider'
import { institutions as replicas } from '../src/institutions/institutions'
import { admin, openService, refused, type TestIdentityManager } from './harness'
import { claimsOf, sessionCalls } from './session-calls'
import { personOf, settingsFor, signOnCalls, withPatience } from './sign-on'

const harbour = '0192f0c1-0000-7000-8000-0000000000aa'
const institutions = {
  OIDC_PARTICIPANT_CLAIM: 'institution',
  OIDC_PARTICIPANTS: `harbour=${harbour},mole=0192f0c1-0000-7000-8000-0000000000bb`,
}
withPatience()
let provider: OpenIdProvider
let service: TestIdentityManager
beforeAll(async () => {
  provider = await openIdProvider()
})
afterAll(() => provider.close())
beforeEach(async () => {
  service = await openService({ env: settingsFor(provider, institutions) })
})
afterEach(() => service.close())
const { signOn } = signOnCalls(
  () => service,
  () => provider,
)
const { refresh } = sessionCalls(() => service)
const message = async (answer: Promise<Awaited<ReturnType<typeof signOn>>>) => refused(await answer, 401).message
const noUser = 'No user here logs in by your account at Harbour ID: ask an administrator'
const noRole = 'Your account at Harbour ID has no role here: ask an administrator'
const userOf = async (id: string) =>
  (await service.get(`/internal/users/${id}`, await service.asService('main-api'))).body
const anna = (roles: readonly string[], claims: Record<string, unknown> = {}) =>
  personOf('anna@harbour.example', roles, { claims })

describe('roles', () => {
  test('are those of the token, each that is in the map', async () => {
    const { user } = (await signOn(anna(['desk-ops', 'cooks', 'desk-readers', 'constructor', 'bank-users']))).body.data
    expect(user.roles).toEqual(['operator', 'viewer'])
  })

  test('none of the map: no user is created', async () => {
    expect(await message(signOn(anna(['cooks', 'bank-users'])))).toBe(noRole)
    expect(await message(signOn(anna([])))).toBe(noRole)
    expect((await service.get('/users?q=anna')).body.data).toEqual([])
  })

  test('that were removed end with the next log-in, together with the sessions that have them', async () => {
    const first = (await signOn(anna(['desk-ops', 'desk-readers']))).body.data
    const second = (await signOn(anna(['desk-readers', 'desk-ops']))).body.data
    expect((await refresh(first.refreshToken)).status).toBe(200)
    const third = (await signOn(anna(['desk-readers']))).body.data
    expect(third.signOn).toMatchObject({ rolesBefore: ['operator', 'viewer'], roles: ['viewer'] })
    expect(claimsOf(third.accessToken).roles).toEqual(['viewer'])
    expect((await refresh(second.refreshToken)).status).toBe(401)
    expect((await refresh(third.refreshToken)).status).toBe(200)
  })

  test('all removed: no log-in, not even by password, until the provider grants one again', async () => {
    const member = await service.member({ role: 'viewer' })
    const person = (roles: string[]) => personOf(member.email, roles)
    const { refreshToken } = (await signOn(person(['desk-ops']))).body.data
    const byPassword = (await service.logIn(member.email, member.password)).body.data
    expect(await message(signOn(person(['cooks'])))).toBe(noRole)
    for (const token of [refreshToken, byPassword.refreshToken]) expect((await refresh(token)).status).toBe(401)
    expect((await service.logIn(member.email, member.password)).status).toBe(401)
    expect(await userOf(member.id)).toMatchObject({ roles: [], status: 'ACTIVE' })
    expect((await signOn(person(['desk-readers']))).body.data.user.roles).toEqual(['viewer'])
    expect((await service.logIn(member.email, member.password)).status).toBe(200)
  })

  test('of the last administrator stay, but do not let it log in', async () => {
    const { refreshToken } = (await signOn(personOf(admin.email, ['desk-admins']))).body.data
    expect(await message(signOn(personOf(admin.email, ['desk-readers'])))).toContain('you are the last one here')
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await service.logIn()).body.data.user.roles).toEqual(['admin'])
    await service.member({ role: 'admin' })
    expect((await signOn(personOf(admin.email, ['desk-readers']))).body.data.user.roles).toEqual(['viewer'])
  })

  test('of the last administrator stay also when its address is all that is known of it', async () => {
    expect(await message(signOn(personOf(admin.email, ['desk-readers'])))).toContain('you are the last one here')
    expect((await service.logIn()).body.data.user.roles).toEqual(['admin'])
  })

  test.each([
    [
      'in a list within another claim',
      'resource_access.bursar.roles',
      { resource_access: { bursar: { roles: ['desk-ops'] } } },
    ],
    ['alone', 'institution', { institution: 'desk-ops' }],
    ['in a claim of the prototype: none', 'constructor.name', {}],
  ])('stand %s', async (what, OIDC_ROLE_CLAIM, claims) => {
    const own = await openService({ env: settingsFor(provider, { OIDC_ROLE_CLAIM }) })
    const calls = signOnCalls(
      () => own,
      () => provider,
    )
    const answer = await calls.signOn(personOf('anna@harbour.example', ['desk-readers'], { claims }))
    expect(answer.body.data?.user.roles).toEqual(what.endsWith('none') ? undefined : ['operator'])
    await own.close()
  })
})

describe('institutions', () => {
  test('create users of theirs, only with roles of their scope', async () => {
    const { user, accessToken } = (await signOn(anna(['desk-admins', 'bank-users'], { institution: ['harbour'] }))).body
      .data
    expect(user.roles).toEqual(['participant-user'])
    expect(claimsOf(accessToken)).toMatchObject({ participantId: harbour, roles: ['participant-user'] })
  })

  test.each([
    ['are unknown', 'lighthouse'],
    ['are two', ['harbour', 'mole']],
    ['are one known and one not', ['harbour', 'lighthouse']],
  ])('that %s create no user, in particular no staff', async (_, institution) => {
    expect(await message(signOn(anna(['desk-admins', 'bank-admins'], { institution })))).toBe(noRole)
  })

  test('that have changed remove the user’s roles', async () => {
    const { user } = (await signOn(anna(['bank-users'], { institution: 'harbour' }))).body.data
    expect(await message(signOn(anna(['bank-users', 'desk-admins'], { institution: 'mole' })))).toBe(noRole)
    expect(await message(signOn(anna(['bank-users', 'desk-admins'])))).toBe(noRole)
    expect(await userOf(user.id)).toMatchObject({ roles: [], participantId: harbour })
  })

  test('that have ended let nobody log in, known or new', async () => {
    await signOn(anna(['bank-users'], { institution: 'harbour' }))
    const row = replicas.pfis.toRow({ id: harbour, name: 'Harbour', country: 'NO', status: 'OFFBOARDED' } as never, {
      epoch: 1,
      version: 1,
    })
    await service.deps.store.commit((tx) => replicas.pfis.replica.upsert(tx, row))
    expect(await message(signOn(anna(['bank-users'], { institution: 'harbour' })))).toBe(noUser)
    expect(
      await message(signOn(personOf('new@harbour.example', ['bank-users'], { claims: { institution: 'harbour' } }))),
    ).toBe(noUser)
  })
})

describe('a user', () => {
  test('that is disabled stays so, with the roles that it had', async () => {
    const { user } = (await signOn(anna(['desk-ops']))).body.data
    await service.put(`/users/${user.id}`, { status: 'DISABLED' })
    expect(await message(signOn(anna(['desk-admins'])))).toBe(noUser)
    expect(await userOf(user.id)).toMatchObject({ status: 'DISABLED', roles: ['operator'] })
    await service.put(`/users/${user.id}`, { status: 'ACTIVE' })
    expect((await signOn(anna(['desk-ops']))).status).toBe(200)
    expect(await userOf(user.id)).toMatchObject({ status: 'ACTIVE' })
  })

  test('that is active stays so when an administrator says it again, with its sessions', async () => {
    await service.member()
    const { user, refreshToken } = (await signOn(anna(['desk-ops']))).body.data
    const answer = await service.put(`/users/${user.id}`, { name: 'Anna Berg', status: 'ACTIVE' })
    expect(answer.body).toMatchObject({ name: 'Anna Berg', status: 'ACTIVE' })
    expect((await refresh(refreshToken)).status).toBe(200)
    await service.post('/auth/forgot-password', { email: user.email })
    expect(await service.mailsTo(user.email)).toEqual([])
  })

  test('that was disabled and is made active again gets no mail that sets a password either', async () => {
    await service.member()
    const { user } = (await signOn(anna(['desk-ops']))).body.data
    await service.put(`/users/${user.id}`, { status: 'DISABLED' })
    expect((await service.put(`/users/${user.id}`, { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
    await service.post('/auth/forgot-password', { email: user.email })
    expect(await service.mailsTo(user.email)).toEqual([])
  })

  test('that is disabled is not found by its address either', async () => {
    const member = await service.member({ role: 'viewer' })
    await service.put(`/users/${member.id}`, { status: 'DISABLED' })
    expect(await message(signOn(personOf(member.email, ['desk-admins'])))).toBe(noUser)
  })

  test('that was deleted becomes a new one at its next log-in', async () => {
    const { user } = (await signOn(anna(['desk-ops']))).body.data
    await service.del(`/users/${user.id}`)
    const again = (await signOn(anna(['desk-ops']))).body.data
    expect(again.signOn.account).toBe('created')
    expect(again.user.id).not.toBe(user.id)
    expect((await signOn(anna(['desk-ops']))).body.data.signOn).toMatchObject({
      account: 'known',
      userId: again.user.id,
    })
  })

  test('without a password gets no mail that sets one, unless an administrator has it sent', async () => {
    await service.member()
    const { user } = (await signOn(anna(['desk-ops']))).body.data
    await service.post('/auth/forgot-password', { email: user.email })
    expect(await service.mailsTo(user.email)).toEqual([])
    expect((await service.post(`/users/${user.id}/password-reset`, {})).body).toMatchObject({
      mustChangePassword: false,
    })
    expect(await service.mailsTo(user.email)).toHaveLength(1)
  })

  test('can be unlinked by its administrator; the next log-in links it as the settings allow', async () => {
    const { user, refreshToken } = (await signOn(anna(['desk-ops']))).body.data
    const accounts = `/users/${user.id}/provider-accounts`
    const asViewer = await service.asUser({ id: crypto.randomUUID(), roles: ['viewer'] })
    expect((await service.del(accounts, asViewer)).status).toBe(404)
    expect((await service.get(accounts, asViewer)).status).toBe(404)
    expect(
      (await service.get(accounts, await service.asUser({ id: user.id, roles: ['operator'] }))).body.data,
    ).toMatchObject([{ issuer: provider.issuer, subject: 'sub of anna@harbour.example' }])
    expect((await service.del(accounts)).status).toBe(200)
    expect((await service.get(accounts)).body.data).toEqual([])
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await signOn(anna(['desk-ops']))).body.data.signOn.account).toBe('linked')
  })
})

const lifeOf = async (userId: string): Promise<number> => {
  const { body } = await service.get(`/users/sessions?userId=${userId}`)
  const { createdAt, expiresAt } = body.data.at(-1)
  return Date.parse(expiresAt) - Date.parse(createdAt)
}

test('a session through the provider lasts twelve hours, or as the settings say; one by password as before', async () => {
  const { user } = (await signOn(anna(['desk-ops']))).body.data
  expect(await lifeOf(user.id)).toBe(12 * 3_600_000)
  const member = await service.member({ role: 'viewer' })
  await service.logIn(member.email, member.password)
  expect(await lifeOf(member.id)).toBe(30 * 24 * 3_600_000)
})
