// A restore that was killed between its first change and its last: nothing starts on what it leaves, and it can be repeated.
import { Database } from 'bun:sqlite'
import { beforeEach, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireRestored } from '@bursar/store/unfinished'
import { freePort, tempDir } from '@bursar/testing'
import { hashOf, manifestName } from '../../scripts/backup/contents'
import { restoreBackup } from '../../scripts/backup/restore-backup'
import { lineOfCommand, lineOfServices } from '../commands'

const root = join(import.meta.dir, '../..')
const names = ['customer.sqlite', 'internal.secret', 'wallet.seed.json', 'wallet.sqlite']
const [port, otherPort] = [String(await freePort()), String(await freePort())]
const refusal = 'has not ended: databases and keys are missing there'

let place: string
let dataDir: string
let folder: string

/** A database, or a key, that says whose it is. */
function write(file: string, whose: string): void {
  if (!file.endsWith('.sqlite')) {
    writeFileSync(file, whose)
    return
  }
  const database = new Database(file)
  database.run('CREATE TABLE kept (whose)')
  database.run('INSERT INTO kept VALUES (?)', [whose])
  database.close()
}

function read(file: string): string {
  if (!file.endsWith('.sqlite')) return readFileSync(file, 'utf8')
  const database = new Database(file, { readonly: true })
  const [row] = database.query<[string], []>('SELECT whose FROM kept').values()
  database.close()
  return String(row)
}

const allIn = (where: string) => Object.fromEntries(names.map((name) => [name, read(join(where, name))]))
const all = (whose: string) => Object.fromEntries(names.map((name) => [name, whose]))
/** But locks, which say nothing. */
const filesIn = (where: string) =>
  readdirSync(where)
    .filter((name) => !/\.(lock|pid)$/.test(name))
    .sort()

beforeEach(async () => {
  place = tempDir()
  dataDir = join(place, 'data')
  folder = join(place, 'backup')
  for (const [where, whose] of [
    [dataDir, 'old'],
    [folder, 'backup'],
  ] as const) {
    mkdirSync(where)
    for (const name of names) write(join(where, name), whose)
  }
  const hashes = await Promise.all(
    names.map(async (name) => [name, await hashOf(Bun.file(join(folder, name)))] as const),
  )
  const manifest = { takenAt: '2026-03-01T12:00:00.000Z', version: '1.0.0', files: Object.fromEntries(hashes) }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
})

const restore = (audit = async (_: string) => {}) =>
  restoreBackup({ folder, dataDir, audit, decrypter: null, isIncomplete: true })

/** Ends in the middle: what is to get its place as the second one is gone by then. */
async function restoreHalf(): Promise<void> {
  const stopped = restore(async (arriving) => rmSync(join(arriving, 'internal.secret')))
  await expect(stopped).rejects.toThrow('ENOENT')
  // As a process that was killed leaves it, with a number that comes again in a container.
  cpSync(folder, join(dataDir, `arriving-${process.pid}`), { recursive: true })
}

const env = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  DATA_DIR: dataDir,
  NODE_ENV: 'production',
  REDIS_URL: 'redis://127.0.0.1:9',
  CUSTOMER_PORT: port,
  WALLET_PORT: otherPort,
})

async function run(line: readonly string[], more: Record<string, string> = {}) {
  const child = Bun.spawn([...line], {
    cwd: root,
    env: { ...env(), ...more },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // One that starts all the same would run for ever.
    timeout: 300_000,
  })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, said: out + error }
}

const given = { INTERNAL_SECRET: Buffer.alloc(32, 7).toString('base64') }
const backup = () => lineOfCommand('backup', join(place, 'next'), '--without-redis')
const starts: { what: string; line: () => Promise<string[]>; more?: Record<string, string> }[] = [
  { what: 'a service by itself', line: async () => lineOfServices('wallet') },
  { what: 'one whose secret is given', line: async () => lineOfServices('wallet'), more: given },
  { what: 'all in one process', line: async () => lineOfServices('customer', 'wallet') },
  { what: 'the starter', line: () => lineOfCommand('run-stack', '--only', 'wallet') },
  {
    what: 'the starter, with a Redis of its own',
    line: () => lineOfCommand('run-stack', '--only', 'wallet'),
    more: { REDIS_URL: '' },
  },
  { what: 'a backup', line: backup },
  { what: 'a backup, its secret given', line: backup, more: given },
]

test.each(starts)('$what is refused, and makes nothing', async ({ line, more }) => {
  await restoreHalf()
  const before = filesIn(dataDir)
  expect(await run(await line(), more)).toMatchObject({ code: 1, said: expect.stringContaining(refusal) })
  expect(filesIn(dataDir)).toEqual(before)
  expect(existsSync(join(place, 'next'))).toBe(false)
})

test('it can be repeated: the backup is in its place then, what was there before is together, and starts are not refused', async () => {
  await restoreHalf()
  await restoreHalf()
  const { before } = await restore()
  expect(allIn(dataDir)).toEqual(all('backup'))
  expect(allIn(before ?? '')).toEqual(all('old'))
  expect(filesIn(dataDir).filter((name) => !name.startsWith('before-restore-'))).toEqual(names)
  requireRestored(dataDir)
})

test('one that could not begin leaves no mark', async () => {
  await expect(restore(() => Promise.reject(new Error('The books are wrong')))).rejects.toThrow('The books are wrong')
  expect(filesIn(dataDir)).toEqual(names)
  expect(allIn(dataDir)).toEqual(all('old'))
})
