import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { runCommand } from '../commands'

// `bun run doctor` and `bun run keys` for an installation on a server. Debian's postgresql has the server's programs.
const folder = postgresPrograms()

describe.skipIf(folder === null)('doctor with DATABASE_URL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(folder as string)
  })
  afterAll(() => server.stop())

  const run = (name: string, args: string[], env: Record<string, string> = {}) =>
    runCommand(name, args, {
      env: { PATH: process.env.PATH, DATA_DIR: tempDir(), REDIS_URL: 'redis://127.0.0.1:9', ...env },
    })
  const linesOf = async (env: Record<string, string>, about: string) =>
    (await run('doctor', [], env)).out.split('\n').filter((line) => line.split(/ +/)[1] === about)
  async function onServer(text: string): Promise<void> {
    const client = new Bun.SQL(server.url, { max: 1 })
    await client.unsafe(text).finally(() => client.close())
  }

  test('looks at the server: what it keeps, its connections, its schemas', async () => {
    const found = await linesOf({ DATABASE_URL: server.url }, 'database')
    // The server of tests keeps nothing.
    expect(found).toEqual([
      expect.stringMatching(/^wrong .*a power cut may destroy it/),
      expect.stringMatching(/^wrong .*before a commit is on the disk/),
      expect.stringMatching(
        /^ok .*of 400 connections are in use; one instance of each service holds up to 48, in groups 39, in one process 12$/,
      ),
      expect.stringMatching(/^ok .*0 schemas of services .*free disk cannot be seen/),
    ])
  })

  test('names a schema of a newer release, and a move that did not end', async () => {
    await onServer('CREATE SCHEMA message')
    await onServer('CREATE TABLE message.__drizzle_migrations AS SELECT generate_series(1, 1000) AS hash')
    await onServer('CREATE SCHEMA moving_core')
    const found = (await linesOf({ DATABASE_URL: server.url }, 'database')).join('\n')
    expect(found).toContain('the schema message is of a newer release')
    expect(found).toContain('a move of files did not end')
    await onServer('DROP SCHEMA message CASCADE')
    await onServer('DROP SCHEMA moving_core')
  })

  test('says that a server does not answer, without its password', async () => {
    const found = await linesOf({ DATABASE_URL: 'postgres://bursar:secret@127.0.0.1:9/bursar' }, 'database')
    expect(found).toEqual([expect.stringMatching(/^wrong .*check that it runs, and DATABASE_URL/)])
    expect(found.join()).not.toContain('secret')
  })

  test('misses keys, until they are made and set', async () => {
    const env = { DATABASE_URL: server.url }
    const missing = await linesOf(env, 'keys')
    expect(missing).toHaveLength(7)
    expect(missing.join('\n')).toContain('WALLET_SEED is not set: with DATABASE_URL no seed is made')
    const file = join(tempDir(), 'keys.env')
    expect(await run('keys', [file])).toMatchObject({ code: 1, error: expect.stringContaining('--new makes it') })
    const made = await run('keys', [file, '--new'])
    expect(made).toMatchObject({ code: 0, error: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const settings = Object.fromEntries(
      (await Bun.file(file).text())
        .trim()
        .split('\n')
        .map((line) => {
          const [name = '', ...value] = line.split('=')
          return [name, value.join('=').replaceAll("'", '')]
        }),
    )
    expect(await linesOf({ ...env, ...settings }, 'keys')).toEqual([expect.stringMatching(/^ok /)])
    expect(await run('keys', [file, '--new'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('there already'),
    })
  })
})
