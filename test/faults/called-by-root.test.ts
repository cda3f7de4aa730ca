// Commands that an operator calls as root, while the services run as a user of their own.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSealingKey } from '@bursar/http'
import { rotateKeyFile } from '@bursar/http/key-file'
import { tempDir } from '@bursar/testing'
import { runCommand } from '../commands'

const user = 12_345

/** What is not that user's in a folder, itself included. */
const others = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))].filter(
    (path) => lstatSync(path).uid !== user,
  )

function foldersOf() {
  const [dataDir, backups] = [tempDir(), tempDir()]
  for (const each of [dataDir, backups]) chownSync(each, user, user)
  return { dataDir, backups }
}

test.skipIf(process.getuid?.() !== 0)('leave keys that are the user’s', () => {
  const { dataDir } = foldersOf()
  openSealingKey(dataDir, 'quote.key')
  rotateKeyFile(dataDir, 'quote.key', new Date())
  expect(readdirSync(dataDir).sort()).toEqual(['quote.key', 'quote.key.lock'])
  expect(others(dataDir)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('leave a backup and restored files that are the user’s', async () => {
  const { dataDir, backups } = foldersOf()
  const database = new Database(join(dataDir, 'customer.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE customers (id)')
  database.close()
  openSealingKey(dataDir, 'quote.key')
  mkdirSync(join(dataDir, 'redis'))
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), user, user)
  const env = { PATH: process.env.PATH, INTERNAL_SECRET: Buffer.alloc(32, 7).toString('base64') }
  const call = (name: string, ...args: string[]) =>
    runCommand(name, [...args, '--data-dir', dataDir], { env: { ...env, REDIS_URL: 'redis://127.0.0.1:9' } })
  const backup = join(backups, 'one')
  expect(await call('backup', backup, '--without-redis')).toMatchObject({ code: 0, error: '' })
  expect([readdirSync(backup).sort(), others(backups)]).toEqual([['backup.json', 'customer.sqlite', 'quote.key'], []])
  expect(await call('restore', backup, '--incomplete')).toMatchObject({ code: 0, error: '' })
  expect(others(dataDir)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('start no services in the user’s folder', async () => {
  const { dataDir } = foldersOf()
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:9' }
  expect(await runCommand('run-stack', ['--only', 'quote'], { env })).toMatchObject({
    code: 1,
    error: `The data folder ${dataDir} belongs to user ${user}, who could not read what root makes there: start as that user, or set DATA_DIR to another folder.\n`,
  })
  expect(readdirSync(dataDir)).toEqual([])
})
