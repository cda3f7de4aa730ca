import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, participant, refused, roleIds, type TestIdentityManager } from './harness'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

let made = 0
const nextEmail = () => `Somebody-${++made}@bank.example`
const invite = (body: object = {}, headers = {}) =>
  service.post('/users', { email: nextEmail(), name: 'Some Body', roleId: roleIds.viewer, ...body }, headers)

describe('POST /users', () => {
  test('201 with an invited user, and a mail to it', async () => {
    const email = nextEmail()
    const { status, body } = await invite({ email, name: 'Jörg Müller' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(uuidV7),
      email,
      name: 'Jörg Müller',
      status: 'INVITED',
      roles: ['viewer'],
      participantId: null,
      custodianId: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: body.createdAt,
    })
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('201 in the participant, or the custodian bank, of the caller', async () => {
    const { participantId, asManager } = await participant(service)
    const { status, body } = await invite({ roleId: roleIds['participant-user'] }, asManager)
    expect([status, body.participantId, body.roles]).toEqual([201, participantId, ['participant-user']])
    const byKey = await invite({ roleId: roleIds['participant-admin'] }, await service.asParticipant(participantId))
    expect([byKey.status, byKey.body.participantId]).toEqual([201, participantId])
    const custodianId = Bun.randomUUIDv7()
    const custodian = await service.asUser({ id: nobody, custodianId, roles: ['custodian-admin'] })
    const other = await invite({ roleId: roleIds['custodian-user'], custodianId }, custodian)
    expect([other.status, other.body.custodianId]).toEqual([201, custodianId])
  })

  test('201 in any of them for an administrator', async () => {
    const participantId = Bun.randomUUIDv7()
    const headers = await service.asUser({ id: nobody, roles: ['admin'] })
    const { status, body } = await invite({ participantId, roleId: roleIds['participant-admin'] }, headers)
    expect([status, body.participantId]).toEqual([201, participantId])
  })

  test('404 in another’s participant', async () => {
    const { asManager } = await participant(service)
    const body = { participantId: Bun.randomUUIDv7(), roleId: roleIds['participant-user'] }
    expect(refused(await invite(body, asManager), 404).code).toBe('NOT_FOUND')
    expect(refused(await invite({ ...body, participantId: undefined, custodianId: nobody }, asManager), 404).code).toBe(
      'NOT_FOUND',
    )
  })

  test('400 for an unknown role, or one of another scope', async () => {
    const { asManager, participantId } = await participant(service)
    const scoped = (scope: string) => `roleId must be a role of the scope ${scope}`
    expect(refused(await invite({ roleId: nobody }), 400).message).toBe(scoped('admin'))
    expect(refused(await invite({ roleId: roleIds['participant-user'] }), 400).message).toBe(scoped('admin'))
    expect(refused(await invite({ roleId: roleIds.admin }, asManager), 400).message).toBe(scoped('participant'))
    const both = { participantId, custodianId: nobody, roleId: roleIds['participant-user'] }
    expect(refused(await invite(both), 400).message).toBe('custodianId must be null for a user of a participant')
  })

  test('400 for a caller that may not grant roles: only admins may', async () => {
    const { asMember } = await participant(service)
    const refusal = 'roleId is a role that you may not give'
    for (const role of ['participant-admin', 'participant-user'] as const) {
      expect(refused(await invite({ roleId: roleIds[role] }, asMember), 400).message).toBe(refusal)
    }
    for (const role of ['operator', 'viewer']) {
      const headers = await service.asUser({ id: nobody, roles: [role] })
      for (const roleId of [roleIds.admin, roleIds.viewer]) {
        expect(refused(await invite({ roleId }, headers), 400).message).toBe(refusal)
      }
    }
  })

  test('409 when a user has the address, case-insensitively; a deleted one frees it', async () => {
    const email = nextEmail()
    const { body } = await invite({ email })
    expect(refused(await invite({ email: email.toUpperCase() }), 409)).toEqual({
      code: 'CONFLICT',
      message: 'A user with this address already exists',
    })
    expect(await service.mailsTo(email.toUpperCase())).toEqual([])
    await service.del(`/users/${body.id}`)
    expect((await invite({ email })).status).toBe(201)
  })

  test('of twenty at once with one address, one is 201 and the others are 409', async () => {
    const email = nextEmail()
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ email })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('repeated with its key it invites once', async () => {
    const body = { email: nextEmail(), name: 'Some Body', roleId: roleIds.viewer }
    const first = await service.post('/users', body, { 'idempotency-key': 'u-1' })
    const second = await service.post('/users', body, { 'idempotency-key': 'u-1' })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await service.mailsTo(body.email)).toHaveLength(1)
    expect(refused(await service.post('/users', { ...body, name: 'X' }, { 'idempotency-key': 'u-1' }), 422).code).toBe(
      'UNPROCESSABLE',
    )
  })

  test.each([
    [
      { email: 'x', name: '', roleId: 'x' },
      'email must be an e-mail address; name should not be empty; roleId must be a UUID',
    ],
    [
      { email: 'a@b.example\r\nBcc: c@d.example', name: 'a\nb' },
      'email must be an e-mail address; name must not hold control characters',
    ],
    [{ email: null, name: 5, roleId: [] }, 'email must be a string; name must be a string; roleId must be a string'],
  ])('400 for %j', async (body, message) => {
    expect(refused(await invite(body), 400).message).toBe(message)
  })

  test('401 for a caller whom the gateway does not know', async () => {
    const anonymous = await service.as({ kind: 'anonymous', subject: '203.0.113.1' })
    expect(refused(await invite({}, anonymous), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await invite({}, { 'x-identity': 'a.b.c' }), 401).code).toBe('UNAUTHORIZED')
  })
})
