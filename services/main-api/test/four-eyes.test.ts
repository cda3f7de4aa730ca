// FOUR_EYES_USD: whoever registers an institution, or gives its first user another address, does not approve it as well.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { institution, moved, registered } from './bodies'
import { handOverAll, openService, refused, type TestMainApi } from './harness'
import { identityManager, type Peer } from './takers'

let users: Peer
let strict: TestMainApi
let lax: TestMainApi
beforeAll(async () => {
  users = identityManager()
  const urls = { 'identity-manager': users.url }
  ;[strict, lax] = await Promise.all([openService({ urls, env: { FOUR_EYES_USD: '10000' } }), openService({ urls })])
})
afterAll(() => Promise.all([strict.close(), lax.close(), users.stop()]))

const person = (service: TestMainApi, subject: string) => service.as({ kind: 'user', subject, roles: ['operator'] })

/** An institution that this person has registered; its id. */
async function registeredBy(service: TestMainApi, subject: string): Promise<string> {
  const { body, status } = await service.post('/participants', institution(), await person(service, subject))
  expect([status, Object.hasOwn(body, 'registeredBy')]).toEqual([201, false])
  expect((await service.get(`/admin/pfi/${body.id}`)).body.registeredBy).toBe(subject)
  return body.id
}

const approve = async (service: TestMainApi, id: string, headers?: Record<string, string>) =>
  await service.put(`/admin/pfi/${id}/status`, { status: 'APPROVED', comments: 'Seen' }, headers)

describe('with FOUR_EYES_USD', () => {
  test('409 for whoever registered it, for a service, and for nobody; another person approves it', async () => {
    const id = await registeredBy(strict, 'anna')
    for (const who of [await person(strict, 'anna'), await strict.asService('gateway'), undefined]) {
      expect(refused(await approve(strict, id, who), 409)).toEqual({
        code: 'REGISTERED_BY_SAME_PERSON',
        message: 'You have registered it yourself; another person must approve it',
      })
    }
    expect((await strict.get(`/admin/pfi/${id}`)).body).toMatchObject({ status: 'NOT_STARTED', history: [] })
    expect(await approve(strict, id, await person(strict, 'boris'))).toMatchObject({ status: 200 })
  })

  test('everything but the first approval is open to whoever registered it', async () => {
    const anna = await person(strict, 'anna')
    const id = await registeredBy(strict, 'anna')
    const to = (status: string) => strict.put(`/admin/pfi/${id}/status`, { status, comments: 'So' }, anna)
    for (const status of ['UNDER_REVIEW', 'REJECTED', 'UNDER_REVIEW']) expect((await to(status)).status).toBe(200)
    expect((await to('APPROVED')).status).toBe(409)
    await approve(strict, id, await person(strict, 'boris'))
    for (const status of ['PAUSED', 'APPROVED', 'OFFBOARDED']) expect((await to(status)).status).toBe(200)
  })

  test('one that registered itself needs one person', async () => {
    const { id } = await registered(strict)
    expect((await strict.get(`/admin/pfi/${id}`)).body.registeredBy).toBeNull()
    expect((await moved(strict, id, 'APPROVED')).status).toBe(200)
  })
})

/** An institution that registered itself, whose first user's address was another user's. */
async function withTakenAddress(service: TestMainApi) {
  const { id, email } = await registered(service)
  users.refuse(409, 'A user has this address')
  await handOverAll(service.deps)
  users.refuse(0)
  return { id, email }
}

const invite = async (service: TestMainApi, id: string, subject: string, email?: string) =>
  await service.post(`/admin/pfi/${id}/invitation`, email ? { email } : {}, await person(service, subject))

describe('the first user of an institution, with FOUR_EYES_USD', () => {
  test('gets another address from one person and the approval from another, whoever comes first', async () => {
    const { id } = await withTakenAddress(strict)
    expect((await invite(strict, id, 'anna', 'anna@else.example')).body.registeredBy).toBe('anna')
    expect(refused(await approve(strict, id, await person(strict, 'anna')), 409).code).toBe('REGISTERED_BY_SAME_PERSON')
    expect((await approve(strict, id, await person(strict, 'boris'))).status).toBe(200)

    const { id: other, email } = await withTakenAddress(strict)
    await approve(strict, other, await person(strict, 'anna'))
    expect(refused(await invite(strict, other, 'anna', 'anna@else.example'), 409)).toEqual({
      code: 'REGISTERED_BY_SAME_PERSON',
      message: 'You have approved it yourself; another person must give its first user another address',
    })
    expect((await strict.get(`/admin/pfi/${other}`)).body).toMatchObject({ email, invitation: { status: 'FAILED' } })
    expect((await invite(strict, other, 'boris', 'boris@else.example')).status).toBe(202)
  })

  test('gets another address from whoever approved it once more after a pause, not from who admitted it', async () => {
    const { id } = await withTakenAddress(strict)
    const boris = await person(strict, 'boris')
    await approve(strict, id, await person(strict, 'anna'))
    await strict.put(`/admin/pfi/${id}/status`, { status: 'PAUSED' }, boris)
    expect((await approve(strict, id, boris)).status).toBe(200)
    expect((await invite(strict, id, 'anna', 'anna@else.example')).status).toBe(409)
    expect((await invite(strict, id, 'boris', 'boris@else.example')).status).toBe(202)
  })

  test('is invited again at its own address by whoever approves it', async () => {
    const { id, email } = await withTakenAddress(strict)
    expect((await invite(strict, id, 'anna', email)).body.registeredBy).toBeNull()
    expect((await approve(strict, id, await person(strict, 'anna'))).status).toBe(200)
    const { id: other } = await withTakenAddress(strict)
    await approve(strict, other, await person(strict, 'anna'))
    expect((await invite(strict, other, 'anna')).status).toBe(202)
  })
})

test('without FOUR_EYES_USD one person does both', async () => {
  const id = await registeredBy(lax, 'anna')
  expect((await approve(lax, id, await person(lax, 'anna'))).status).toBe(200)
  const { id: other } = await withTakenAddress(lax)
  await approve(lax, other, await person(lax, 'anna'))
  expect((await invite(lax, other, 'anna', 'anna@else.example')).status).toBe(202)
})
