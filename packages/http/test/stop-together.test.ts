// Services that share a process call each other for what is under way when all of them stop.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { Elysia } from 'elysia'
import {
  type Deps,
  fetchPeer,
  type RunningService,
  type ServiceDefinition,
  service,
  serviceConfig,
  startService,
  stopTogether,
} from '../src'

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.stop())

interface Two {
  /** Calls the other. */
  asking: RunningService
  asked: RunningService
  /** Of the other's, by the way that services of a process take. */
  ask(path: string): Promise<Response>
}

/** Two services of this process; the first has what is given. */
async function startTwo(more: (ask: Two['ask']) => Partial<ServiceDefinition> & { routes?: Elysia }): Promise<Two> {
  const dataDir = tempDir()
  const port = await freePort()
  const env = { DATA_DIR: dataDir, REDIS_URL: redis.url, LOG_LEVEL: 'silent', ACCOUNT_PORT: '0', QUOTE_PORT: `${port}` }
  const start = (name: ServiceName, { routes = new Elysia(), ...given }: ReturnType<typeof more>) =>
    startService(serviceConfig(env, name), {
      migrations: join(import.meta.dir, 'migrations'),
      deps: (common) => common,
      app: (deps: Deps) => service({ ...deps, name, description: 'A sample.', shape: 'object' }).use(routes),
      ...given,
    })
  const asked = await start('quote', {
    routes: new Elysia().get('/said', () => ({ said: 'here' })) as never,
  })
  const ask: Two['ask'] = (path) => fetchPeer(`${asked.url}${path}`, { signal: new AbortController().signal })
  return { asked, asking: await start('account', more(ask)), ask }
}

const isClosed = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  )

test('a request that is under way gets the answer of the other, whose port has closed', async () => {
  const gate = Promise.withResolvers<void>()
  let arrived = false
  const { asking, asked, ask } = await startTwo((ask) => ({
    routes: new Elysia().get('/asks', async () => {
      arrived = true
      await gate.promise
      return await (await ask('/said')).json()
    }) as never,
  }))
  const answer = fetch(`${asking.url}/asks`)
  await until(() => arrived)
  const stopping = stopTogether([asking, asked])
  await until(() => isClosed(asked.url))
  gate.resolve()
  expect(await (await answer).json()).toEqual({ said: 'here' })
  expect(await stopping).toEqual([])
  await expect(ask('/said')).rejects.toThrow('Unable to connect')
})

test('each step of a stop is taken by all before the next, so that what is under way finds all that it needs', async () => {
  const taken: string[] = []
  const gate = Promise.withResolvers<void>()
  const fake = (name: string, slow: Promise<void>) => {
    const step = (at: number) => async () => {
      if (at === 1) await slow
      taken.push(`${name} ${at}`)
    }
    return { steps: [0, 1, 2].map(step) }
  }
  const stopping = stopTogether([fake('slow', gate.promise), fake('fast', Promise.resolve())])
  await until(() => taken.includes('fast 1'))
  expect(taken).toEqual(['slow 0', 'fast 0', 'fast 1'])
  gate.resolve()
  await stopping
  expect(taken.slice(3)).toEqual(['slow 1', 'slow 2', 'fast 2'])
})

test('one that fails to stop keeps no other from it, and its error is told', async () => {
  const error = new Error('a worker that cannot stop')
  const { asking, asked } = await startTwo(() => ({ workers: () => [{ stop: () => Promise.reject(error) }] }))
  expect(await stopTogether([asking, asked])).toEqual([error])
  // What its workers may still need is not closed.
  expect([await isClosed(asked.url), await isClosed(asking.url)]).toEqual([true, false])
  // Once stopped, it stays so.
  await asked.stop()
  for (const step of asking.steps.slice(1)) await step()
})

test('a service that stops no longer waits for others while its workers end', async () => {
  const seen: string[] = []
  const { asking, asked } = await startTwo(() => ({
    deps(common) {
      common.restarts.end = () => void seen.push('waits end')
      return common
    },
    workers: () => [{ stop: async () => void seen.push('worker stops') }],
  }))
  await stopTogether([asking, asked])
  await asking.stop()
  expect(seen).toEqual(['waits end', 'worker stops'])
})
