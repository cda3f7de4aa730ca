import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { t, text } from '@bursar/contracts/schema'
import { openStore } from '@bursar/store'
import { idempotencyKeys, inbox } from '@bursar/store/schema'
import { tempDir } from '@bursar/testing'
import { Elysia } from 'elysia'
import {
  createIdentity,
  createMetrics,
  foreverForServices,
  idempotent,
  identityHeader,
  plainHealth,
  service,
} from '../src'
import { send } from './sample-app'

const store = await openStore({
  service: 'sample',
  file: join(tempDir(), 'sample.sqlite'),
  migrations: join(import.meta.dir, 'migrations'),
})
afterAll(() => store.close())

let work: () => Promise<void> = async () => {}
const identity = createIdentity('quote', Buffer.alloc(32, 1))
const once = idempotent(store, { keep: foreverForServices(identity) })
const app = service({
  name: 'sample',
  version: '1',
  description: 'A sample.',
  shape: 'message',
  log: silentLog,
  metrics: createMetrics('sample', '1'),
  health: plainHealth('sample', '1', {}),
}).use(
  new Elysia().post(
    '/notes',
    ({ request, set, body }) =>
      once({ request, set }, 201, async (store) => {
        // The inbox stands in for a table of the service's own: each row is one effect.
        const note = await store.commit(async (tx) => {
          await tx.insert(inbox).values({ eventId: body.name, receivedAt: new Date() })
          return { name: body.name, at: crypto.randomUUID() }
        })
        await work()
        return note
      }),
    { body: t.Object({ name: text() }) },
  ),
)

const post = (name: string, key?: string, header = 'idempotency-key', more: Record<string, string> = {}) =>
  send(app, 'POST', '/v1/notes', {
    body: { name },
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { [header]: key }), ...more },
  })
const effects = async (name: string) =>
  (await store.read.select().from(inbox)).filter((row) => row.eventId === name).length

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

  test('is its caller’s, whose token is another one each time', async () => {
    const as = async (subject: string, secret: string) => {
      const identity = createIdentity('quote', Buffer.from(secret.repeat(32)))
      const caller = { kind: 'service', subject, participantId: null, roles: [] } as const
      return { [identityHeader]: await identity.sign(caller, 'quote') }
    }
    // Another signature stands in for another second.
    const first = await post('t', 'key-t', 'idempotency-key', await as('participant', 'a'))
    const again = await post('t', 'key-t', 'idempotency-key', await as('participant', 'b'))
    expect(again.body).toEqual(first.body)
    const other = await post('u', 'key-t', 'idempotency-key', await as('account', 'a'))
    expect(other.headers.get('idempotent-replayed')).toBeNull()
  })

  test('is kept for a day, and for ever for a service that proves to be one', async () => {
    const keptAs = async (key: string, kind: 'service' | 'user', by = identity) => {
      const caller = { kind, subject: 'participant', participantId: null, roles: [] } as const
      const answer = await post(key, key, 'idempotency-key', { [identityHeader]: await by.sign(caller, 'quote') })
      expect(answer.status).toBe(201)
      const row = (await store.read.select().from(idempotencyKeys)).find((row) => row.key === key)
      return row?.expiresAt ?? null
    }
    const day = expect.any(Date)
    expect(await keptAs('kept-1', 'service')).toBeNull()
    expect(await keptAs('kept-2', 'user')).toEqual(day)
    expect(await keptAs('kept-3', 'service', createIdentity('quote', Buffer.alloc(32, 2)))).toEqual(day)
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
    expect(answers.every((answer) => answer.status === 201 || answer.status === 409)).toBe(true)
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
