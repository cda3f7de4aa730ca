// What the doctor finds about restores, moves, backups, the machine and files of settings.
import { beforeEach, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { movedName } from '@bursar/store'
import { noteBackup } from '@bursar/store/last-backup'
import { unfinishedName } from '@bursar/store/unfinished'
import { tempDir } from '@bursar/testing'
import { examineBackups, examineBegun } from '../../scripts/doctor/backups'
import { networkOf } from '../../scripts/doctor/data-folder'
import { examineAll } from '../../scripts/doctor/examine-all'
import type { Examination } from '../../scripts/doctor/finding'
import { bunFinding, filesFinding } from '../../scripts/doctor/machine'
import { openFilesIn } from '../../scripts/stack/warnings'

let dataDir: string
beforeEach(() => {
  dataDir = tempDir()
})

const examined = async (examine: Examination, env: Record<string, string> = {}) =>
  (await examine({ home: dataDir, env, dataDir, timeUrl: null })).map(
    ({ verdict, about, says }) => `${verdict} ${about}: ${says}`,
  )
const server = { DATABASE_URL: 'postgres://db.internal/bursar' }
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('a restore that has not ended, with what ends it', async () => {
  expect(await examined(examineBegun)).toEqual([])
  writeFileSync(join(dataDir, unfinishedName), 'before-restore-x\n')
  expect(await examined(examineBegun)).toEqual([
    expect.stringMatching(
      /^wrong restore: A restore into .* has not ended: .* run bun run restore with the backup again/,
    ),
  ])
  writeFileSync(join(dataDir, 'core.sqlite'), '')
  const all = await examineAll({ home: dataDir, env: { REDIS_URL: 'redis://127.0.0.1:9' }, dataDir, timeUrl: null })
  const found = all.map(({ about }) => about).filter((about) => /^(restore|backup)$/.test(about))
  expect(found).toEqual(['restore', 'backup'])
})

test('databases that were moved to a server, unless they are read there', async () => {
  writeFileSync(join(dataDir, movedName), JSON.stringify({ at: '2026-03-01', to: 'db.internal/bursar' }))
  expect(await examined(examineBegun)).toEqual([
    expect.stringMatching(/^wrong move: The data of .* was moved to db\.internal\/bursar .*: set DATABASE_URL/),
  ])
  expect(await examined(examineBegun, server)).toEqual([])
})

test('a backup that is old or missing where real money moves, here and elsewhere', async () => {
  const real = { ENVIRONMENT: 'production', BACKUP_COPY_TO: 's3://bucket' }
  expect(await examined(examineBackups, real)).toEqual([])
  writeFileSync(join(dataDir, 'core.sqlite'), '')
  expect(await examined(examineBackups, server)).toEqual([])
  expect(await examined(examineBackups)).toEqual(['ok backup: the newest backup: none was ever taken'])
  const remedy = 'start bursar-backup.timer, or bun run backup'
  expect(await examined(examineBackups, real)).toEqual([
    `warning backup: the newest backup: none was ever taken: ${remedy}`,
    `warning backup: the newest backup in BACKUP_COPY_TO: none was ever taken: ${remedy}`,
  ])
  const old = hoursAgo(13.5)
  noteBackup(dataDir, old, true)
  const recent = hoursAgo(12.5)
  noteBackup(dataDir, recent, false)
  expect(await examined(examineBackups, real)).toEqual([
    `ok backup: the newest backup is of ${recent}`,
    `warning backup: the newest backup in BACKUP_COPY_TO is of ${old}, 13 hours ago: see BursarBackupOld in docs/operations.md`,
  ])
  noteBackup(dataDir, old, false)
  expect(await examined(examineBackups)).toEqual([`ok backup: the newest backup is of ${old}, 13 hours ago`])
})

test('another Bun than the tested one, and few files for a process', () => {
  expect(bunFinding({ runs: '1.4.5', pinned: '1.4.5', isExecutable: false })).toEqual([])
  expect(bunFinding({ runs: '1.2.0', pinned: '1.4.5', isExecutable: true })).toEqual([])
  expect(bunFinding({ runs: '1.2.0', pinned: '1.4.5', isExecutable: false })).toMatchObject([
    { verdict: 'warning', says: expect.stringMatching(/^this is Bun 1\.2\.0, and .* with 1\.4\.5: scripts\/start/) },
  ])
  const limits = (hard: string) =>
    `Max processes  1 2 processes\nMax open files            1024     ${hard}     files\n`
  for (const enough of [limits('4096'), limits('unlimited'), '', null]) expect(filesFinding(enough)).toEqual([])
  expect(filesFinding(limits('4095'))).toMatchObject([
    { verdict: 'warning', says: expect.stringMatching(/^a process may open 4095 files: raise it to 4096/) },
  ])
})

test('a network file system, by the number that the system gives it', () => {
  expect(networkOf(0x6969)).toBe('NFS')
  // As a signed number, which some systems give.
  expect(networkOf(0xff534d42 | 0)).toBe('CIFS')
  expect(networkOf(0xef53)).toBeNull()
})

test('a file of settings with secrets that others may read', async () => {
  const file = join(dataDir, '.env')
  writeFileSync(file, 'HOST=::1\n', { mode: 0o644 })
  expect(await openFilesIn(dataDir)).toEqual([])
  writeFileSync(file, 'HOST=::1\nSMTP_URL=smtp://user:word@host\n')
  expect(await openFilesIn(dataDir)).toEqual([`${file} has secrets, and is open to other users: chmod 600 it`])
  chmodSync(file, 0o600)
  expect(await openFilesIn(dataDir)).toEqual([])
})
