import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { admin, openConsole, type TestConsole } from './console-harness'

let opened: TestConsole
let cookie: string
let adminId: string
const missing = '01a1fe8f-0000-7000-8000-0000000000d1'

beforeAll(async () => {
  opened = await openConsole()
  cookie = await opened.logIn()
  adminId = (await opened.ask('/session', { cookie })).body.user.id
  for (const name of ['One', 'Two', 'Three']) {
    const change = await opened.ask(`/identity/v1/users/${adminId}`, { method: 'PUT', cookie, body: { name } })
    expect(change.status).toBe(200)
  }
  await opened.ask(`/identity/v1/users/${missing}`, { method: 'PUT', cookie, body: { name: 'X' } })
})
afterAll(() => opened?.close())

interface Act {
  id: string
  action: string
  object: string | null
  newStatus: string | null
  status: number | null
  at: string
}
const list = async (query = ''): Promise<Act[]> => {
  const { status, body } = await opened.ask(`/audit${query}`, { cookie })
  expect(status).toBe(200)
  return body
}

/** The outcome of a whole check, which goes on with the next request where it takes long. */
const verified = (of: TestConsole, by: string) =>
  until(
    async () => {
      const { body } = await of.ask('/audit/verify', { cookie: by })
      return body.isComplete && body
    },
    { what: 'the whole chain to be checked' },
  )

describe('GET /console/api/audit', () => {
  test('lists actions, newest first, with their log-in', async () => {
    const acts = await list()
    expect(acts.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'PUT /users/:userId 404',
      'PUT /users/:userId 200',
      'PUT /users/:userId 200',
      'PUT /users/:userId 200',
      'POST /console/api/session 200',
    ])
    const ids = acts.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().reverse())
  })

  test('pages, and filters by object, actor, action and time', async () => {
    const all = await list()
    const found: string[] = []
    for (let after = ''; ; ) {
      const [next] = await list(`?limit=1${after}`)
      if (!next) break
      found.push(next.id)
      after = `&after=${next.id}`
    }
    expect(found).toEqual(all.map(({ id }) => id))
    expect((await list(`?object=${missing}`)).map(({ id }) => id)).toEqual([all[0]?.id ?? ''])
    expect(await list(`?actor=${adminId}`)).toEqual(all)
    expect(await list(`?actor=${missing}`)).toEqual([])
    expect(await list(`?action=${encodeURIComponent('POST /console/api/session')}`)).toEqual(all.slice(4))
    expect(await list(`?object=${adminId}&action=${encodeURIComponent('PUT /users/:userId')}`)).toEqual(all.slice(1, 4))
    expect(await list(`?to=${all[4]?.at}`)).toEqual([])
    expect(await list(`?from=2020-01-01&to=2999-01-01`)).toEqual(all)
    expect(await list('?from=2999-01-01')).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'after=x', 'from=yesterday', 'actor='])(
    '400 for ?%s',
    async (query) => {
      expect((await opened.ask(`/audit?${query}`, { cookie })).status).toBe(400)
    },
  )

  test('one action has its changes, and its place in the chain', async () => {
    const [, , second] = await list()
    const { body } = await opened.ask(`/audit/${second?.id}`, { cookie })
    expect(body).toMatchObject({
      id: second?.id,
      door: 'console',
      roles: ['admin'],
      address: '127.0.0.1',
      request: { params: { userId: adminId }, body: { name: 'Two' } },
      before: { id: adminId, name: 'One' },
      after: { id: adminId, name: 'Two' },
    })
    const numbers = body.rows.map((row: { number: number }) => row.number)
    expect(numbers[1]).toBe(numbers[0] + 1)
    expect((await opened.ask(`/audit/${missing}`, { cookie })).status).toBe(404)
  })

  test('a refused action has its answer', async () => {
    const [refused] = await list()
    const { body } = await opened.ask(`/audit/${refused?.id}`, { cookie })
    expect(body).toMatchObject({ status: 404, before: null, answer: { error: { code: 'NOT_FOUND' } } })
  })

  test('exports CSV, with the filters of the list', async () => {
    const { status, headers, text } = await opened.ask(`/audit/export?object=${missing}`, { cookie })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe(
      'id,at,door,actor,roles,session,address,service,action,object,status,answeredAt,requestId,newStatus',
    )
    expect(lines[1]).toContain(`,console,${adminId},admin,`)
  })

  test('verifies the whole chain', async () => {
    const body = await verified(opened, cookie)
    expect(body).toMatchObject({ intact: true, isComplete: true, rows: 10, problem: null, unanswered: 0 })
    expect(body.head).toEqual({ number: 10, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test.each(['', '/verify', '/export', `/${missing}`])('401 without a session: /audit%s', async (path) => {
    expect((await opened.ask(`/audit${path}`)).status).toBe(401)
  })

  test('has no password', async () => {
    const acts = await list()
    const details = await Promise.all(acts.map(({ id }) => opened.ask(`/audit/${id}`, { cookie })))
    expect(details.map(({ text }) => text).join()).not.toContain(admin.password)
  })
})

describe('the status that an act has set', () => {
  test('is told, but not one that was so before', async () => {
    const console = await openConsole()
    const cookie = await console.logIn()
    const roleId = '01900000-0000-7000-a000-000000000003'
    const invited = { name: 'Vera', email: 'vera@bursar.example', roleId }
    const { body: made } = await console.ask('/identity/v1/users', { method: 'POST', cookie, body: invited })
    for (const body of [{ status: 'DISABLED' }, { name: 'Vera B.', status: 'DISABLED' }, { name: 'Vera C.' }]) {
      const { status } = await console.ask(`/identity/v1/users/${made.id}`, { method: 'PUT', cookie, body })
      expect(status).toBe(200)
    }
    const { body: acts } = await console.ask(`/audit?object=${made.id}`, { cookie })
    expect(acts.map(({ newStatus }: Act) => newStatus)).toEqual([null, null, 'DISABLED', null])
    await console.close()
  })
})

test('a long name whose cut is inside a character leaves the chain intact', async () => {
  const console = await openConsole()
  const cookie = await console.logIn()
  const named = (end: string) => encodeURIComponent('x'.repeat(199) + end)
  for (const end of ['😀', 'ää', '😀😀'])
    await console.ask(`/identity/v1/users/${named(end)}`, { method: 'PUT', cookie, body: { name: 'Two' } })
  expect(await verified(console, cookie)).toMatchObject({ intact: true, isComplete: true, problem: null })
  await console.close()
})
