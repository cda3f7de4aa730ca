import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openService, refused, type TestIdentityManager } from './harness'

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

let made = 0
const password = 'nineteen quiet otters'
const participantId = Bun.randomUUIDv7()

/** The first user of a participant, as the main API invites it. */
async function invited() {
  const email = `first-${++made}@bank.example`
  const body = { email, name: 'Harbour Bank', roleNames: ['participant-admin'], participantId, custodianId: null }
  const { id } = await service.create('/internal/users', body, await service.asService('main-api'))
  return { id, email, invitationToken: await service.tokenFor(email) }
}
const register = (body: object) => service.post('/users/register', { name: 'Anna Berg', password, ...body })

describe('POST /users/register', () => {
  test('201 with the user, who can log in', async () => {
    const { id, email, invitationToken } = await invited()
    const { status, body } = await register({ email: email.toUpperCase(), invitationToken })
    expect(status).toBe(201)
    expect(body).toEqual({
      id,
      email,
      name: 'Anna Berg',
      status: 'ACTIVE',
      roles: ['participant-admin'],
      participantId,
      custodianId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await service.logIn(email, password)).status).toBe(200)
  })

  test('400 without the token of an invitation: registration alone gives no access', async () => {
    expect(refused(await register({ email: 'anybody@bank.example' }), 400).message).toBe(
      'invitationToken should not be empty',
    )
    const total = async () => (await service.get('/users?limit=0')).body.pageInfo.total
    const before = await total()
    refused(await register({ email: 'anybody@bank.example', invitationToken: 'x' }), 400)
    expect(await total()).toBe(before)
  })

  test('400 with the token of another’s invitation, which stays valid', async () => {
    const { email, invitationToken } = await invited()
    expect(refused(await register({ email: 'anybody@bank.example', invitationToken }), 400).message).toStartWith(
      'The token is not valid',
    )
    expect((await register({ email, invitationToken })).status).toBe(201)
  })

  test('400 for a token that was used, also by a first password', async () => {
    const first = await invited()
    await register(first)
    refused(await register(first), 400)
    const second = await invited()
    await service.post(`/auth/change-password/${second.invitationToken}`, { password })
    refused(await register(second), 400)
  })

  test('400 for a token of a user that forgot its password', async () => {
    const member = await service.member()
    await service.post('/auth/forgot-password', { email: member.email })
    const invitationToken = await service.tokenFor(member.email)
    refused(await register({ email: member.email, invitationToken }), 400)
    expect((await service.logIn(member.email, member.password)).status).toBe(200)
  })

  test('400 names all that is missing or wrong', async () => {
    const { message } = refused(await service.post('/users/register', { email: 'x', name: '' }), 400)
    expect(message).toBe(
      'email must be an e-mail address; name should not be empty; password should not be empty; invitationToken should not be empty',
    )
  })

  test('400 for a weak password', async () => {
    const { email, invitationToken } = await invited()
    expect(refused(await register({ email, invitationToken, password: 'password1234' }), 400).message).toStartWith(
      'password is one that others guess',
    )
  })
})
