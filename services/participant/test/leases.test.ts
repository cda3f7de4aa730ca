import { describe, expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { createSagas, longestPauseMs } from '../src/saga-runs/saga-runs'
import { findSaga, readSaga, saveSaga, stepsOf } from '../src/sagas/saga'
import { account, customer, plain, refused, resumeDue, testParticipants, unfinishedSagas } from './harness'
import { peers, service, urls, withPeers } from './peered-service'
import { refusal } from './peers'

const leaseMs = 30_000
withPeers('test')

const input = () => plain({ customers: [customer({ accounts: [account()] })] })
const isAccount = (request: Request) => request.method === 'POST' && request.url.endsWith('/v1/accounts')

/** A saga whose accounts cannot be created now; it is due and not leased. */
async function interrupted(): Promise<string> {
  peers.fault((request) => (isAccount(request) ? refusal(503) : undefined))
  refused(await service.post('/participants', input()), 503)
  peers.fault(null)
  const [saga] = await unfinishedSagas(service)
  if (!saga) throw new Error('No saga was left')
  await service.setDue(saga.id, new Date())
  return saga.id
}
/** Claims by another process at that time. */
async function claimed(id: string, now: Date): Promise<string[]> {
  const { queue } = service.deps.sagas
  return (await queue.claim(service.store, { now, limit: 1, lane: id })).map((saga) => saga.id)
}
const isDone = async (id: string) => (await readSaga(service.store.read, id)).state === 'done'

test('a saga that a stop interrupts goes on at once after the next start: no attempt has failed', async () => {
  peers.fault((request) => {
    if (!isAccount(request)) return undefined
    void service.deps.sagas.stop()
    return refusal(503)
  })
  refused(await service.post('/participants', input()), 503)
  const [saga] = await unfinishedSagas(service)
  expect(saga).toMatchObject({ attempts: 0, leasedUntil: null, lastError: null })
  expect(saga?.dueAt?.getTime()).toBeLessThanOrEqual(Date.now())
})

describe('the worker', () => {
  test('resumes a saga that is due', async () => {
    const id = await interrupted()
    await service.resumeDue()
    expect(await isDone(id)).toBe(true)
  })

  test('waits for the end of a pause, which doubles with each attempt', async () => {
    const slow = await testParticipants(urls(), { tuning: { retryMs: 3000 } })
    peers.fault((request) => (isAccount(request) ? refusal(503) : undefined))
    const body = input()
    for (const [attempts, pauseMs] of [
      [1, 3000],
      [2, 6000],
      [3, 12_000],
      [4, 24_000],
      [5, longestPauseMs],
      [6, longestPauseMs],
    ]) {
      const before = Date.now()
      refused(await slow.post('/participants', body), 503)
      const [saga] = await unfinishedSagas(slow)
      expect(saga?.attempts).toBe(attempts)
      const begunAt = (saga?.dueAt?.getTime() ?? 0) - (pauseMs ?? 0)
      expect(begunAt).toBeWithin(before, Date.now() + 1)
    }
    const calls = peers.server.requests.length
    await slow.resumeDue()
    expect(peers.server.requests.length).toBe(calls)
    await slow.close()
  })

  test('resumes more sagas than its concurrency', async () => {
    peers.fault((request) => (isAccount(request) ? refusal(503) : undefined))
    for (let i = 0; i < 20; i++) refused(await service.post('/participants', input()), 503)
    peers.fault(null)
    for (const { id } of await unfinishedSagas(service)) {
      await service.setDue(id, new Date())
    }
    await service.resumeDue()
    expect(await unfinishedSagas(service)).toEqual([])
    expect((await service.get('/participants?limit=100')).body).toHaveLength(20)
  })

  test('resumes a saga that is due after many that are leased', async () => {
    peers.fault((request) => (isAccount(request) ? refusal(503) : undefined))
    for (let i = 0; i < 9; i++) refused(await service.post('/participants', input()), 503)
    peers.fault(null)
    const all = await unfinishedSagas(service)
    for (const [i, { id }] of all.entries()) {
      await service.setDue(id, new Date(Date.now() - 60_000 + i))
      if (i < 8) expect(await claimed(id, new Date())).toEqual([id])
    }
    await service.resumeDue()
    const left = await unfinishedSagas(service)
    expect(left.map(({ id }) => id)).toEqual(all.slice(0, 8).map(({ id }) => id))
  })

  test.each([
    ['leaves a saga whose lease has not ended', -1000, false],
    ['resumes a saga whose lease has ended: its process died', -leaseMs - 1000, true],
    ['resumes a saga whose lease was taken before the clock was set back', 60 * 60 * 1000, true],
  ])('%s', async (_what, takenMs, resumed) => {
    const id = await interrupted()
    const takenAt = new Date(Date.now() + takenMs)
    await service.setDue(id, takenAt)
    expect(await claimed(id, takenAt)).toEqual([id])
    await service.resumeDue()
    expect(await isDone(id)).toBe(resumed)
  })

  test('resumes a saga that is due at a time set before the clock was set back', async () => {
    const id = await interrupted()
    await service.setDue(id, new Date(Date.now() + 60 * 60 * 1000))
    await service.resumeDue()
    expect(await isDone(id)).toBe(true)
  })
})

describe('another process on the same database', () => {
  test('leaves alone a saga that the first has leased, and answers that it takes long', async () => {
    const other = { ...service.deps, sagas: createSagas(service.deps) }
    const { promise, resolve } = Promise.withResolvers<void>()
    peers.fault((request, usual) => (isAccount(request) ? promise.then(() => usual()) : undefined))
    const body = input()
    const first = service.post('/participants', body)
    await until(() => peers.calls('POST', '/v1/accounts') === 1, { what: 'the call of the first process' })
    await resumeDue(other)
    const [saga] = await unfinishedSagas(service)
    await expect(other.sagas.result(saga?.id ?? '')).rejects.toThrow('This takes long.')
    expect(peers.calls('POST', '/v1/accounts')).toBe(1)
    resolve()
    expect((await first).status).toBe(201)
    expect(peers.calls('POST', '/v1/')).toBe(2)
  })
})

test('a process that lost its lease writes nothing, and answers that it takes long', async () => {
  const clock = fixedClock('2026-01-31T12:00:00.000Z')
  const late = await testParticipants(urls(), { now: clock })
  const { promise, resolve } = Promise.withResolvers<void>()
  peers.fault((request, usual) => (isAccount(request) ? promise.then(() => usual()) : undefined))
  const first = late.post('/participants', input())
  await until(() => peers.calls('POST', '/v1/accounts') === 1, { what: 'the call of the first process' })
  clock.advance(leaseMs)
  const [taken] = await late.deps.sagas.queue.claim(late.store, { now: clock(), limit: 1 })
  resolve()
  expect(refused(await first, 504).message).toStartWith('This takes long.')
  const [saga] = await unfinishedSagas(late)
  expect(saga).toEqual(taken)
  const steps = await stepsOf(late.store.read, saga?.id ?? '')
  expect(steps.map(({ kind, done }) => [kind, done])).toEqual([
    ['create-customer', true],
    ['create-account', false],
  ])
  await late.close()
})

describe('one process', () => {
  test('makes one attempt for concurrent requests', async () => {
    const body = input()
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.post('/participants', body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(peers.calls('POST', '/v1/')).toBe(2)
  })

  test('that stops starts no further steps, and its saga is due at once', async () => {
    let stopping: Promise<void> | undefined
    peers.fault((request, usual) => {
      if (request.method === 'POST') stopping ??= service.deps.sagas.stop()
      return usual()
    })
    expect(refused(await service.post('/participants', input()), 504).message).toStartWith('This takes long.')
    await stopping
    expect(peers.calls('POST', '/v1/accounts')).toBe(0)
    const [saga] = await unfinishedSagas(service)
    expect([saga?.leasedUntil, (saga?.dueAt ?? new Date()) <= new Date()]).toEqual([null, true])
    peers.fault(null)
    await resumeDue({ ...service.deps, sagas: createSagas(service.deps) })
    expect(await unfinishedSagas(service)).toEqual([])
  })
})

describe('the check of external ids, and each step', () => {
  test('extend the lease', async () => {
    const clock = fixedClock('2026-01-31T12:00:00.000Z')
    const slow = await testParticipants(urls(), { now: clock })
    const left: number[] = []
    peers.fault((request, usual) =>
      unfinishedSagas(slow).then(([saga]) => {
        if (request.method === 'POST') left.push((saga?.leasedUntil?.getTime() ?? 0) - clock().getTime())
        clock.advance(20_000)
        return usual()
      }),
    )
    await slow.create('/participants', input())
    expect(left.map((ms) => ms > leaseMs / 2)).toEqual([true, true])
    await slow.close()
  })
})

describe('a finished saga', () => {
  const dayMs = 24 * 60 * 60 * 1000
  test.each([
    ['is kept for a day', dayMs - 60_000, true],
    ['is deleted after a day', dayMs + 60_000, false],
  ])('%s', async (_what, ageMs, isKept) => {
    const { id } = await service.create('/participants', input())
    await service.store.commit(async (tx) =>
      saveSaga(tx, { ...(await readSaga(tx, id)), finishedAt: new Date(Date.now() - ageMs) }),
    )
    await service.create('/participants', input())
    expect((await findSaga(service.store.read, id)) !== undefined).toBe(isKept)
  })
})
