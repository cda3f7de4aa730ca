// Encrypted backups, and their copies in S3: a real core ledger's data, a server of the protocol, the commands as they stand.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastBackupOf } from '@bursar/store/last-backup'
import { tempDir } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

const hasAge = Bun.which('age') !== null
let platform: TestPlatform
let store: { process: Bun.Subprocess<'ignore', 'pipe', 'inherit'>; url: string; folder: string }
let key: { file: string; recipient: string }

beforeAll(async () => {
  platform = await testPlatform(['gateway', 'customer', 'core-ledger', 'log-tracker'])
  await platform.to('customer').create('/customers', { externalId: 'c', status: 'active' })
  await platform.settle()
  store = await startStore()
  key = await newKey()
  expect(await figure()).toEqual(['here: never'])
})
afterAll(async () => {
  store?.process.kill()
  await platform?.close()
})

async function startStore() {
  const folder = tempDir()
  const server = Bun.spawn(['node', join(import.meta.dir, 's3-server.mjs'), folder], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await server.stdout.getReader().read()
  return { process: server, url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`, folder }
}

async function run(script: string, args: string[], env: Record<string, string> = {}) {
  const { code, out, error } = await runCommand(script, args, {
    env: {
      ...process.env,
      DATA_DIR: platform.dataDir,
      REDIS_URL: platform.redis.url,
      S3_ENDPOINT: store?.url,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      TMPDIR: tempDir(),
      ...env,
    },
  })
  return { code, out, error }
}

async function newKey() {
  const file = join(tempDir(), 'key')
  const { code, out } = await run('backup', ['--new-key', file])
  expect(code).toBe(0)
  return { file, recipient: out.split('\n')[0] ?? '' }
}

const restore = (backup: string, dataDir: string, ...args: string[]) =>
  run('restore', [backup, '--incomplete', '--data-dir', dataDir, ...args], { REDIS_URL: '' })
const inStore = (path: string): string[] => {
  const folder = join(store.folder, 'backups', path)
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.includes('_dummy_')) : []
}
const figure = async (): Promise<string[]> => {
  const text = await (await fetch(`${platform.url('gateway')}/metrics`)).text()
  return [...text.matchAll(/^bursar_backup_taken_seconds\{place="(\w+)".*\} (\d+)/gm)].map(([, place, at]) =>
    Number(at) > 1.7e9 ? `${place}` : `${place}: never`,
  )
}

describe('a new pair of keys', () => {
  test('is for its owner alone, and no file is replaced by it', async () => {
    expect(key.recipient).toMatch(/^age1[a-z0-9]{58}$/)
    const text = readFileSync(key.file, 'utf8')
    expect(text).toContain(`# public key: ${key.recipient}\nAGE-SECRET-KEY-1`)
    expect(statSync(key.file).mode & 0o777).toBe(0o600)
    expect(await run('backup', ['--new-key', key.file])).toMatchObject({ code: 1, out: '' })
    expect(readFileSync(key.file, 'utf8')).toBe(text)
  })
})

describe('an encrypted backup', () => {
  let folder: string
  beforeAll(async () => {
    folder = join(tempDir(), 'backup')
    const { code, out, error } = await run('backup', [folder, '--encrypt-to', key.recipient])
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain(`files are copied to ${folder}, encrypted.`)
  })

  test('has no readable file but what says when it was taken', () => {
    const names = readdirSync(folder).sort()
    expect(names).toEqual([
      'backup.json',
      'core.sqlite.age',
      'customer.sqlite.age',
      'gateway.sqlite.age',
      'internal.secret.age',
      'tracker.sqlite.age',
    ])
    for (const name of names.filter((one) => one.endsWith('.age'))) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, name), 'latin1')).toStartWith('age-encryption.org/v1\n')
    }
    const secret = readFileSync(join(platform.dataDir, 'internal.secret'))
    for (const name of names) expect(readFileSync(join(folder, name)).includes(secret)).toBe(false)
  })

  test('is restored with its key', async () => {
    const dataDir = tempDir()
    const { code, out, error } = await restore(folder, dataDir, '--identity', key.file)
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain('its audit found nothing wrong')
    expect(readFileSync(join(dataDir, 'internal.secret'))).toEqual(
      readFileSync(join(platform.dataDir, 'internal.secret')),
    )
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.age'))).toEqual([])
  })

  test('is not restored without it, nor with another, nor when a byte of it was changed; nothing is left then', async () => {
    const dataDir = join(tempDir(), 'data')
    const other = await newKey()
    const changed = join(tempDir(), 'changed')
    mkdirSync(changed)
    for (const name of readdirSync(folder)) writeFileSync(join(changed, name), readFileSync(join(folder, name)))
    const bytes = readFileSync(join(changed, 'core.sqlite.age'))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(join(changed, 'core.sqlite.age'), bytes)
    for (const [args, said] of [
      [[folder], 'name the file with its key by --identity'],
      [[folder, '--identity', other.file], 'cannot be decrypted'],
      [[changed, '--identity', key.file], 'core.sqlite.age cannot be decrypted'],
    ] as const) {
      const [backup, ...rest] = args
      const { code, error } = await restore(backup, dataDir, ...rest)
      expect([code, error]).toEqual([1, expect.stringContaining(said)])
      expect(error).not.toContain('AGE-SECRET-KEY')
      expect(existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !name.endsWith('.lock')) : []).toEqual([])
    }
  })

  test.skipIf(!hasAge)('is decrypted by age itself', () => {
    const plain = Bun.spawnSync(['age', '-d', '-i', key.file, join(folder, 'internal.secret.age')])
    expect(Buffer.from(plain.stdout)).toEqual(readFileSync(join(platform.dataDir, 'internal.secret')))
  })

  test('what is no key is refused before anything is taken, and never shown', async () => {
    const target = join(tempDir(), 'backup')
    const { code, error } = await run('backup', [target, '--encrypt-to', 'age1wrong'])
    expect([code, error]).toEqual([1, '"age1wrong" is no public key of age: one begins with age1\n'])
    const secret = readFileSync(key.file, 'utf8').split('\n')[2] ?? ''
    const file = join(tempDir(), 'broken')
    writeFileSync(file, secret.slice(0, -1))
    const refused = await restore(folder, tempDir(), '--identity', file)
    expect(refused.code).toBe(1)
    expect(refused.error).toContain('has a line that is no key of age')
    expect(refused.error).not.toContain(secret.slice(20, 40))
  })
})

