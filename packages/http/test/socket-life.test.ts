import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { Elysia } from 'elysia'
import {
  type Deps,
  type Environment,
  fetchPeer,
  type ServiceDefinition,
  service,
  serviceConfig,
  startService,
} from '../src'

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.stop())

const configOf = (dataDir: string, env: Environment = {}) =>
  serviceConfig(
    { ACCOUNT_PORT: '0', DATA_DIR: dataDir, REDIS_URL: redis.url, LOG_LEVEL: 'silent', LOG_FORMAT: 'json', ...env },
    'account',
  )

const definition: ServiceDefinition = {
  migrations: join(import.meta.dir, 'migrations'),
  deps: (common) => common,
  app: (deps: Deps) => service({ ...deps, name: 'account', description: 'A sample.', shape: 'object' }),
}

/** Runs a service, and what is looked at meanwhile. */
async function during<T>(
  look: (url: string) => T | Promise<T>,
  {
    dataDir = tempDir(),
    env = {},
    more = {},
  }: { dataDir?: string; env?: Environment; more?: Partial<ServiceDefinition> } = {},
): Promise<T> {
  const running = await startService(configOf(dataDir, env), { ...definition, ...more })
  try {
    return await look(running.url)
  } finally {
    await running.stop()
  }
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : null)

describe('a service that runs', () => {
  test('answers by a socket in its data folder as by its port, until it stops', async () => {
    const dataDir = tempDir()
    const folder = join(dataDir, 'sockets')
    await during(
      async (url) => {
        expect(filesIn(folder)).toEqual([`${new URL(url).port}.sock`])
        expect(statSync(folder).mode & 0o777).toBe(0o700)
        const file = join(folder, `${new URL(url).port}.sock`)
        for (const [path, status] of [
          ['/v1/health/live', 200],
          ['/v1/nothing', 404],
        ] as const) {
          const answers = await Promise.all([fetch(url + path), fetch(url + path, { unix: file })])
          expect(answers.map((answer) => answer.status)).toEqual([status, status])
        }
        // The same doors: a foreign host is refused here as well.
        expect((await fetch('http://evil.example/v1/health/live', { unix: file })).status).toBe(400)
      },
      { dataDir },
    )
    expect(filesIn(folder)).toEqual([])
  })

  test('has its socket where the setting says, and none where it says none', async () => {
    const [dataDir, other] = [tempDir(), join(tempDir(), 'run')]
    expect(await during(() => filesIn(other), { dataDir, env: { SOCKET_DIR: other } })).toHaveLength(1)
    expect(await during(() => filesIn(join(dataDir, 'sockets')), { dataDir, env: { SOCKET_DIR: 'none' } })).toBeNull()
    expect(configOf(dataDir, { SOCKET_DIR: 'none' }).socketDir).toBeNull()
    // Wherever a process is started.
    expect(configOf('data', { SOCKET_DIR: 'run' }).socketDir).toBe(join(process.cwd(), 'run'))
  })

  test('has none when no service calls it', async () => {
    const dataDir = tempDir()
    expect(await during(() => filesIn(join(dataDir, 'sockets')), { dataDir, more: { isCalled: false } })).toEqual([])
  })

  test('closes a folder that others may look into, and does without one that all users share', async () => {
    const [open, shared] = [tempDir(), tempDir()]
    for (const [folder, mode] of [
      [open, 0o755],
      [shared, 0o1777],
    ] as const)
      chmodSync(folder, mode)
    expect(await during(() => statSync(open).mode & 0o777, { env: { SOCKET_DIR: open } })).toBe(0o700)
    expect(await during(() => filesIn(shared), { env: { SOCKET_DIR: shared } })).toEqual([])
    const file = join(tempDir(), 'file')
    await Bun.write(file, '')
    expect(await during((url) => fetch(`${url}/health/live`).then(({ ok }) => ok), { env: { SOCKET_DIR: file } })).toBe(
      true,
    )
  })

  test('calls others by the sockets of that folder, but where it has none', async () => {
    const port = await freePort()
    const isCalled = async (dataDir: string, env: Environment) =>
      await during(
        async () => {
          const folder = join(dataDir, 'sockets')
          mkdirSync(folder, { recursive: true })
          const other = Bun.serve({ unix: join(folder, `${port}.sock`), fetch: () => new Response() })
          const call = fetchPeer(`http://127.0.0.1:${port}`, { signal: new AbortController().signal })
          return await call
            .then(
              ({ ok }) => ok,
              () => false,
            )
            .finally(() => other.stop(true))
        },
        { dataDir, env },
      )
    expect(await isCalled(tempDir(), { SOCKET_DIR: 'none' })).toBe(false)
    expect(await isCalled(tempDir(), {})).toBe(true)
  })

  /** One that is asked by its socket, and answers when it may. */
  async function askedSlowly() {
    const dataDir = tempDir()
    const [asked, may] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const routes = new Elysia().get('/slow', async () => {
      asked.resolve()
      return await may.promise
    })
    const app = (deps: Deps) => (definition.app(deps) as ReturnType<typeof service>).use(routes) as never
    const running = await startService(configOf(dataDir), { ...definition, app })
    const file = join(dataDir, 'sockets', `${new URL(running.url).port}.sock`)
    const answer = fetch('http://localhost/v1/slow', { unix: file }).then(
      (response) => response.text(),
      () => 'cut off',
    )
    await asked.promise
    return { running, answer, may, file }
  }

  test('answers what is under way by the socket when it stops', async () => {
    const { running, answer, may, file } = await askedSlowly()
    const stopping = running.stop()
    await until(() => !existsSync(file))
    const words = 'in the end'
    may.resolve(words)
    expect(await answer).toBe(words)
    await stopping
  })

  test('cuts it off when its time is over', async () => {
    const { running, answer } = await askedSlowly()
    const later = setTimeout
    const sooner = (work: () => void, ms?: number) => later(work, ms === 10_000 ? 0 : ms)
    const timers = spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof setTimeout)
    await running.stop()
    timers.mockRestore()
    expect(await answer).toBe('cut off')
  })
})
