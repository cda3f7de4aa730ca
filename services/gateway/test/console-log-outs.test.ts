// Sessions of the console do not end without a row of the audit trail, which is written first.
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { openStore } from '@bursar/store'
import { until } from '@bursar/testing'
import { placeOn, refuseRows, rowsIn } from '@bursar/testing/service'
import { migrations } from '../src/service'
import { admin, openConsole, type TestConsole } from './console-harness'

let consoles: TestConsole
beforeEach(async () => {
  consoles = await openConsole()
})
afterEach(async () => {
  setSystemTime()
  await consoles?.close()
})

interface Row {
  step: string
  action: string
  actor: string
  status: number | null
  detail: string
}

const rowsOf = (sessionId: string) =>
  rowsIn<Row>(
    consoles.platform.kept('gateway'),
    `SELECT step, action, actor, status, detail FROM audit_trail WHERE session = '${sessionId}' ORDER BY number`,
  )
const logIn = (cookie: string | null = null, user: { email: string; password: string } = admin) =>
  consoles.ask('/session', { body: { email: user.email, password: user.password }, cookie })
const stepsOf = async (sessionId: string) =>
  (await rowsOf(sessionId)).map(({ step, action, status }) => [step, action.split(' ')[0], status])

test('a log-in ends the session that its browser had, whosever that was, with its own rows', async () => {
  const member = await consoles.member({ role: 'viewer' })
  const first = await logIn(null, member)
  const second = await logIn(first.cookie)
  expect([first.status, second.status]).toEqual([200, 200])
  const rows = await rowsOf(first.body.sessionId)
  expect(rows.map(({ step, action, status }) => [step, action.split(' ')[0], status])).toEqual([
    ['asked', 'POST', null],
    ['answered', 'POST', 200],
    ['asked', 'DELETE', null],
    ['answered', 'DELETE', 200],
  ])
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([member.id]))
  expect(JSON.parse(rows[2]?.detail ?? '').request).toEqual({ by: 'log in' })
})

test('a session that was over before ends without another row', async () => {
  const [first, ended, last, other] = [await logIn(), await logIn(), await logIn(), await logIn()]
  for (const { body } of [ended, last]) {
    const path = `/identity/v1/users/sessions/${body.sessionId}`
    expect((await consoles.ask(path, { method: 'DELETE', cookie: other.cookie })).status).toBe(200)
  }
  // The gateway is told of each; that it knows of the first must not be asked for with its cookie.
  await consoles.platform.settle()
  await until(async () => (await consoles.ask('/session', { cookie: last.cookie })).status === 401)
  const rows = async () => [await stepsOf(first.body.sessionId), await stepsOf(ended.body.sessionId)]
  const before = await rows()
  expect((await logIn(ended.cookie)).status).toBe(200)
  setSystemTime(new Date(Date.now() + 31 * 60_000))
  expect((await logIn(first.cookie)).status).toBe(200)
  expect(await rows()).toEqual(before)
})

test('where the trail cannot be written nobody logs in, and nobody out', async () => {
  const { body, cookie } = await logIn()
  const before = await stepsOf(body.sessionId)
  await consoles.platform.stop('gateway')
  const store = await openStore({ service: 'gateway', ...placeOn(consoles.platform.kept('gateway')), migrations })
  await store.commit((tx) => refuseRows(tx, 'audit_trail', 'The disk is full'))
  await store.close()
  await consoles.platform.start('gateway')
  const sessions = async () =>
    (await consoles.ask('/identity/v1/users/sessions', { cookie })).body.data.map(({ id }: { id: string }) => id)
  const open = await sessions()
  expect(open).toContain(body.sessionId)

  for (const earlier of [null, cookie]) expect([(await logIn(earlier)).status, await sessions()]).toEqual([503, open])
  expect((await consoles.ask('/session', { method: 'DELETE', cookie })).status).toBe(503)
  expect((await consoles.ask('/session', { cookie })).status).toBe(200)
  expect([await sessions(), await stepsOf(body.sessionId)]).toEqual([open, before])
})
