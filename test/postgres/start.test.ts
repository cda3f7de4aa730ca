import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { holderOf } from '@bursar/store/file-lock'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { lineOfCommand, lineOfServices } from '../commands'

// A service as its own process, with DATABASE_URL. Debian's postgresql has the server's programs.
const root = join(import.meta.dir, '../..')
const folder = postgresPrograms()
const message = { type: 'TEXT', data: { text: 'hello' }, participantId: '018f2f3e-0000-7000-8000-0000000000aa' }

describe.skipIf(folder === null)('a service with DATABASE_URL', () => {
  const processes: Bun.Subprocess[] = []
  let server: PostgresServer
  let redis: Awaited<ReturnType<typeof testRedis>>
  let databases = 0
  beforeAll(async () => {
    server = await startPostgres(folder as string)
    redis = await testRedis()
  })
  afterEach(async () => {
    for (const each of processes.splice(0)) {
      each.kill('SIGKILL')
      await each.exited
    }
  })
  afterAll(async () => {
    await server.stop()
    await redis.stop()
  })

  const ask = async (text: string, url = server.url) => {
    const client = new Bun.SQL(url, { max: 1 })
    try {
      return [...(await client.unsafe(text))]
    } finally {
      await client.close()
    }
  }

  async function database(): Promise<string> {
    databases += 1
    await ask(`CREATE DATABASE own${databases}`)
    return server.url.replace(/\/postgres$/, `/own${databases}`)
  }

  /** Runs a program with the settings of a deployment. */
  function run(command: readonly string[], url: string, env: Record<string, string>) {
    const { TEST_DATABASE_URL: _own, ...others } = process.env
    const secret = Buffer.alloc(32, 3).toString('base64')
    const settings = { DATABASE_URL: url, REDIS_URL: redis.url, LOG_LEVEL: 'warn', INTERNAL_SECRET: secret }
    const child = Bun.spawn([...command], {
      env: { ...others, ...settings, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    processes.push(child)
    return child
  }

  /** Starts a service in a process of its own: the message service unless another one is named. */
  async function start(
    url: string,
    asked: { name?: ServiceName; slug?: string; dataDir?: string; logLevel?: string } = {},
  ) {
    const { name = 'message', slug = name, dataDir = tempDir(), logLevel = 'warn' } = asked
    const port = String(await freePort())
    const settings = { DATA_DIR: dataDir, LOG_LEVEL: logLevel, [`${slug.toUpperCase()}_PORT`]: port }
    const child = run(lineOfServices(name), url, settings)
    const base = `http://127.0.0.1:${port}`
    return {
      child,
      base,
      dataDir,
      ready: () => until(async () => (await fetch(`${base}/health`)).ok, { what: 'the service' }),
      send: async () => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(`${base}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) })
        return [answer.status, ((await answer.json()) as { id: string }).id] as const
      },
      read: async (id: string) => (await fetch(`${base}/v1/messages/${id}`)).status,
    }
  }

  test('keeps its data in a schema of its own, and finds it there after a restart; no file is made', async () => {
    const url = await database()
    const first = await start(url)
    await first.ready()
    const [status, id] = await first.send()
    expect(status).toBe(201)
    first.child.kill('SIGTERM')
    expect(await first.child.exited).toBe(0)
    expect(existsSync(join(first.dataDir, 'message.sqlite'))).toBe(false)
    expect(await ask('SELECT id FROM message.messages', url)).toEqual([{ id }])
    const again = await start(url, { dataDir: first.dataDir })
    await again.ready()
    expect(await again.read(id)).toBe(200)
    // Who restarts a service finds its process by the folder; so does a second one that must not be there.
    expect(holderOf(join(first.dataDir, 'message.sqlite'))?.pid).toBe(again.child.pid)
    const second = await start(url, { dataDir: first.dataDir })
    expect([await second.child.exited, await second.child.stderr.text()]).toEqual([
      1,
      expect.stringContaining(`is in use by process ${again.child.pid}`),
    ])
  })

  test('of two that start on an empty database both serve', async () => {
    const url = await database()
    const [one, other] = await Promise.all([start(url), start(url)])
    await Promise.all([one.ready(), other.ready()])
    const [, id] = await one.send()
    expect(await other.read(id)).toBe(200)
    expect((await other.send())[0]).toBe(201)
  })

  test.each([
    { name: 'message', slug: 'message' },
    { name: 'core-ledger', slug: 'core' },
    { name: 'log-tracker', slug: 'tracker' },
  ] as const)(
    'of three instances of $name that start on an empty database one migrates, and all are ready',
    async ({ name, slug }) => {
      const url = await database()
      const all = await Promise.all(Array.from({ length: 3 }, () => start(url, { name, slug, logLevel: 'info' })))
      await Promise.all(all.map(({ ready }) => ready()))
      for (const { child } of all) child.kill('SIGTERM')
      const said = await Promise.all(all.map(({ child }) => child.stdout.text()))
      const migrated = said.flatMap((text) =>
        text.split('\n').filter((line) => line.includes('was brought up to date')),
      )
      const folder = join(root, `services/${name}/migrations/postgres`)
      const migrations = [...new Bun.Glob('*.sql').scanSync(folder)].length
      expect(migrated.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ schema: slug, migrations })])
      const [{ count }] = await ask(`SELECT count(*)::int AS count FROM "${slug}".__drizzle_migrations`, url)
      expect(count).toBe(migrations)
    },
  )

  test('its books are audited there: right, and wrong once somebody changes them', async () => {
    const url = await database()
    const ledger = await start(url, { name: 'core-ledger', slug: 'core' })
    await ledger.ready()
    const asset = {
      code: 'EURX',
      name: 'A euro',
      decimalPlaces: 6,
      address: `0x${'e1'.repeat(20)}`,
      network: 'ethereum',
    }
    const answer = await fetch(`${ledger.base}/v1/assets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asset),
    })
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)])
    const audit = async () => {
      const child = run(await lineOfCommand('audit'), url, { DATA_DIR: ledger.dataDir })
      const [said, problem] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return said + problem
    }
    expect(await audit()).toContain('The books are right')
    await ask('UPDATE core.assets SET decimals = decimals + 1', url)
    expect(await audit()).not.toContain('The books are right')
  })

  test.each(['backup', 'restore'])('bun run %s, which is for files, refuses', async (name) => {
    const child = run(await lineOfCommand(name), server.url, { DATA_DIR: tempDir() })
    expect([await child.exited, await child.stderr.text()]).toEqual([
      1,
      expect.stringContaining('the data is on a server'),
    ])
  })

  test('bun run status says nothing of backups, which are the server’s', async () => {
    const dataDir = tempDir()
    const child = run([process.execPath, '--no-env-file', 'scripts/status.ts'], server.url, { DATA_DIR: dataDir })
    expect([await child.exited, await child.stdout.text()]).toEqual([3, `Nothing runs on ${dataDir}.\n`])
  })

  test('says in one sentence that the server cannot be reached, and ends', async () => {
    const { child } = await start(`postgres://bursar:secret@127.0.0.1:${await freePort()}/none`)
    expect(await child.exited).toBe(1)
    const said = await child.stderr.text()
    expect(said.trim().split('\n').at(-1)).toContain('DATABASE_URL')
    expect(said).not.toContain('secret')
  })
})