describe('a copy in S3', () => {
  const place = 's3://backups/bursar'
  const take = (name: string, ...args: string[]) =>
    run('backup', [join(folder, name), '--encrypt-to', key.recipient, '--copy-to', place, ...args])
  const folder = join(tempDir(), 'all')
  let taken: Awaited<ReturnType<typeof run>>
  beforeAll(async () => {
    taken = await take('first')
  })

  test('is what was taken, and the figures say when', async () => {
    const { code, out, error } = taken
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain(`They are below ${place} as well, and were read back.`)
    expect(inStore('bursar/first').length).toBeGreaterThanOrEqual(6)
    expect(lastBackupOf(platform.dataDir).copiedAt).toMatch(/^2\d{3}-/)
    expect(await figure()).toEqual(['here', 'elsewhere'])
  })

  test('is restored from there, also as a drill, which leaves nothing behind', async () => {
    const dataDir = join(tempDir(), 'data')
    expect(await restore(`${place}/first`, dataDir, '--identity', key.file)).toMatchObject({ code: 0, error: '' })
    expect(existsSync(join(dataDir, 'core.sqlite'))).toBe(true)
    const TMPDIR = tempDir()
    const args = ['--drill', '--incomplete', `${place}/first`, '--identity', key.file]
    const { code, out } = await run('restore', args, { TMPDIR })
    expect(code).toBe(0)
    // It was taken before the tests of this part, which a busy machine may need minutes for.
    expect(out).toMatch(
      /^The backup of \S+ \(0\.\d hours old, version \S+, encrypted\) can be restored\. It has no .*account\.sqlite, .*: a service without its database starts empty\.\n/,
    )
    expect(out).toMatch(/^ {2}customer\.sqlite +\d+\.\d MB {2}\d+ rows in \d+ tables$/m)
    expect(out).toContain('The audit found nothing wrong.')
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('only the newest are kept, here and there', async () => {
    const own = join(tempDir(), 'own')
    const keep = (name: string) =>
      run('backup', [join(own, name), '--encrypt-to', key.recipient, '--copy-to', 's3://backups/few', '--keep', '2'])
    for (const name of ['a', 'b']) expect((await keep(name)).out).not.toContain('Removed')
    expect((await keep('c')).out).toContain('Removed: a. Removed below s3://backups/few: a.')
    expect(inStore('few').sort()).toEqual(['b', 'c'])
    expect(readdirSync(own).sort()).toEqual(['b', 'c'])
  })

  test('one that was not ended is no backup', async () => {
    const half = join(store.folder, 'backups/bursar/half')
    cpSync(join(store.folder, 'backups/bursar/first'), half, { recursive: true })
    for (const name of readdirSync(half)) if (name.startsWith('backup.json')) rmSync(join(half, name))
    expect(await restore(`${place}/half`, tempDir(), '--identity', key.file)).toMatchObject({
      code: 1,
      error: 'There is no backup at bursar/half/\n',
    })
  })

  test('is refused for what is not encrypted, for a place that is none, and without credentials', async () => {
    const target = join(tempDir(), 'backup')
    for (const [args, env, said] of [
      [['--copy-to', place], {}, 'Only an encrypted backup leaves this machine'],
      [['--copy-to', 'backups/x', '--encrypt-to', key.recipient], {}, '"backups/x" is no place for backups'],
      [['--copy-to', place, '--encrypt-to', key.recipient], { S3_SECRET_ACCESS_KEY: '' }, 'needs S3_ACCESS_KEY_ID'],
    ] as const) {
      expect(await run('backup', [target, ...args], env)).toMatchObject({
        code: 1,
        error: expect.stringContaining(said),
      })
      expect(existsSync(target)).toBe(false)
    }
  })

  test('a place that gives back other bytes is told, and the backup here stays', async () => {
    using liar = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const headers = new Headers(request.headers)
        headers.delete('host')
        const answer = await fetch(`${store.url}${pathname}${search}`, {
          method: request.method,
          headers,
          body: request.method === 'GET' ? undefined : await request.arrayBuffer(),
        })
        const body = new Uint8Array(await answer.arrayBuffer())
        if (request.method === 'GET' && body.length > 0) body[body.length - 1] = (body.at(-1) ?? 0) ^ 1
        return new Response(body, { status: answer.status })
      },
    })
    const before = lastBackupOf(platform.dataDir).copiedAt
    const target = join(tempDir(), 'lied')
    const { code, error } = await run(
      'backup',
      [target, '--encrypt-to', key.recipient, '--copy-to', 's3://backups/lies'],
      { S3_ENDPOINT: `http://127.0.0.1:${liar.port}` },
    )
    expect([code, error]).toEqual([1, expect.stringContaining('was read back otherwise than it was written')])
    expect(existsSync(join(target, 'backup.json'))).toBe(true)
    expect(existsSync(join(store.folder, 'backups/lies/lied/backup.json'))).toBe(false)
    expect(lastBackupOf(platform.dataDir).copiedAt).toBe(before)
  })
})
