import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { t, text } from '@bursar/contracts/schema'
import { openStore, type Store, type Tx, UnknownOutcomeError } from '@bursar/store'
import { idempotencyKeys, meta } from '@bursar/store/schema'
import { tempDir } from '@bursar/testing'
import { Elysia } from 'elysia'
import { createIdentity, createMetrics, createSeal, idempotent, identityHeader, plainHealth, service } from '../src'
import type { Reply } from '../src/routes/idempotency'
import { send } from './sample-app'

const store = await openStore({
  service: 'sample',
  file: join(tempDir(), 'sample.sqlite'),
  migrations: join(import.meta.dir, 'migrations'),
})
afterAll(() => store.close())

let work: () => Promise<void> = async () => {}
const identity = createIdentity('quote', Buffer.alloc(32, 1), () => new Date())
const now = () => new Date()
const once = idempotent({ store, identity, now })
const sealed = idempotent({ store, identity, now }, { seal: createSeal(Buffer.alloc(32, 9)) })
const app = service({
  name: 'sample',
  version: '1',
  description: 'A sample.',
  shape: 'message',
  log: silentLog,
  metrics: createMetrics('sample', '1'),
  health: plainHealth('sample', '1', {}),
}).use(
  new Elysia()
    .post(
      '/notes',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const answer = await store.commit(async (tx) => {
            // This table stands in for one of the service's own: each row is one effect, and no name may have two.
            await tx.insert(meta).values({ key: body.name, value: 'effect' })
            return await reply(tx, 201, { name: body.name, at: crypto.randomUUID() }, { 'x-note': body.name })
          })
          await work()
          return answer
        }),
      { body: t.Object({ name: text() }) },
    )
    .post('/secrets', ({ request, set }) =>
      sealed({ request, set }, (reply) => store.commit((tx) => reply(tx, 200, { secret: 'hunter2' }))),
    ),
)

const post = (name: string, key?: string, header = 'idempotency-key', more: Record<string, string> = {}) =>
  send(app, 'POST', '/v1/notes', {
    body: { name },
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { [header]: key }), ...more },
  })
const effects = async (name: string) => (await store.read.select().from(meta)).filter(({ key }) => key === name).length

