// Users of an institution that was offboarded or deleted: their sessions end, and they cannot log in.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { PfiStatus } from '@bursar/contracts/main-api'
import { reconcile } from '@bursar/http'
import { type LocalServer, localServer } from '@bursar/testing'
import { institutions } from '../src/institutions/institutions'
import { beginEnrolment, confirmEnrolment } from '../src/second-factor/authenticators'
import { hotp, stepOf } from '../src/second-factor/totp'
import { endSessionsOfEnded } from '../src/sessions/of-ended-institutions'
import { openService, participant, refused, type TestIdentityManager } from './harness'
import { sessionCalls } from './session-calls'

const at = '2026-11-22T10:00:00.000Z'
let owners: LocalServer
let records: { pfi: object[]; participants: object[] }
let epoch: number
let service: TestIdentityManager
let bank: Awaited<ReturnType<typeof participant>>
beforeEach(async () => {
  records = { pfi: [], participants: [] }
  epoch = 1
  owners = localServer((request) => {
    const { pathname } = new URL(request.url)
    const kind = pathname.startsWith('/internal/pfi/') ? 'pfi' : 'participants'
    const items = records[kind].map((record, i) => ({ version: i + 1, record }))
    const after = Number(new URL(request.url).searchParams.get('after'))
    return Response.json({ epoch, items: items.filter(({ version }) => version > after), more: false })
  })
  service = await openService({ urls: { 'main-api': owners.url, participant: owners.url } })
  bank = await participant(service)
})
afterEach(async () => {
  await service?.close()
  await owners?.stop()
})

/** What the service does at its start, each minute and each second. */
async function follow() {
  await reconcile(service.deps, institutions.pfis)
  await reconcile(service.deps, institutions.participants)
  await endSessionsOfEnded(service.deps)
}
const becomes = (status: PfiStatus, id = bank.participantId) =>
  records.pfi.push({ id, name: 'Bank', country: 'NO', status })
const deleted = () =>
  records.participants.push({
    id: bank.participantId,
    institutionName: 'Bank',
    omnibusAccountId: null,
    feePayerAccountId: null,
    deletedAt: at,
  })
const { refresh } = sessionCalls(() => service)
const logIn = () => service.logIn(bank.member.email, bank.member.password)

describe.each([
  ['offboarded', () => becomes('OFFBOARDED')],
  ['deleted', deleted],
])('%s', (_, end) => {
  test('sessions end, and no other begins, with the message for a wrong password', async () => {
    const { body } = await logIn()
    const staff = await service.logIn()
    end()
    await follow()
    expect((await refresh(body.data.refreshToken)).status).toBe(401)
    const wrong = refused(await service.logIn(bank.member.email, 'not its password'), 401)
    const { code, message } = refused(await logIn(), 401)
    expect({ code, message }).toEqual({ code: wrong.code, message: wrong.message })
    expect((await refresh(staff.body.data.refreshToken)).status).toBe(200)
    const { items } = (await service.get('/internal/revocations/changes', await service.asService('gateway'))).body
    expect(items.map(({ record }: { record: { userId: string } }) => record.userId)).toEqual([bank.member.id])
  })

  test('a log-in that awaits its code ends as well', async () => {
    const { store, seal, now } = service.deps
    const { id } = bank.member
    const secret = await store.commit((tx) => beginEnrolment(tx, seal, id, now()))
    const codeAt = (step: number) => hotp(secret, stepOf(now()) + step)
    await store.commit((tx) => confirmEnrolment(tx, { seal }, id, codeAt(0), now()))
    const { challenge } = (await logIn()).body.data
    end()
    await follow()
    expect(refused(await service.post('/auth/mfa', { challenge, code: codeAt(1) }), 401).message).toContain(
      'log in again',
    )
  })

  test('a refresh before the pass fails as well', async () => {
    const { body } = await logIn()
    end()
    await reconcile(service.deps, institutions.pfis)
    await reconcile(service.deps, institutions.participants)
    expect((await refresh(body.data.refreshToken)).status).toBe(401)
  })
})

test.each(['NOT_STARTED', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'PAUSED'] as const)(
  'a user of a %s institution logs in, and stays',
  async (status) => {
    const { body } = await logIn()
    becomes(status)
    becomes('OFFBOARDED', Bun.randomUUIDv7())
    await follow()
    expect((await refresh(body.data.refreshToken)).status).toBe(200)
    expect((await logIn()).status).toBe(200)
  },
)

test('after a restore of the main API its users log in again', async () => {
  becomes('OFFBOARDED')
  await follow()
  expect((await logIn()).status).toBe(401)
  epoch += 1
  records.pfi = []
  await follow()
  expect((await logIn()).status).toBe(200)
})

test('an event takes effect at once', async () => {
  const { body } = await logIn()
  const mark = { epoch: 1, version: 1 }
  const data = { id: bank.participantId, name: 'Bank', country: 'NO', status: 'OFFBOARDED', ...mark }
  const type = 'main-api.pfi.changed'
  await service.consume({ id: Bun.randomUUIDv7(), name: type, type, timestamp: at, requestId: null, data } as never)
  await endSessionsOfEnded(service.deps)
  expect((await refresh(body.data.refreshToken)).status).toBe(401)
})
