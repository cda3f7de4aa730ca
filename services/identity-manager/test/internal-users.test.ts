import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  changeUser,
  deleteUser,
  getPublicKeys,
  getUser,
  inviteUser,
  listRoles,
  listUsers,
  roleNames,
} from '@bursar/contracts/identity-manager'
import { type Client, createClient, createIdentity, isCallError } from '@bursar/http'
import { type LocalServer, localServer } from '@bursar/testing'
import { admin, nobody, openService, refused, roleIds, type TestIdentityManager } from './harness'

/** The contract's own calls, as the main API makes them. */
let client: Client
let service: TestIdentityManager
let server: LocalServer
beforeAll(async () => {
  service = await openService()
  server = localServer((request) =>
    service.fetch(new Request(request.url.replace(server.url, 'http://localhost'), request)),
  )
  const urls = { 'identity-manager': server.url } as Parameters<typeof createClient>[0]['urls']
  client = createClient({
    name: 'main-api',
    identity: createIdentity('main-api', Buffer.alloc(32, 5), () => new Date()),
    urls,
    // On a busy machine the usual five seconds may pass.
    timeoutMs: 60_000,
  })
})
afterAll(async () => {
  await server.stop()
  await service.close()
})

let made = 0
const body = (fields: object = {}) => ({
  email: `internal-${++made}@bank.example`,
  name: 'Some Body',
  roleNames: ['participant-admin' as const],
  participantId: Bun.randomUUIDv7() as string | null,
  custodianId: null as string | null,
  ...fields,
})
const refusedWith = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return isCallError(error) ? [error.status, error.message] : error
}

describe('the calls of other services', () => {
  test('invite, read, change and delete a user', async () => {
    const wanted = body()
    const user = await client.call(inviteUser, { body: wanted, idempotencyKey: 'i-1' })
    expect(user).toMatchObject({ email: wanted.email, status: 'INVITED', roles: ['participant-admin'] })
    expect(await client.call(inviteUser, { body: wanted, idempotencyKey: 'i-1' })).toEqual(user)
    expect(await service.mailsTo(wanted.email)).toHaveLength(1)
    const params = { id: user.id }
    expect(await client.call(getUser, { params })).toEqual(user)
    const changes = { name: 'New Name', roleIds: [roleIds['participant-user']], status: 'DISABLED' as const }
    const changed = await client.call(changeUser, { params, body: changes })
    expect(changed).toMatchObject({ name: 'New Name', roles: ['participant-user'], status: 'DISABLED' })
    expect(await client.call(deleteUser, { params })).toEqual({ success: true, message: 'User deleted' })
    expect(await client.find(getUser, { params })).toBeNull()
  })

  test('list the users of a participant, of a custodian bank, or all', async () => {
    const [participantId, custodianId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const own = await client.call(inviteUser, { body: body({ participantId }) })
    const other = await client.call(inviteUser, {
      body: body({ participantId: null, custodianId, roleNames: ['custodian-admin'] }),
    })
    const page = { limit: '10', offset: '0' }
    expect(await client.call(listUsers, { query: { ...page, participantId } })).toEqual({
      data: [own],
      pageInfo: { limit: 10, offset: 0, total: 1 },
    })
    expect((await client.call(listUsers, { query: { ...page, custodianId } })).data).toEqual([other])
    const all = await client.call(listUsers, { query: page })
    expect(all.data.map(({ email }) => email)).toContain(admin.email)
    expect(all.pageInfo.total).toBe(all.data.length)
  })

  test('list the roles of a scope, or all', async () => {
    expect((await client.call(listRoles)).map(({ name }) => name)).toEqual([...roleNames])
    const scoped = await client.call(listRoles, { query: { scope: 'participant' } })
    expect(scoped.map(({ id }) => id)).toEqual([roleIds['participant-admin'], roleIds['participant-user']])
  })

  test('get the public keys', async () => {
    expect((await client.call(getPublicKeys)).keys).toHaveLength(2)
  })

  test('409 for an address that is taken, 400 for what an owner’s users do not have, 404 for an unknown user', async () => {
    const wanted = body()
    await client.call(inviteUser, { body: wanted })
    expect(await refusedWith(client.call(inviteUser, { body: { ...body(), email: wanted.email } }))).toEqual([
      409,
      'A user with this address already exists',
    ])
    const { roleNames: _, ...without } = body()
    for (const wrong of [
      body({ roleNames: ['admin'] }),
      without,
      body({ custodianId: nobody }),
      body({ roleNames: [] }),
    ]) {
      expect(await refusedWith(client.call(inviteUser, { body: wrong }))).toMatchObject([400, expect.any(String)])
    }
    const byId = body({ participantId: null, roleNames: undefined, roleIds: [roleIds.viewer, nobody] })
    const error = await client.call(inviteUser, { body: byId }).catch((thrown: unknown) => thrown)
    const message = 'roleIds must be roles of the scope admin'
    expect(error).toMatchObject({ status: 400, message, fields: [{ field: 'roleIds', message }] })
    const params = { id: nobody }
    expect(await refusedWith(client.call(changeUser, { params, body: { name: 'X' } }))).toEqual([404, 'User not found'])
    expect(await refusedWith(client.call(deleteUser, { params }))).toEqual([404, 'User not found'])
  })

  test('several roles at once, each once', async () => {
    const roles = [roleIds.operator, roleIds.viewer, roleIds.operator]
    const user = await client.call(inviteUser, {
      body: { ...body({ participantId: null }), roleNames: undefined, roleIds: roles },
    })
    expect(user.roles).toEqual(['operator', 'viewer'])
  })
})

describe('the last administrator', () => {
  const lastOne = 'This is the last administrator; create another one first'

  test('cannot be deleted, disabled, or made something else', async () => {
    const own = await openService()
    const [{ id }] = (await own.get('/users')).body.data
    for (const answer of [
      await own.del(`/users/${id}`),
      await own.put(`/users/${id}`, { status: 'DISABLED' }),
      await own.put(`/users/${id}`, { roleId: roleIds.viewer }),
      await own.del(`/internal/users/${id}`, await own.asService('main-api')),
    ]) {
      expect(refused(answer, 409)).toEqual({ code: 'CONFLICT', message: lastOne })
    }
    expect((await own.logIn()).status).toBe(200)
    // One that was only invited, or is disabled, cannot log in.
    const other = await own.post('/users', { email: 'other@bank.example', name: 'Other', roleId: roleIds.admin })
    refused(await own.del(`/users/${id}`), 409)
    await own.close()
    expect(other.status).toBe(201)
  })

  test('two at once cannot delete each other', async () => {
    const own = await openService()
    const [{ id }] = (await own.get('/users')).body.data
    const other = await own.member({ role: 'admin' })
    const answers = await Promise.all([own.del(`/users/${id}`), own.del(`/users/${other.id}`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await own.close()
  })
})

test('401 for callers that are not services', async () => {
  const headers = await service.asUser({ id: nobody, roles: ['admin'] })
  const valid = body()
  const answers = [
    await service.get('/internal/users', headers),
    await service.get(`/internal/users/${nobody}`, headers),
    await service.post('/internal/users', valid, headers),
    await service.put(`/internal/users/${nobody}`, { name: 'X' }, headers),
    await service.del(`/internal/users/${nobody}`, headers),
    await service.get('/internal/roles', headers),
    await service.post('/internal/signing-keys/rotate', {}, headers),
    await service.get('/internal/users'),
  ]
  for (const answer of answers) expect(refused(answer, 401).code).toBe('UNAUTHORIZED')
})
