import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, tempDir, until } from '@bursar/testing'
import { startBuilt } from '@bursar/testing/platform'
import { runCommand } from '../commands'

const root = dirname(dirname(import.meta.dir))

describe('bun run db', () => {
  const dataDir = tempDir()
  const db = (...args: string[]) => runCommand('db', ['customer', ...args, '--data-dir', dataDir])

  beforeAll(async () => {
    const env = { DATA_DIR: dataDir, REDIS_URL: `redis://127.0.0.1:${await freePort()}`, CUSTOMER_PORT: '0' }
    const service = await startBuilt('customer', { ...env, LOG_LEVEL: 'silent' })
    await fetch(`${service.url}/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId: 'looked-at', status: 'active' }),
    })
    await service.stop()
  })

  test('lists the tables with their rows', async () => {
    const { code, said } = await db()
    expect([code, /customers +│ 1 +│/.test(said)]).toEqual([0, true])
  })

  test('shows the rows of a table, and what a statement gives', async () => {
    expect((await db('customers')).said).toContain('looked-at')
    const { said } = await db('select status, count(*) as n from customers group by status', '--json')
    expect(JSON.parse(said)).toEqual({ status: 'active', n: 1 })
  })

  test('shows the rows of a table that has no numbers of rows', async () => {
    expect(await db('inbox')).toMatchObject({ code: 0, said: 'No rows.\n' })
  })

  test('cannot write', async () => {
    expect(await db('delete from customers')).toMatchObject({ code: 1, said: expect.stringContaining('readonly') })
    expect((await db('customers')).said).toContain('looked-at')
  })

  test('says which tables and services there are', async () => {
    expect((await db('customer')).said).toContain('There is no table customer; there are ')
    expect((await runCommand('db', ['custmer'])).said).toContain('Name one service: bun run db gateway | quote')
    expect((await runCommand('db', ['wallet', '--data-dir', tempDir()])).said).toContain('There is no database at ')
  })
})

describe('bun run dev', () => {
  const children: Bun.Subprocess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGTERM')
  })

  test('runs a service, brings a Redis, and takes both away', async () => {
    const [port, redis, dataDir] = [await freePort(), await freePort(), tempDir()]
    const child = Bun.spawn([process.execPath, '--no-env-file', 'scripts/dev.ts', 'customer'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, CUSTOMER_PORT: `${port}`, REDIS_PORT: `${redis}` },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    children.push(child)
    const health = async () => (await fetch(`http://127.0.0.1:${port}/health`)).status
    await until(async () => (await health()) === 200, { what: 'the service and its Redis' })
    expect(existsSync(join(dataDir, 'redis'))).toBe(true)
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(await health().catch(() => 'gone')).toBe('gone')
  })

  test('says which services there are', async () => {
    const { code, said } = await runCommand('dev', ['gatewy'])
    expect([code, said]).toEqual([1, expect.stringMatching(/^Name one service: bun run dev account \| /)])
  })
})