describe('a POST with an idempotency key', () => {
  test('is answered from memory the second time', async () => {
    const first = await post('a', 'key-a')
    const second = await post('a', 'key-a')
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await effects('a')).toBe(1)
  })

  test('may carry it in X-Idempotency-Key', async () => {
    const first = await post('b', 'key-b', 'x-idempotency-key')
    expect((await post('b', 'key-b')).body).toEqual(first.body)
  })

  test('with another key in each of the two headers is refused, and with one in both is not', async () => {
    const twice = (other: string) => post('two-keys', 'key-1', 'idempotency-key', { 'x-idempotency-key': other })
    const refused = await twice('key-2')
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'Idempotency-Key and X-Idempotency-Key differ: send one of them',
    ])
    expect(await effects('two-keys')).toBe(0)
    expect((await twice('key-1')).status).toBe(201)
    expect((await twice('key-1')).headers.get('idempotent-replayed')).toBe('true')
  })

  test('replays status and headers too', async () => {
    await post('headers', 'key-headers')
    const again = await post('headers', 'key-headers')
    expect(again.headers.get('x-note')).toBe('headers')
  })

  const tokenOf = (kind: 'service' | 'user' | 'participant', subject: string) =>
    identity.sign({ kind, subject, participantId: null, roles: [] }, 'quote')
  const as = async (...caller: Parameters<typeof tokenOf>) => ({ [identityHeader]: await tokenOf(...caller) })

  test('belongs to its verified caller, whose token is another one each time', async () => {
    const first = await post('t', 'key-t', 'idempotency-key', await as('service', 'participant'))
    setSystemTime(new Date(Date.now() + 2000))
    const again = await post('t', 'key-t', 'idempotency-key', await as('service', 'participant'))
    setSystemTime()
    expect(again.body).toEqual(first.body)
    for (const [name, kind, subject] of [
      ['u', 'service', 'account'],
      ['v', 'user', 'participant'],
    ] as const) {
      const other = await post(name, 'key-t', 'idempotency-key', await as(kind, subject))
      expect(other.headers.get('idempotent-replayed')).toBeNull()
    }
  })

  test('belongs to the participant that its caller acts for', async () => {
    const actingFor = async (participantId: string) => ({
      [identityHeader]: await identity.sign({ kind: 'user', subject: 'admin', participantId, roles: [] }, 'quote'),
    })
    const first = await post('for-1', 'key-for', 'idempotency-key', await actingFor('one'))
    expect((await post('for-1', 'key-for', 'idempotency-key', await actingFor('one'))).body).toEqual(first.body)
    const other = await post('for-2', 'key-for', 'idempotency-key', await actingFor('other'))
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  test('is not given to someone who names the caller in a forged token', async () => {
    const forger = createIdentity('quote', Buffer.alloc(32, 66), () => new Date())
    await post('victim', 'key-victim', 'idempotency-key', await as('user', 'victim'))
    const caller = { kind: 'user', subject: 'victim', participantId: null, roles: [] } as const
    const forged = { [identityHeader]: await forger.sign(caller, 'quote') }
    expect((await post('victim', 'key-victim', 'idempotency-key', forged)).status).toBe(401)
  })

  const rowOf = async (key: string) => (await store.read.select().from(idempotencyKeys)).find((row) => row.key === key)

  test('is kept for a day, and forever for another service', async () => {
    await post('kept-1', 'kept-1', 'idempotency-key', await as('service', 'participant'))
    expect((await rowOf('kept-1'))?.expiresAt).toBeNull()
    await post('kept-2', 'kept-2', 'idempotency-key', await as('user', 'participant'))
    const row = await rowOf('kept-2')
    expect(row?.expiresAt?.getTime()).toBe((row?.createdAt.getTime() ?? 0) + 24 * 60 * 60 * 1000)
  })

  test('acts anew once the key has expired', async () => {
    expect((await post('x1', 'key-x')).status).toBe(201)
    setSystemTime(new Date(Date.now() + 24 * 60 * 60 * 1000 + 1))
    const later = await post('x2', 'key-x')
    setSystemTime()
    expect(later.status).toBe(201)
    expect(later.headers.get('idempotent-replayed')).toBeNull()
    expect(await effects('x2')).toBe(1)
  })

  test('keeps an answer with secrets encrypted', async () => {
    const ask = () =>
      send(app, 'POST', '/v1/secrets', {
        body: {},
        headers: { 'idempotency-key': 'key-secret', 'content-type': 'application/json' },
      })
    await ask()
    expect((await rowOf('key-secret'))?.body).not.toContain('hunter2')
    expect((await ask()).body).toEqual({ secret: 'hunter2' })
  })

  test('is the same with a slash at the end of the path', async () => {
    const first = await post('s', 'key-s')
    const again = await send(app, 'POST', '/v1/notes/', {
      body: { name: 's' },
      headers: { 'content-type': 'application/json', 'idempotency-key': 'key-s' },
    })
    expect(again.body).toEqual(first.body)
    expect(await effects('s')).toBe(1)
  })

  test('with another body is 422', async () => {
    await post('c', 'key-c')
    const answer = await post('d', 'key-c')
    expect(answer.status).toBe(422)
    expect(await effects('d')).toBe(0)
  })

  test('in 200 copies at once acts once; the others are told to wait or get the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('e', 'key-e')))
    const made = answers.filter((answer) => answer.status === 201)
    expect(made.length).toBeGreaterThan(0)
    const others = answers.filter((answer) => answer.status !== 201)
    expect(others.every(({ status, headers }) => status === 409 && headers.get('retry-after') === '1')).toBe(true)
    expect(new Set(made.map((answer) => answer.body.at)).size).toBe(1)
    expect(await effects('e')).toBe(1)
  })

  test('that fails leaves no trace of its key', async () => {
    await post('f')
    expect((await post('f', 'key-f')).status).toBe(500)
    expect((await post('g', 'key-f')).status).toBe(201)
  })

  test('that fails after its commit forgets the answer', async () => {
    work = () => Promise.reject(new Error('could not publish'))
    expect((await post('h', 'key-h')).status).toBe(500)
    work = async () => {}
    expect((await post('i', 'key-h')).status).toBe(201)
  })

  test.each(['', 'a b', 'x'.repeat(256)])('%j is refused', async (key) => {
    expect((await post('j', key)).status).toBe(400)
  })

  test('without one every call acts', async () => {
    expect((await post('k')).status).toBe(201)
    expect((await post('k')).status).toBe(500)
  })
})

