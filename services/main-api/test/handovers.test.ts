import { describe, expect, test } from 'bun:test'
import { CallError, type Client } from '@bursar/http'
import { until } from '@bursar/testing'
import { startHanding } from '../src/participants/handing'
import { approved, moved, registered } from './bodies'
import {
  dayMs,
  hashOf,
  inDays,
  issue,
  keysTaken,
  minuteMs,
  now,
  participants,
  restart,
  run,
  service,
  users,
  withTakers,
} from './handed-over'
import { handOverAll } from './harness'

withTakers()

const detail = async (id: string) => (await service.get(`/admin/pfi/${id}`)).body
const done = () => ({ status: 'DONE', doneAt: now().toISOString(), problem: null })

/** The process dies at a call: before it goes out, or after its answer came and before anything is written. */
function dieAt(when: 'before' | 'after'): void {
  const { client } = service.deps
  const dying: Client['call'] = async (call, input) => {
    if (when === 'after') await client.call(call, input)
    await service.store.close()
    throw new Error('The process is gone')
  }
  Object.assign(service.deps, { client: { ...client, call: dying } })
}

describe('the invitation of the first user', () => {
  test('goes to the identity manager, once, with the participant’s id as its key', async () => {
    const { id, name, email } = await registered(service)
    expect((await detail(id)).invitation).toEqual({ status: 'PENDING', doneAt: null, problem: null })
    await run()
    await run()
    expect(users.taken).toEqual([
      {
        path: '/internal/users',
        key: id,
        body: { email, name, roleNames: ['participant-admin'], participantId: id, custodianId: null },
      },
    ])
    expect((await detail(id)).invitation).toEqual(done())
  })

  test('requested while another is sent follows at once, and the worker is not idle until then', async () => {
    const { client } = service.deps
    const gate = Promise.withResolvers<void>()
    let calls = 0
    const held: Client['call'] = async (call, input) => {
      calls += 1
      if (calls === 1) await gate.promise
      return await client.call(call, input)
    }
    Object.assign(service.deps, { client: { ...client, call: held } })
    const worker = startHanding(service.deps)
    const first = await registered(service)
    await until(() => calls === 1)
    const second = await registered(service)
    gate.resolve()
    await until(() => worker.idle?.())
    expect(users.taken.map(({ key }) => key)).toEqual([first.id, second.id])
    await worker.stop()
  })

  test('is repeated while the identity manager is unavailable, after longer and longer pauses', async () => {
    const { id } = await registered(service)
    users.refuse(503, 'Not yet')
    await run()
    expect((await detail(id)).invitation).toEqual({ status: 'PENDING', doneAt: null, problem: 'Not yet' })
    users.refuse(0)
    await run()
    expect(users.taken).toEqual([])
    now.advance(1000)
    users.refuse(500)
    await run()
    users.refuse(0)
    now.advance(1999)
    await run()
    expect(users.taken).toEqual([])
    now.advance(1)
    await run()
    expect(users.taken).toHaveLength(1)
    expect((await detail(id)).invitation).toEqual(done())
  })

  test.each([400, 409])('is not repeated after %d; the participant stays, and shows the reason', async (status) => {
    const { id } = await registered(service)
    users.refuse(status, 'The address is taken')
    await run()
    users.refuse(0)
    now.advance(dayMs)
    await run()
    expect(users.taken).toEqual([])
    const failed = { status: 'FAILED', doneAt: null, problem: 'The address is taken' }
    expect(await detail(id)).toMatchObject({ status: 'NOT_STARTED', invitation: failed })
  })

  test('is repeated after 409 when an earlier attempt, which had no answer, may still be running', async () => {
    const { id } = await registered(service)
    const { client } = service.deps
    const late: Client['call'] = async () => {
      throw new CallError('timeout', 'identity-manager', 'No answer')
    }
    Object.assign(service.deps, { client: { ...client, call: late } })
    await run()
    Object.assign(service.deps, { client })
    users.refuse(409, 'A request with this Idempotency-Key is still being worked on')
    now.advance(minuteMs)
    await run()
    expect((await detail(id)).invitation.status).toBe('PENDING')
    users.refuse(0)
    now.advance(minuteMs)
    await run()
    expect(users.taken.map(({ key }) => key)).toEqual([id])
    expect((await detail(id)).invitation).toEqual(done())
  })

  test('is not repeated for ever after 409, also when its first attempt had no answer', async () => {
    const { id } = await registered(service)
    users.refuse(503)
    await run()
    users.refuse(409, 'The address is taken')
    for (let attempt = 0; attempt < 10; attempt++) {
      now.advance(minuteMs * 5)
      await run()
    }
    expect((await detail(id)).invitation).toEqual({ status: 'FAILED', doneAt: null, problem: 'The address is taken' })
  })

  test('is done if its key was used before the participant changed', async () => {
    const { id } = await registered(service)
    users.refuse(422, 'This Idempotency-Key was used for another request')
    await run()
    expect((await detail(id)).invitation).toEqual(done())
  })
})

