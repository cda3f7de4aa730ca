import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connectBus } from '@bursar/bus'
import { type EventType, event, eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { Operations } from '@bursar/contracts/operations'
import { t } from '@bursar/contracts/schema'
import { emit, receive } from '@bursar/store'
import { type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { Value } from '@sinclair/typebox/value'
import { RedisClient } from 'bun'
import {
  type Caller,
  consumer,
  createIdentity,
  type Deps,
  identityHeader,
  type RunningService,
  service,
  serviceConfig,
  startService,
} from '../src'

const Rung = event('account.bell.counted', t.Object({ times: t.Integer() }), { consumers: ['account'] })
/** As a release that is gone has declared it. */
const Gone: EventType = { name: 'account.bell.gone', type: 'account.bell.gone', payload: t.Object({}), consumers: [] }

const secret = Buffer.alloc(32, 5)
const identity = createIdentity('gateway', secret, () => new Date())
const gateway: Caller = { kind: 'service', subject: 'gateway', participantId: null, roles: [] }
const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

/** A service of its own, with its Redis: what one test does to it is none of the others' matter. */
async function openService() {
  const redis: TestRedis = await testRedis()
  const seen: number[] = []
  const bell = { isBroken: true }
  let common: Deps | undefined
  const env = {
    ACCOUNT_PORT: '0',
    DATA_DIR: tempDir(),
    REDIS_URL: redis.url,
    LOG_LEVEL: 'silent',
    INTERNAL_SECRET: secret.toString('base64'),
  }
  const running: RunningService = await startService(serviceConfig(env, 'account'), {
    migrations: join(import.meta.dir, 'migrations'),
    deps: (given) => {
      common = given
      return given
    },
    app: (own) => service({ ...own, name: 'account', description: 'A sample.', shape: 'object' }),
    consumers: ({ store }) => [
      consumer(Rung, async (envelope) => {
        if (bell.isBroken) throw new Error('The bell is broken')
        await receive(store, envelope, async () => void seen.push(envelope.data.times))
      }),
    ],
  })
  opened.push({
    async close() {
      await running.stop()
      await redis.stop()
    },
  })
  async function ask(method: string, path: string, caller: Caller | null = gateway) {
    const headers: Record<string, string> = caller ? { [identityHeader]: await identity.sign(caller, 'account') } : {}
    const response = await fetch(`${running.url}/internal/operations${path}`, { method, headers })
    return { status: response.status, body: (await response.json()) as Record<string, never> & Operations }
  }
  return { redis, seen, bell, deps: common as Deps, ask }
}

let well: Awaited<ReturnType<typeof openService>>
/** Before it started. */
const before = Date.now()
beforeAll(async () => {
  well = await openService()
})

const late = 'Redis does not answer'

/** Whether Redis has answered for its queue, and has what was told: also that it was late for a moment. */
const isWhole = ({ queue, outbox }: Operations) =>
  Object.values(queue).every((figure) => figure !== null) && outbox.waiting === 0 && outbox.problem === null

/** What a service says once Redis has answered it in time, and all is published where that is asked for. */
const answered = ({ ask }: Pick<typeof well, 'ask'>, { isSettled = false } = {}) =>
  until(
    async () => {
      const { body } = await ask('GET', '')
      return (!isSettled || isWhole(body)) && body.failures.messageQueue !== late && body
    },
    { what: 'Redis to answer in time' },
  )

/** Asks again while Redis does not answer in time, and says how often. */
async function askedAgain({ ask }: Pick<typeof well, 'ask'>, method: string, path: string) {
  let times = 0
  const answer = await until(async () => {
    times += 1
    const given = await ask(method, path)
    return given.status !== 503 && given
  })
  return { ...answer, times }
}

test.each([
  ['GET', ''],
  ['GET', '/dead-letters'],
  ['POST', '/dead-letters/x/retry'],
])('%s /internal/operations%s is for services of the deployment alone', async (method, path) => {
  const { ask } = well
  expect((await ask(method, path, null)).status).toBe(401)
  const administrator: Caller = { kind: 'user', subject: 'a', participantId: null, roles: ['admin'] }
  expect((await ask(method, path, administrator)).status).toBe(401)
})

test('a service that fares well', async () => {
  const { ask, deps } = well
  await until(() => deps.relay.depth() === 0)
  expect((await ask('GET', '')).status).toBe(200)
  const body = await answered(well, { isSettled: true })
  expect(Value.Check(Operations, body)).toBe(true)
  expect(body).toMatchObject({
    service: 'account',
    failures: {},
    outbox: { waiting: 0, oldestAt: null, problem: null, unknown: [] },
    queue: { depth: 0, deadLetters: 0 },
    consumers: ['account.bell.counted'],
  })
  expect(Date.parse(body.startedAt)).toBeWithin(before, Date.now() + 1)
  expect(body.database?.bytes).toBeGreaterThan(0)
  expect(body.diskFreeBytes).toBeGreaterThan(0)
})

test('a dead letter is listed with its event, its error and its attempts, and is retried once', async () => {
  const own = await openService()
  const { ask, deps, redis, bell, seen } = own
  const common = { url: redis.url, log: silentLog, patienceMs: 60_000 }
  const other = connectBus({ ...common, service: 'account', secret: Buffer.alloc(32, 9) })
  const { id } = await deps.store.commit((tx) => emit(tx, Rung, { times: 1 }))
  // Signed with another secret it fails for good at once; the usual attempts take an hour and a half.
  await until(async () => (await ask('GET', '')).body.queue.depth === 1, { what: 'the event to wait for its retry' })
  const forged = {
    id: Bun.randomUUIDv7(),
    name: Rung.name,
    type: Rung.name,
    timestamp: '',
    requestId: null,
    service: 'x',
    data: {},
  }
  await other.publish([forged].map(eventText))
  await other.close()
  await until(async () => (await ask('GET', '')).body.queue.deadLetters === 1)
  const { body } = await askedAgain(own, 'GET', '/dead-letters')
  expect(body as unknown).toMatchObject({
    total: 1,
    items: [
      {
        id: forged.id,
        consumer: 'account',
        events: [{ id: forged.id, name: 'account.bell.counted' }],
        attempts: 1,
        error: expect.stringContaining('signature'),
      },
    ],
  })
  const retry = (letter: string) => askedAgain(own, 'POST', `/dead-letters/${letter}/retry`)
  const retried = await retry(forged.id)
  // What was not answered in time may have been done.
  const state = retried.times === 1 ? 'retried' : expect.stringMatching(/^(retried|pending)$/)
  expect<unknown>(retried.body).toEqual({ id: forged.id, state })
  expect<unknown>((await retry(id)).body).toEqual({ id, state: 'pending' })
  for (const none of ['unknown', 'failed']) expect((await retry(none)).status).toBe(404)
  bell.isBroken = false
  await until(() => seen.length === 1)
  await until(async () => (await ask('GET', '')).body.queue.depth === 0)
  expect<unknown>((await retry(id)).body).toEqual({ id, state: 'done' })
  expect(seen).toEqual([1])
})

test('an event whose name has left the catalogue is named, with its number and its age', async () => {
  const { ask, deps } = await openService()
  await deps.store.commit((tx) => emit(tx, Gone, {}, new Date('2026-01-02T03:04:05.678Z')))
  await deps.store.commit((tx) => emit(tx, Gone, {}))
  const problem = 'Not in the catalogue of events: account.bell.gone'
  // A Redis that is late for a moment is a problem as well.
  const outbox = await until(async () => {
    const { body } = await ask('GET', '')
    return body.outbox.problem === problem && body.outbox
  })
  expect(outbox).toMatchObject({
    unknown: [{ name: 'account.bell.gone', count: 2, oldestAt: '2026-01-02T03:04:05.678Z' }],
  })
  expect(outbox.waiting).toBeGreaterThanOrEqual(2)
})

test('a Redis that takes no writes is a failure, told by its code alone', async () => {
  const own = await openService()
  const failures = async () => (await answered(own)).failures
  const admin = new RedisClient(own.redis.url)
  await admin.send('CONFIG', ['SET', 'maxmemory', '1'])
  expect(await failures()).toEqual({ messageQueue: 'Redis takes no writes (OOM)' })
  await admin.send('CONFIG', ['SET', 'maxmemory', '0'])
  expect(await failures()).toEqual({})
  await admin.send('REPLICAOF', ['127.0.0.1', '9'])
  expect(await failures()).toEqual({ messageQueue: 'Redis takes no writes (READONLY)' })
  admin.close()
})

test('while Redis is away: the figures of the service itself, and 503 for its dead letters', async () => {
  const { ask, redis } = await openService()
  await redis.stop()
  const { status, body } = await ask('GET', '')
  expect(status).toBe(200)
  expect(body.queue).toEqual({ depth: null, deadLetters: null })
  expect(body.failures).toEqual({ messageQueue: late })
  expect((await ask('GET', '/dead-letters')).status).toBe(503)
  expect((await ask('POST', '/dead-letters/x/retry')).status).toBe(503)
})
