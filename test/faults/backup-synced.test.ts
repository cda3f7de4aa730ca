// A power cut takes away what was not synced: when a backup and a restore have their files on the disk.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openInternalSecret } from '@bursar/http'
import { unfinishedName } from '@bursar/store/unfinished'
import { tempDir } from '@bursar/testing'
import { encrypterFor, newKey } from '../../scripts/backup/encryption'
import { restoreBackup } from '../../scripts/backup/restore-backup'
import { type BackupOptions, takeBackup } from '../../scripts/backup/take-backup'

const audit = async () => {}

/** A data folder with a database and two keys. */
function madeData(): string {
  const dataDir = join(tempDir(), 'data')
  mkdirSync(dataDir)
  const database = new Database(join(dataDir, 'customer.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE kept (id)')
  database.close()
  openInternalSecret(dataDir, undefined)
  writeFileSync(join(dataDir, 'some.key'), 'of some service')
  return dataDir
}

const backup = (dataDir: string, options: Pick<BackupOptions, 'folder'> & Partial<BackupOptions>) =>
  takeBackup({
    dataDir,
    redisUrl: null,
    secret: openInternalSecret(dataDir, undefined),
    audit,
    encrypter: null,
    ...options,
  })

/** What was synced, relative to `place`, in the order of the calls; `state` says what was there at each. */
function watched(place: string, state: () => string) {
  const calls: string[] = []
  return { calls, sync: (path: string) => void calls.push(`${state()}: ${relative(place, path) || '.'}`) }
}

test('a backup is on the disk before its manifest says that it is one, and under its name before older ones are removed', async () => {
  const place = tempDir()
  const folder = join(place, 'backups', 'new')
  const draft = `${folder}.unfinished`
  const state = () => (existsSync(folder) ? 'named' : existsSync(join(draft, 'backup.json')) ? 'said' : 'copied')
  const { calls, sync } = watched(place, state)
  await backup(madeData(), { folder, sync })
  expect(calls).toEqual([
    'copied: backups/new.unfinished/customer.sqlite',
    'copied: backups/new.unfinished/internal.secret',
    'copied: backups/new.unfinished/some.key',
    'copied: backups/new.unfinished',
    'said: backups/new.unfinished/backup.json',
    'said: backups/new.unfinished',
    // The folder of all backups was made for this one: it is an entry of the one above it.
    'named: backups',
    'named: .',
  ])
})

test('so is one that is encrypted', async () => {
  const place = tempDir()
  const folder = join(place, 'new')
  const { calls, sync } = watched(place, () => (existsSync(`${folder}.unfinished/backup.json`) ? 'said' : 'copied'))
  const { recipient } = await newKey(new Date())
  await backup(madeData(), { folder, sync, encrypter: encrypterFor([recipient]) })
  const files = ['customer.sqlite.age', 'internal.secret.age', 'some.key.age']
  expect(calls.slice(0, 4)).toEqual([
    ...files.map((name) => `copied: new.unfinished/${name}`),
    'copied: new.unfinished',
  ])
})

test('a restore has all it brings on the disk before it moves what was there, and ends when all has its place there', async () => {
  const dataDir = madeData()
  const folder = join(tempDir(), 'new')
  await backup(dataDir, { folder })
  const asideIn = () => readdirSync(dataDir).filter((name) => name.startsWith('before-restore-')).length
  const isMarked = () => existsSync(join(dataDir, unfinishedName))
  const state = () => (asideIn() === 0 ? 'untouched' : isMarked() ? 'moved' : 'ended')
  const { calls, sync } = watched(dirname(dataDir), state)
  const { before } = await restoreBackup({ folder, dataDir, audit, decrypter: null, isIncomplete: true, sync })
  const arriving = `data/arriving-${process.pid}`
  expect(calls).toEqual([
    `untouched: ${arriving}/customer.sqlite`,
    `untouched: ${arriving}/internal.secret`,
    `untouched: ${arriving}/some.key`,
    `untouched: ${arriving}`,
    `moved: data/${relative(dataDir, before ?? '')}`,
    'moved: data',
    // Without the mark that refuses starts.
    'ended: data',
  ])
})
