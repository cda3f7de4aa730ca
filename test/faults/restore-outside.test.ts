import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { hashOf, manifestName } from '../../scripts/backup/contents'
import { restoreBackup } from '../../scripts/backup/restore-backup'

test('a backup that names a file outside of itself is refused, and nothing is written', async () => {
  const place = tempDir()
  const [folder, dataDir] = [join(place, 'backup'), join(place, 'data')]
  mkdirSync(folder)
  writeFileSync(join(place, 'outside'), 'of somebody else')
  const files = { '../outside': await hashOf(Bun.file(join(place, 'outside'))) }
  const manifest = { takenAt: '2026-03-01T12:00:00.000Z', version: '1.0.0', files }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
  const restoring = restoreBackup({ folder, dataDir, audit: async () => {}, decrypter: null })
  await expect(restoring).rejects.toThrow('is no backup: ../outside is no file of it')
  expect(existsSync(dataDir)).toBe(false)
})