describe('the admission at the participant service', () => {
  test('follows the first approval, with the participant’s id, name and key', async () => {
    const { id, name } = await registered(service)
    const key = await issue(id)
    await moved(service, id, 'UNDER_REVIEW')
    await service.put('/participants/detail', { name }, await service.asParticipant(id))
    await service.put('/participants/detail', { name: `${name} Ltd` }, await service.asParticipant(id))
    await run()
    expect(participants.taken).toEqual([])
    await moved(service, id, 'APPROVED')
    await run()
    await run()
    const issued = [{ keyHash: hashOf(key), validUntil: inDays(365) }]
    const until = { previousUntil: inDays(1), issued }
    const body = { institutionName: `${name} Ltd`, authConsumerId: key, isPlaceholder: false, ...until }
    expect(participants.taken).toEqual([{ path: `/internal/participants/${id}`, key: null, body }])
    expect((await detail(id)).admission).toEqual(done())
  })

  test('without a key has one that nobody was shown, which the first issued key replaces', async () => {
    const { id } = await approved(service)
    await run()
    const key = await issue(id)
    await run()
    expect(keysTaken()).toEqual([expect.stringMatching(/^sk_test_[0-9A-Za-z]{43}$/), key])
    expect(keysTaken()[0]).not.toBe(key)
  })

  test('follows a new name; a pause and its end change nothing', async () => {
    const { id } = await approved(service)
    await issue(id)
    await run()
    await service.put('/participants/detail', { name: 'Lakeside Bank' }, await service.asParticipant(id))
    await run()
    expect(participants.taken.map(({ body }) => body.institutionName).at(-1)).toBe('Lakeside Bank')
    await moved(service, id, 'PAUSED')
    await run()
    expect(participants.taken).toHaveLength(2)
  })

  test.each([
    ['expires', async () => void now.advance(dayMs)],
    ['ends with its participant', async (id: string) => void (await moved(service, id, 'OFFBOARDED'))],
  ])('revokes the key when it %s', async (_, end) => {
    const { id } = await approved(service)
    const key = await issue(id, { expirationDate: 1 })
    await run()
    expect(keysTaken()).toEqual([key])
    await end(id)
    await run()
    expect(keysTaken()).toHaveLength(2)
    expect(keysTaken()[1]).not.toBe(key)
    await run()
    expect(keysTaken()).toHaveLength(2)
  })

  test('ends where the participant was deleted there: 404', async () => {
    const { id } = await approved(service)
    participants.refuse(404, 'The participant was deleted')
    await run()
    participants.refuse(0)
    now.advance(dayMs)
    await run()
    expect(participants.taken).toEqual([])
    const failed = { status: 'FAILED', doneAt: null, problem: 'The participant was deleted' }
    expect((await detail(id)).admission).toEqual(failed)
  })

  test('of a key issued during an admission follows it', async () => {
    const { id } = await approved(service)
    const { client } = service.deps
    let key = ''
    const call: Client['call'] = async (asked, input) => {
      const answer = await client.call(asked, input)
      if (asked.service === 'participant' && key === '') {
        key = await issue(id)
        // It is due, but the attempt under way has not ended: another worker must not overtake it.
        await handOverAll({ ...service.deps, client })
        expect(participants.taken).toHaveLength(1)
      }
      return answer
    }
    await handOverAll({ ...service.deps, client: { ...client, call } })
    expect(keysTaken()).toEqual([expect.any(String), key])
    expect((await detail(id)).admission.status).toBe('DONE')
  })

  test('that fails delays no other', async () => {
    const first = await approved(service)
    const second = await approved(service)
    const { client } = service.deps
    const call: Client['call'] = (asked, input) => {
      if (input?.params?.id === first.id) throw new Error('A fault of ours')
      return client.call(asked, input)
    }
    await handOverAll({ ...service.deps, client: { ...client, call } })
    expect(participants.taken.map(({ path }) => path)).toEqual([`/internal/participants/${second.id}`])
    expect((await detail(first.id)).admission).toMatchObject({
      status: 'PENDING',
      problem: expect.stringContaining('Internal error'),
    })
    now.advance(1000)
    await run()
    expect((await detail(first.id)).admission.status).toBe('DONE')
  })
})

describe('a crash', () => {
  test('between a commit and its handovers loses none of them', async () => {
    const { id } = await registered(service)
    const key = await issue(id)
    await moved(service, id, 'APPROVED')
    await restart()
    await run()
    expect(users.taken.map(({ key: used }) => used)).toEqual([id])
    expect(keysTaken()).toEqual([key])
    expect(await detail(id)).toMatchObject({ status: 'APPROVED', invitation: done(), admission: done() })
  })

  test.each(['before', 'after'] as const)('%s an invitation’s call: it is made with the same key', async (when) => {
    const { id } = await registered(service)
    dieAt(when)
    await run().catch(() => {})
    await restart()
    // The lease of the process that died is still there.
    await run()
    expect(users.taken).toHaveLength(when === 'after' ? 1 : 0)
    now.advance(minuteMs)
    await run()
    expect(users.taken.map(({ key }) => key)).toEqual(when === 'after' ? [id, id] : [id])
    expect((await detail(id)).invitation).toEqual(done())
  })

  test.each(['before', 'after'] as const)('%s an admission’s call: the newest key arrives', async (when) => {
    const { id } = await approved(service)
    await run()
    const key = await issue(id)
    dieAt(when)
    await run().catch(() => {})
    await restart()
    now.advance(minuteMs)
    await run()
    expect(keysTaken().at(-1)).toBe(key)
    expect((await detail(id)).admission).toEqual(done())
  })
})
