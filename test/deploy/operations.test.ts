// docs/operations.md: its blocks as they stand there, on a platform of its own ports.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { tempDir, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform(['gateway', 'customer', 'core-ledger', 'log-tracker', 'quote'])
  await platform.to('customer').create('/customers', { externalId: 'c', status: 'active' })
  await platform.settle()
})
afterAll(() => platform?.close())

/** The blocks of a kind: empty for those of a running platform. */
const blocks = (kind: string): string[] =>
  [...page.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = '']) =>
    found === kind ? [text] : [],
  )

async function run(block: string, env: Record<string, string> = {}) {
  const here = block.replaceAll(`http://127.0.0.1:${services.gateway.port}`, platform.url('gateway'))
  const shell = Bun.spawn(['sh', '-e', '-c', here], {
    cwd: root,
    env: {
      ...(platform.env as Record<string, string>),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      TMPDIR: tempDir(),
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited])
  return { code, out, error }
}

test('what is watched: the doctor’s findings, and the figures of all services', async () => {
  const [doctor = '', figures = '', ...others] = blocks('')
  expect(others).toEqual([])
  const examined = await run(doctor)
  expect(examined.out).toMatch(/^ok +redis /m)
  expect(examined.out).toMatch(/^ok +clock /m)
  expect(examined.out).toMatch(/\n0 wrong, \d+ warnings\n$/)
  expect(examined.code).toBe(0)
  // On a busy machine a service may be late for a scrape.
  await until(async () => /^bursar_up\{service="core-ledger"\} 1$/m.test((await run(figures)).out), {
    what: 'the figures of all services',
  })
})

test('an archive is searched for an id', async () => {
  const [search = '', ...others] = blocks('archive')
  expect(others).toEqual([])
  const folder = tempDir()
  const month = join(folder, 'data/archive/log-tracker/log_messages/2026-01')
  mkdirSync(month, { recursive: true })
  const lines = '{"id":"018f2f3e-0000-7000-8000-000000000001"}\n{"id":"another"}\n'
  writeFileSync(join(month, '2026-01-31T120000.000Z-1.jsonl.gz'), Bun.gzipSync(lines))
  const shell = Bun.spawnSync(['sh', '-e', '-c', search], { cwd: folder })
  expect(String(shell.stdout)).toBe('{"id":"018f2f3e-0000-7000-8000-000000000001"}\n')
})

test('the restore drill ends with a clean audit, and leaves nothing behind', async () => {
  const [drill = '', ...others] = blocks('drill')
  expect(others).toEqual([])
  const before = readdirSync(platform.dataDir).sort()
  const TMPDIR = tempDir()
  // The platform of this test has five of the sixteen.
  const { code, out, error } = await run(drill.replace('--drill', '--drill --incomplete'), { TMPDIR })
  expect([code, error.replaceAll(/^\$ .*\n/gm, '')]).toEqual([0, ''])
  expect(out).toContain('The audit of the copy found nothing wrong')
  expect(out).toMatch(
    /^The backup of \S+ \(0\.0 hours old, .*\) can be restored\. It has no .*account\.sqlite, .* starts empty\.$/m,
  )
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(readdirSync(platform.dataDir).sort()).toEqual([...new Set([...before, 'last-backup.json'])].sort())
  expect((await platform.to('customer').get('/customers')).status).toBe(200)
})

test('the backups of the timer: the newest are kept, and a wrong number is refused before anything is done', async () => {
  const folder = tempDir()
  const env = { ...platform.env, PATH: process.env.PATH } as Record<string, string>
  const backup = (name: string, keep: string) => runCommand('backup', [join(folder, name), '--keep', keep], { env })
  expect(await backup('none', '0')).toMatchObject({ code: 1, error: '--keep must be a whole number from 1, not "0"\n' })
  for (const name of ['first', 'second']) expect(await backup(name, '2')).toMatchObject({ code: 0, error: '' })
  expect(readdirSync(folder).sort()).toEqual(['first', 'second'])
  expect((await backup('third', '2')).out).toEndWith(' Removed: first.\n')
  expect(readdirSync(folder).sort()).toEqual(['second', 'third'])
})

const canInstall = process.getuid?.() === 0 && Bun.which('systemd-sysusers') !== null
test.skipIf(!canInstall)('the installation puts each file where systemd looks for it', async () => {
  const DESTDIR = tempDir()
  mkdirSync(join(DESTDIR, 'etc'))
  const { code, error } = await run(blocks('install').join('\n'), { DESTDIR })
  expect([code, error.replaceAll(/^Creating (group|user) .*\n/gm, '')]).toEqual([0, ''])
  for (const file of [
    'systemd/system/bursar.service',
    'systemd/system/bursar-backup.service',
    'systemd/system/bursar-backup.timer',
    'systemd/journald@bursar.conf',
  ])
    expect([file, existsSync(join(DESTDIR, 'etc', file))]).toEqual([file, true])
  expect(readFileSync(join(DESTDIR, 'etc/bursar/bursar.env'), 'utf8')).toBe('ENVIRONMENT=production\n')
  expect(existsSync(join(DESTDIR, 'var/backups/bursar'))).toBe(true)
})

test('a secret is rotated while the platform runs, and the status says so', async () => {
  const [rotation = '', ...others] = blocks('rotate')
  expect(others).toEqual([])
  const { code, out, error } = await run(rotation)
  expect([code, error.replaceAll(/^\$ .*\n/gm, '')]).toEqual([0, ''])
  expect(out).toMatch(/^[0-9a-f]{8} is in use everywhere\.$/m)
  expect(out).toMatch(/^quote\.key: [0-9a-f]{8}, [0-9a-f]{8} until \S+$/m)
})

test('each block is of a kind that a test runs, or of the machine with a checkout', () => {
  const kinds = [...page.matchAll(/^```sh ?(.*)$/gm)].map(([, kind = '']) => kind)
  // Those of a unit: machine.test.ts; `executable`: test/setup/executable.test.ts.
  const units = ['unit', 'unit upgrade', 'unit timer', 'unit restore']
  const known = ['', 'archive', 'drill', 'executable', 'install', 'machine', 'rotate', ...units]
  expect([...new Set(kinds)].sort()).toEqual(known.sort())
})

test('blocks for systemd itself name units, commands and files that are there', () => {
  const text = blocks('machine').join('\n')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const units = [...text.matchAll(/\bbursar[\w-]*\.(?:service|timer)\b/g)].map(([unit]) => `deploy/systemd/${unit}`)
  const files = [...text.matchAll(/\b(?:scripts|deploy)\/[\w./-]+/g)].map(([file]) => file)
  const commands = [...text.matchAll(/\bbun run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect([units.length, files.length, commands.length].every((count) => count > 1)).toBe(true)
  expect([...units, ...files].filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  for (const block of [...blocks('machine'), ...blocks('install'), ...blocks('drill')])
    expect(Bun.spawnSync(['sh', '-n', '-c', block]).exitCode).toBe(0)
})
