import { describe, expect, test } from 'bun:test'
import { moved, registered } from './bodies'
import { now, run, service, users, withTakers } from './handed-over'
import { nobody, refused, uuidExpected } from './harness'

withTakers()

const invitationOf = async (id: string) => (await service.get(`/admin/pfi/${id}`)).body.invitation
const historyOf = async (id: string) => (await service.get(`/admin/pfi/${id}/history`)).body
const again = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  service.post(`/admin/pfi/${id}/invitation`, body, headers)

/** A participant whose first user's address was another user's. */
async function refusedOne() {
  const participant = await registered(service)
  users.refuse(409, 'A user has this address')
  await run()
  users.refuse(0)
  expect((await invitationOf(participant.id)).status).toBe('FAILED')
  return participant
}

describe('POST /admin/pfi/:id/invitation', () => {
  test('202: invites again, to another address, with a new key', async () => {
    const { id, name } = await refusedOne()
    const operator = await service.as({ kind: 'user', subject: 'operator-1', roles: ['operator'] })
    const { status, body } = await again(id, { email: 'other@lakeside.example' }, operator)
    expect([status, body.email, body.status]).toEqual([202, 'other@lakeside.example', 'NOT_STARTED'])
    expect(body.invitation).toEqual({ status: 'PENDING', doneAt: null, problem: null })
    await run()
    await run()
    const roleNames = ['participant-admin']
    const sent = { email: 'other@lakeside.example', name, roleNames, participantId: id, custodianId: null }
    expect(users.taken).toEqual([{ path: '/internal/users', key: `${id}:2`, body: sent }])
    expect(await invitationOf(id)).toEqual({ status: 'DONE', doneAt: now().toISOString(), problem: null })
    expect(await historyOf(id)).toEqual([
      {
        field: 'status',
        from: 'NOT_STARTED',
        to: 'NOT_STARTED',
        reason: 'The first user is invited again, to other@lakeside.example',
        actor: { kind: 'user', id: 'operator-1' },
        at: now().toISOString(),
      },
    ])
  })

  test('invites the same address when none is given, and may be refused again', async () => {
    const { id, email } = await refusedOne()
    await again(id)
    users.refuse(409, 'A user has this address')
    await run()
    expect(await invitationOf(id)).toEqual({ status: 'FAILED', doneAt: null, problem: 'A user has this address' })
    users.refuse(0)
    expect((await again(id)).status).toBe(202)
    await run()
    expect(users.taken.map(({ key, body }) => [key, body.email])).toEqual([[`${id}:3`, email]])
  })

  test('a repeated attempt has the key of the first one', async () => {
    const { id } = await refusedOne()
    await again(id)
    users.refuse(503, 'Not yet')
    await run()
    users.refuse(0)
    now.advance(60_000)
    await run()
    expect(users.taken.map(({ key }) => key)).toEqual([`${id}:2`])
  })

  test('a repeat with its idempotency key does not invite twice', async () => {
    const { id } = await refusedOne()
    const first = await again(id, {}, { 'idempotency-key': 'i-1' })
    const second = await again(id, {}, { 'idempotency-key': 'i-1' })
    expect([second.status, second.body]).toEqual([202, first.body])
    expect(await historyOf(id)).toHaveLength(1)
  })

  test('409 while one is running, after it succeeded, and for an offboarded participant', async () => {
    const { id } = await registered(service)
    expect(refused(await again(id), 409).message).toStartWith('The invitation is under way')
    await run()
    expect(refused(await again(id, { email: 'a@b.example' }), 409).message).toStartWith(
      'The first user is already invited',
    )
    const { id: gone, email } = await refusedOne()
    await moved(service, gone, 'OFFBOARDED')
    expect(refused(await again(gone, { email: 'a@b.example' }), 409).message).toContain('offboarded')
    expect((await service.get(`/admin/pfi/${gone}`)).body.email).toBe(email)
  })

  test('400 for a bad address and for an id that is not a UUID, 404 for an unknown participant', async () => {
    const { id } = await refusedOne()
    expect(refused(await again(id, { email: 'x' }), 400).message).toStartWith('email ')
    expect(refused(await again('x'), 400).message).toBe(uuidExpected)
    expect(refused(await again(nobody), 404).message).toBe('Participant not found')
    expect((await invitationOf(id)).status).toBe('FAILED')
  })
})
