import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { version } from '../../package.json'
import { hashOf, manifestName, ofLaterRelease } from '../../scripts/backup/contents'
import { drill } from '../../scripts/backup/drill'
import { restoreBackup } from '../../scripts/backup/restore-backup'

/** Restores a folder whose manifest says so. */
async function restoring(said: string) {
  const place = tempDir()
  const folder = join(place, 'backup')
  mkdirSync(folder)
  writeFileSync(join(folder, manifestName), said)
  return await restoreBackup({
    folder,
    dataDir: join(place, 'data'),
    audit: async () => {},
    decrypter: null,
    isIncomplete: true,
  })
}

test.each([
  ['{"takenAt": "2026-03-01', 'it has no readable backup.json'],
  ['[]', 'it has no readable backup.json'],
  ['{"takenAt":"2026-03-01T12:00:00.000Z","version":"0.1.0"}', 'it has no readable backup.json'],
  ['{"takenAt":"2026-03-01T12:00:00.000Z","files":{}}', 'it has no readable backup.json'],
  ['{"version":"0.1.0","files":{}}', 'it has no readable backup.json'],
  ['{"takenAt":"2026-03-01T12:00:00.000Z","version":"0.1.0","files":{}}', 'it names no database'],
])('a folder that says %s of itself is no backup', async (said, why) => {
  await expect(restoring(said)).rejects.toThrow(`is no backup: ${why}`)
})

test('a backup that names not the databases of all services is refused, and a drill of it; the services are named', async () => {
  const place = tempDir()
  const [folder, dataDir, scratch] = [join(place, 'backup'), join(place, 'data'), join(place, 'scratch')]
  mkdirSync(folder)
  const databases = Object.values(services).map(({ slug }) => `${slug}.sqlite`)
  for (const name of databases) new Database(join(folder, name)).close()
  const hashes = await Promise.all(databases.map((name) => hashOf(Bun.file(join(folder, name)))))
  const files = Object.fromEntries(databases.map((name, i) => [name, hashes[i]]))
  const say = (named: object) => {
    const manifest = { takenAt: '2026-03-01T12:00:00.000Z', version: '1.0.0', files: named }
    writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
  }
  const how = { audit: async () => {}, decrypter: null, isIncomplete: false }
  const { 'quote.sqlite': _, ...rest } = files
  say(rest)
  const why = `The backup in ${folder} is not whole. It has no quote.sqlite: a service without its database starts empty. If it shall be so, add --incomplete.`
  await expect(restoreBackup({ folder, dataDir, ...how })).rejects.toThrow(why)
  await expect(drill({ scratch, fetch: async () => folder, ...how })).rejects.toThrow(why)
  expect([existsSync(dataDir), existsSync(scratch)]).toEqual([false, false])
  say(files)
  await restoreBackup({ folder, dataDir, ...how })
  expect(existsSync(join(dataDir, 'quote.sqlite'))).toBe(true)
  const report = await drill({ scratch, fetch: async () => folder, ...how })
  expect(report).not.toContain('It has no')
})

test('a backup of a later release is told as such', () => {
  expect(ofLaterRelease({ version: '9.10.0' })).toStartWith(' It was taken by version 9.10.0: this is ')
  expect(ofLaterRelease({ version: '0.0.1' })).toBe('')
  expect(ofLaterRelease({ version })).toBe('')
})

test('a backup that names a file outside of itself is refused, and nothing is written', async () => {
  const place = tempDir()
  const [folder, dataDir] = [join(place, 'backup'), join(place, 'data')]
  mkdirSync(folder)
  writeFileSync(join(place, 'outside'), 'of somebody else')
  const files = { '../outside': await hashOf(Bun.file(join(place, 'outside'))) }
  const manifest = { takenAt: '2026-03-01T12:00:00.000Z', version: '1.0.0', files }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
  const restoring = restoreBackup({ folder, dataDir, audit: async () => {}, decrypter: null, isIncomplete: true })
  await expect(restoring).rejects.toThrow('is no backup: ../outside is no file of it')
  expect(existsSync(dataDir)).toBe(false)
})