describe('where several instances share a database', () => {
  const at = new Date('2026-11-24T12:00:00Z')
  /** An instance's answer to a request that makes a note. */
  const note = (own: Store, name: string, key: string) => {
    const request = new Request('http://localhost/v1/notes', { method: 'POST', headers: { 'idempotency-key': key } })
    const body = async (tx: Tx, reply: Reply) => {
      await tx.insert(meta).values({ key: name, value: 'effect' })
      return await reply(tx, 201, { name })
    }
    const instance = idempotent({ store: own, identity, now: () => at })
    return instance({ request, set: { headers: {} } }, (reply) => own.commit((tx) => body(tx, reply)))
  }

  test('an answer is kept when it is not known whether its commit was made', async () => {
    let isLost = true
    const losing: Store = {
      ...store,
      async commit(...given) {
        const made = await store.commit(...given)
        if (!isLost) return made
        isLost = false
        throw new UnknownOutcomeError('The connection was lost')
      },
    }
    expect(await note(losing, 'unknown', 'key-unknown').catch((error: unknown) => error)).toBeInstanceOf(
      UnknownOutcomeError,
    )
    expect(await note(store, 'unknown twice', 'key-unknown')).toMatchObject({ response: { name: 'unknown' } })
    expect([await effects('unknown'), await effects('unknown twice')]).toEqual([1, 0])
  })

  test('a copy of a request that meets another instance’s leaves its answer alone', async () => {
    let isFirst = true
    const meeting: Store = {
      ...store,
      async commit(body, ...options) {
        if (isFirst) {
          isFirst = false
          // As when the database lets one of two transactions that meet run again.
          const taken = new Error('40001')
          const run = store.commit(async (tx) => {
            await body(tx)
            throw taken
          })
          expect(await run.catch((error: unknown) => error)).toBe(taken)
          await note(store, 'faster', 'key-met')
        }
        return await store.commit(body, ...options)
      },
    }
    expect(await note(meeting, 'slower', 'key-met').catch((error: unknown) => error)).toMatchObject({
      code: 'CONFLICT',
      headers: { 'retry-after': '1' },
    })
    expect(await note(store, 'again', 'key-met')).toMatchObject({ response: { name: 'faster' } })
    expect([await effects('faster'), await effects('slower'), await effects('again')]).toEqual([1, 0, 0])
  })

  test('so does one that was to be answered, and is refused when its commit runs again', async () => {
    const request = new Request('http://localhost/v1/notes', {
      method: 'POST',
      headers: { 'idempotency-key': 'refused' },
    })
    const refused = new Error('refused')
    const meeting = idempotent({ store, identity, now: () => at })({ request, set: { headers: {} } }, async (reply) => {
      // As when the database takes back the first run of a body, and the second one finds what another instance has written.
      const first = store.commit(async (tx) => {
        await reply(tx, 201, { name: 'slower' })
        throw refused
      })
      await first.catch(() => {})
      // A server gives no number twice; a file gives again what was taken back.
      await note(store, 'between', 'key-between')
      await note(store, 'elsewhere', 'refused')
      return await first
    })
    expect(await meeting.catch((error: unknown) => error)).toBe(refused)
    expect(await note(store, 'repeated', 'refused')).toMatchObject({ response: { name: 'elsewhere' } })
    expect([await effects('elsewhere'), await effects('repeated')]).toEqual([1, 0])
  })
})
