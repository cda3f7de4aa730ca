import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connectBus } from '@bursar/bus'
import { type Envelope, event, eventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { t } from '@bursar/contracts/schema'
import { receive } from '@bursar/store'
import { type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { Elysia } from 'elysia'
import { consumer, type Deps, type ServiceDefinition, service, serviceConfig, startService } from '../src'

const Rung = event('account.bell.rung', t.Object({ times: t.Integer() }), { consumers: ['account'] })

const secret = Buffer.alloc(32, 4)
let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.stop())

const configIn = (dataDir: string) =>
  serviceConfig(
    {
      ACCOUNT_PORT: '0',
      DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'silent',
      INTERNAL_SECRET: secret.toString('base64'),
    },
    'account',
  )

const definition = (more: Partial<ServiceDefinition> & { routes?: Elysia }): ServiceDefinition => ({
  migrations: join(import.meta.dir, 'migrations'),
  deps: (common) => common,
  app: (deps: Deps) =>
    service({ ...deps, name: 'account', description: 'A sample.', shape: 'object' }).use(more.routes ?? new Elysia()),
  ...more,
})

describe('the life of a service', () => {
  test('a start with an address that is not of Redis leaves nothing open', async () => {
    const config = configIn(tempDir())
    const wrong = startService({ ...config, redisUrl: 'http://127.0.0.1:1' }, definition({}))
    expect(await wrong.catch((error: Error) => error.message)).toStartWith('The URL of Redis must be ')
    const running = await startService(config, definition({}))
    await running.stop()
  })

  test('a request that is under way at the stop is answered', async () => {
    const gate = Promise.withResolvers<void>()
    let asked = false
    const routes = new Elysia().get('/slow', async () => {
      asked = true
      await gate.promise
      return { ok: true }
    })
    const running = await startService(configIn(tempDir()), definition({ routes: routes as never }))
    const answer = fetch(`${running.url}/slow`)
    await until(() => asked)
    const stopping = running.stop()
    gate.resolve()
    expect(await (await answer).json()).toEqual({ ok: true })
    await stopping
  })

  test('a service that has stopped leaves nothing with the process, which would keep all of it in memory', async () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)])
    const run = async () => await (await startService(configIn(tempDir()), definition({}))).stop()
    await run()
    const before = listeners()
    await run()
    expect(listeners()).toEqual(before)
  })

  test('workers start once the port is open, and stop before it closes', async () => {
    const seen: string[] = []
    let url = ''
    const isOpen = async () => ((await fetch(`${url}/health`).catch(() => null)) ? 'open' : 'closed')
    let deps: Deps | undefined
    const running = await startService(
      configIn(tempDir()),
      definition({
        deps: (common) => {
          deps = common
          return common
        },
        workers: () => {
          seen.push('started')
          return [{ stop: async () => void seen.push(`stopped while ${await isOpen()}`) }]
        },
      }),
    )
    url = running.url
    expect(deps?.version).toBeString()
    await running.stop()
    expect(seen).toEqual(['started', 'stopped while open'])
    expect(await isOpen()).toBe('closed')
  })

  test('what waits for a person in it is in its health and its figures, until it waits no more', async () => {
    let orders: string | null = '2 orders wait'
    const running = await startService(
      configIn(tempDir()),
      definition({ waits: () => ({ orders: async () => orders }) }),
    )
    const told = async () => ((await (await fetch(`${running.url}/health`)).json()) as { waiting?: string[] }).waiting
    const figures = async () => (await (await fetch(`${running.url}/metrics`)).text()).match(/^bursar_waiting\{.*$/gm)
    expect(await until(told)).toEqual(['2 orders wait'])
    expect(await until(figures)).toEqual([expect.stringMatching(/what="orders".* 1$/)])
    orders = null
    await until(async () => (await figures()) === null)
    expect(await told()).toBeUndefined()
    await running.stop()
  })

  test('an event that is being handled at the stop is finished before the database closes', async () => {
    const gate = Promise.withResolvers<void>()
    let taken = false
    const outcome: string[] = []
    const running = await startService(
      configIn(tempDir()),
      definition({
        consumers: ({ store }) => [
          consumer(Rung, async (envelope) => {
            taken = true
            await gate.promise
            await receive(store, envelope, async () => {})
            outcome.push('received')
          }),
        ],
      }),
    )
    const producer = connectBus({ url: redis.url, service: 'account', log: silentLog, secret, patienceMs: 60_000 })
    await producer.publish(
      [
        {
          id: Bun.randomUUIDv7(),
          name: Rung.name,
          type: Rung.type,
          timestamp: new Date().toISOString(),
          requestId: null,
          service: 'account',
          data: { times: 1 },
        } satisfies Envelope,
      ].map(eventText),
    )
    await until(() => taken)
    const stopping = running.stop()
    gate.resolve()
    await stopping
    expect(outcome).toEqual(['received'])
    await producer.close()
  })

  test('a write after the database was closed is answered with 503', async () => {
    let deps: Deps | undefined
    const write = () => deps?.store.commit(async () => ({ ok: true }))
    const running = await startService(
      configIn(tempDir()),
      definition({
        routes: new Elysia().post('/write', write) as never,
        deps: (common) => {
          deps = common
          return common
        },
      }),
    )
    const post = () => fetch(`${running.url}/write`, { method: 'POST' })
    expect((await post()).status).toBe(200)
    await deps?.store.close()
    const refused = await post()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    await running.stop()
  })

  test('unexpected errors reach the log tracker, twenty of them at most between two checks', async () => {
    const tracker: Envelope[] = []
    const bus = connectBus({ url: redis.url, service: 'log-tracker', log: silentLog, secret })
    const consuming = bus.consume(async (envelope) => void tracker.push(envelope), { concurrency: 8 })
    const gate = Promise.withResolvers<void>()
    let asked = 0
    let deps: Deps | undefined
    const routes = new Elysia().get('/break', async () => {
      asked += 1
      await gate.promise
      throw new Error('password=hunter2')
    })
    const running = await startService(
      configIn(tempDir()),
      definition({
        routes: routes as never,
        deps: (common) => {
          deps = common
          return common
        },
      }),
    )
    // All in one moment: a busy machine may need longer for thirty requests than lies between two checks.
    const broken = Array.from({ length: 30 }, () => fetch(`${running.url}/break`))
    await until(() => asked === 30)
    gate.resolve()
    await Promise.all(broken)
    // At its stop the service waits for Redis for a moment only; what is left then is published at its next start.
    expect(await deps?.relay.flush(60_000)).toBe(true)
    await running.stop()
    const isFailure = ({ name, data }: Envelope) =>
      name === LogRecorded.name && (data as { event_type: string }).event_type === 'ERROR_OCCURRED'
    // Once each: an event whose publish was not answered in time may come twice.
    const failures = () => new Set(tracker.filter(isFailure).map(({ id }) => id)).size
    await until(() => failures() >= 20)
    // Those that come after the twentieth would be on the queue by now.
    await until(async () => (await bus.depth()) === 0)
    expect(failures()).toBe(20)
    expect(JSON.stringify(tracker)).not.toContain('hunter2')
    await consuming.close()
    await bus.close()
  })
})

describe('the data folder', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o7777

  test('is closed to others where it was open to them, and left where it is the owner’s alone', async () => {
    for (const mode of [0o755, 0o770, 0o701, 0o700]) {
      const dataDir = join(tempDir(), 'data')
      mkdirSync(dataDir)
      chmodSync(dataDir, mode)
      const running = await startService(configIn(dataDir), definition({}))
      expect(modeOf(dataDir)).toBe(0o700)
      await running.stop()
    }
  })

  test('is none that all users share', async () => {
    const dataDir = join(tempDir(), 'shared')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o1777)
    const started = startService(configIn(dataDir), definition({}))
    expect(started).rejects.toThrow(`DATA_DIR is ${dataDir}, which all users share: set it to a folder of its own.`)
    await started.catch(() => {})
    expect(modeOf(dataDir)).toBe(0o1777)
  })
})
