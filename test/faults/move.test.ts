// `bun run move`: the files of a stack go on on PostgreSQL. Debian's postgresql has the server's programs.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { serviceNames } from '@bursar/contracts/services'
import { lockFile } from '@bursar/store/file-lock'
import { tempDir, until } from '@bursar/testing'
import { postgresPrograms } from '@bursar/testing/postgres'
import { followersOf } from '../../scripts/move/followers'
import { ask, get } from '../../scripts/seed/platform'
import { lineOfServices, runCommand, startCommand } from '../commands'
import { core, type Env, hashes, killedStack, root, slugs, waitingIn, write } from './moving'

const folder = postgresPrograms()

describe.skipIf(folder === null)('move', () => {
  let stack: Awaited<ReturnType<typeof killedStack>>
  beforeAll(async () => {
    stack = await killedStack(folder as string)
  })
  afterAll(() => stack?.end())

  const statusOf = async (id: string) =>
    (await get<{ status: string }>(stack.platform, 'core-ledger', `transactions/${id}`)).status

  test('what was begun with files goes on on the server, and nothing is done twice', async () => {
    const {
      database,
      copied,
      move,
      schemasIn,
      onServer,
      environmentOf,
      start,
      view,
      statement,
      withdraw,
      open,
      seen,
      platform,
      statementBefore,
    } = stack
    const url = await database()
    // Nothing is indexed yet; what is sealed and summed is as it was when it was killed.
    const from = copied((dir) => write(core(dir), "DELETE FROM meta WHERE key = 'place of transaction keys'"))
    const before = hashes(from)
    const waiting = waitingIn(core(from))
    const moved = await move(url, from)
    expect(moved).toMatchObject({ code: 0, error: '' })
    expect(moved.said).toContain('under seals that were recomputed')
    expect(moved.said).toContain('The audit trail is whole: 2 rows')
    expect(hashes(from)).toEqual(before)
    expect(await schemasIn(url)).toEqual([...slugs].sort())
    const listed = await onServer('SELECT follower, rows FROM core.arrivals ORDER BY follower COLLATE "C"', url)
    expect<unknown>(listed.map(([follower, rows]) => [follower, JSON.parse(String(rows))])).toEqual(waiting)
    expect(listed).not.toEqual([])

    // Whoever starts with the files all the same is told, and a second move is none.
    const stale = Bun.spawn(lineOfServices('core-ledger'), {
      cwd: root,
      env: environmentOf({ DATA_DIR: from }),
      stderr: 'pipe',
      stdout: 'ignore',
    })
    expect([await stale.exited, await stale.stderr.text()]).toEqual([1, expect.stringContaining('set DATABASE_URL')])
    expect(await move(url, from)).toMatchObject({ code: 1, error: expect.stringContaining('already') })
    const second = await move(await database(), from)
    expect(second).toMatchObject({ code: 1, error: expect.stringContaining('If nothing runs there, delete moved.run') })

    // Nothing of the folder is needed: its keys are settings.
    const keys = join(tempDir(), 'keys.env')
    const written = await runCommand('keys', [keys], { env: environmentOf({ DATA_DIR: from }) })
    expect(written).toMatchObject({ code: 0, error: '' })
    expect(statSync(keys).mode & 0o777).toBe(0o600)
    const given = parseEnv(readFileSync(keys, 'utf8')) as Env
    for (const value of Object.values(given)) expect(written.said).not.toContain(value)
    const env = { ...given, DATABASE_URL: url, DATA_DIR: tempDir(), MAIL_DIR: tempDir() }
    const running = await start(env)
    try {
      expect(await view()).toEqual(seen)
      expect(await statement()).toEqual(statementBefore)
      // A caller that has not got its answer repeats its request.
      expect(await Promise.all(open.map((_, i) => withdraw(`open-${i}`)))).toEqual(open)
      for (const id of open) {
        expect(await statusOf(id)).toBe('PENDING')
        await ask(platform, 'core-ledger', 'POST /transactions/complete-screening', { body: { id, isApproved: true } })
      }
      for (const id of open) await until(async () => (await statusOf(id)) === 'COMPLETED', { what: id })
      // Callers are told of each state, once.
      for (const id of open) {
        const told = async () => {
          const events = `SELECT data FROM notification.events WHERE transaction_id = '${id}' ORDER BY "timestamp"`
          return (await onServer(events, url)).map(([data]) => JSON.parse(String(data)).status)
        }
        await until(async () => (await told()).length >= 3, { what: 'its last event' })
        expect((await told()).toSorted()).toEqual(['APPROVED', 'COMPLETED', 'PENDING'])
      }
      // What was not sealed, indexed and summed in the files is there.
      const left = async () => (await onServer('SELECT count(*)::int FROM core.arrivals', url))[0]?.[0]
      await until(async () => (await left()) === 0, { what: 'followers of the journal' })
    } finally {
      expect(await running.end('SIGTERM')).toBe(0)
    }
    const entries = (await onServer('SELECT count(*)::int FROM core.journal', url))[0]?.[0]
    const audit = await runCommand('audit', [], { env: environmentOf(env) })
    expect(audit).toMatchObject({ code: 0, error: '' })
    expect(audit.said).toContain(`${entries} of ${entries} entries are sealed`)
  })

  test('one that is killed leaves nothing that services find, and is made by the next', async () => {
    const { database, copied, environmentOf, schemasIn, move } = stack
    const url = await database()
    const from = copied()
    const child = await startCommand('move', ['--to', url, '--data-dir', from], { env: environmentOf({}) })
    let said = ''
    for await (const chunk of child.stdout) {
      said += Buffer.from(chunk).toString()
      if (said.includes('core-ledger: ')) break
    }
    child.kill('SIGKILL')
    await child.exited
    const left = await schemasIn(url)
    expect(left).toContain('moving_core')
    expect(left.filter((name) => slugs.includes(name))).toEqual([])
    expect(existsSync(join(from, 'moved.run'))).toBe(false)
    expect(await move(url, from)).toMatchObject({ code: 0, error: '' })
    expect(await schemasIn(url)).toEqual([...slugs].sort())
  })

  test('one that ended after it had noted the move, and before it was made, is made by the next; nothing starts before', async () => {
    const { database, copied, move, environmentOf, onServer, schemasIn } = stack
    const url = await database()
    const from = copied()
    await onServer(
      `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
       CREATE EVENT TRIGGER refusing ON ddl_command_start WHEN TAG IN ('ALTER SCHEMA') EXECUTE FUNCTION refuse()`,
      url,
    )
    expect(await move(url, from)).toMatchObject({ code: 1, error: expect.stringMatching(/not now.*run it again/) })
    expect(existsSync(join(from, 'moved.run'))).toBe(true)
    // As what starts with the files says.
    const env = { DATABASE_URL: url, DATA_DIR: from }
    const early = Bun.spawn([process.execPath, '--no-env-file', 'services/core-ledger/src/main.ts'], {
      cwd: root,
      env: environmentOf(env),
      stderr: 'pipe',
      stdout: 'ignore',
    })
    expect([await early.exited, await early.stderr.text()]).toEqual([
      1,
      expect.stringContaining('run bun run move again'),
    ])
    expect(await schemasIn(url)).toEqual(slugs.map((slug) => `moving_${slug}`).sort())
    await onServer('DROP EVENT TRIGGER refusing', url)
    expect(await move(url, from)).toMatchObject({ code: 0, error: '' })
    expect(await schemasIn(url)).toEqual([...slugs].sort())
  })

  test.each<[what: string, says: string, spoil: (dir: string) => void]>([
    ['a missing file', 'lacks message.sqlite', (dir) => rmSync(join(dir, 'message.sqlite'))],
    [
      'a file of an older release',
      'message.sqlite is of an older release',
      (dir) => write(join(dir, 'message.sqlite'), 'DELETE FROM __drizzle_migrations'),
    ],
    [
      'a file of a newer release',
      'is of a newer release',
      (dir) =>
        write(join(dir, 'message.sqlite'), "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9e15)"),
    ],
    [
      'a file that was put back',
      'core.sqlite was put back to an older state',
      (dir) =>
        writeFileSync(join(dir, 'core.epoch.newest.run'), new Uint8Array(new BigUint64Array([1_000_000n]).buffer)),
    ],
    [
      'a wallet that lacks a signature',
      'wallet.sqlite was put back to an older state',
      (dir) => {
        const run = JSON.parse(readFileSync(join(dir, 'wallet.run'), 'utf8'))
        run.signed.push({ orderId: 'x', txHash: '0x00' })
        writeFileSync(join(dir, 'wallet.run'), JSON.stringify(run))
      },
    ],
    [
      'books that are wrong',
      'stored 999999 available',
      (dir) => write(core(dir), "UPDATE balances SET available = '999999' WHERE rowid = 1"),
    ],
    [
      'a sealed entry that was changed',
      'Hash chain: entries 1 to',
      (dir) => write(core(dir), "UPDATE journal SET amount = '999999' WHERE seq = 1"),
    ],
  ])('refuses %s, and leaves nothing', async (_, says, spoil) => {
    const { database, copied, move, schemasIn } = stack
    const url = await database()
    const from = copied(spoil)
    expect(await move(url, from)).toMatchObject({ code: 1, error: expect.stringContaining(says) })
    expect(await schemasIn(url)).toEqual([])
    expect(existsSync(join(from, 'moved.run'))).toBe(false)
  })

  test('refuses a file that is open, a database that is in use, and a stack without its Redis', async () => {
    const { database, copied, move, environmentOf, onServer, schemasIn } = stack
    const url = await database()
    const from = copied()
    const lock = lockFile(core(from), 'The database')
    expect(await move(url, from)).toMatchObject({
      code: 1,
      error: expect.stringContaining('core.sqlite is in use by process'),
    })
    lock.release()
    const env = environmentOf({ REDIS_URL: 'redis://127.0.0.1:9' })
    const without = await runCommand('move', ['--to', url, '--data-dir', from], { env })
    expect(without).toMatchObject({ code: 1, error: expect.stringContaining('--without-redis') })
    await onServer('CREATE SCHEMA core', url)
    expect(await move(url, from)).toMatchObject({
      code: 1,
      error: expect.stringContaining('has schemas of services already (core)'),
    })
    expect(await schemasIn(url)).toEqual(['core'])
  })

  test('each follower of a service is known', () => {
    const sources = new Bun.Glob('services/*/src/**/*.ts').scanSync({ cwd: root })
    const declared = [...sources].flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/= follower\((\w+),/g)].map(
        ([, rows]) => `${path.split('/')[1]} ${rows}`,
      ),
    )
    const known = serviceNames.flatMap((name) => followersOf(name).map(() => name))
    expect(declared.map((line) => line.split(' ')[0]).sort()).toEqual(known.sort())
  })

  test('any value is on the server what it is in the file', async () => {
    const { database, copied, move, onServer } = stack
    const url = await database()
    const odd = `{"a":"'\\"\\\\{},NULL","b":[null],"c":"ä\u{1f600}\t\n"}`
    const digits = '9'.repeat(70)
    const from = copied((dir) => {
      using messages = new Database(join(dir, 'message.sqlite'))
      const add = messages.prepare(
        'INSERT INTO messages (id, type, data, participant_id, created_at) VALUES (?, ?, ?, ?, ?)',
      )
      add.run('NULL', '', odd, '\\', 2 ** 53 - 1)
      add.run('zero', 'a\0b', 'null', ' ', -1)
      using documents = new Database(join(dir, 'main.sqlite'))
      documents.prepare('INSERT INTO document_parts VALUES (?, ?, ?)').run(
        'odd',
        0,
        Uint8Array.from({ length: 256 }, (_, i) => i),
      )
      documents.prepare('INSERT INTO document_parts VALUES (?, ?, ?)').run('none', 0, new Uint8Array(0))
      using lines = new Database(join(dir, 'transactions.sqlite'))
      const line = lines.prepare('INSERT INTO credit_lines VALUES (?, ?, ?, ?, ?, ?, ?)')
      line.run('p', 'USD', digits, `-${digits}`, '0', null, 1)
      using quote = new Database(join(dir, 'quote.sqlite'))
      for (const [i, rate] of rates.entries())
        quote.prepare("INSERT INTO rates VALUES (?, NULL, 'ODD', ?, '{}', 1)").run(`odd ${i}`, rate)
    })
    expect(await move(url, from)).toMatchObject({ code: 0, error: '' })
    expect(
      await onServer(
        "SELECT type, data, participant_id, created_at::text FROM message.messages WHERE id IN ('NULL', 'zero') ORDER BY id COLLATE \"C\"",
        url,
      ),
    ).toEqual([
      ['', odd, '\\', String(2 ** 53 - 1)],
      ['a\u{fffd}b', 'null', ' ', '-1'],
    ])
    const parts = await onServer(
      "SELECT encode(content, 'hex') FROM main.document_parts WHERE place = 0 AND sha256 IN ('odd', 'none') ORDER BY sha256",
      url,
    )
    expect(parts.flat()).toEqual(['', Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i)).toString('hex')])
    const amounts = await onServer(
      `SELECT "limit"::text, reserved::text, expires_at FROM transactions.credit_lines WHERE participant_id = 'p'`,
      url,
    )
    expect(amounts).toEqual([[digits, `-${digits}`, null]])
    const found = await onServer("SELECT rate FROM quote.rates WHERE asset_code = 'ODD' ORDER BY id", url)
    expect(found.flat()).toEqual([...rates])
  })
})

const rates = [0.1, 1e-7, 5e-324, 1.7976931348623157e308, 1 / 3, 123456789.12345678] as const
