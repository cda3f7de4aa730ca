import { expect, test } from 'bun:test'
import { createMetrics } from '@bursar/http'
import { noteBackup } from '@bursar/store/last-backup'
import { tempDir } from '@bursar/testing'
import { addBackupFigure } from './backup-figure'

const server = 'postgres://127.0.0.1/bursar'

/** The samples of the figure, in order. */
async function samples(settings: Partial<Parameters<typeof addBackupFigure>[1]>): Promise<string[]> {
  const metrics = createMetrics('gateway', '1.0.0')
  addBackupFigure(metrics, { dataDir: tempDir(), databaseUrl: null, copiesBackups: false, ...settings })
  const text = await metrics.text()
  return [...text.matchAll(/^bursar_backup_taken_seconds\{place="(\w+)".*\} (\d+)$/gm)].map(
    ([, place, at]) => `${place} ${at}`,
  )
}

test('has a place for copies as soon as they are asked for: an alert must tell of one that never worked', async () => {
  expect(await samples({})).toEqual(['here 0'])
  expect(await samples({ copiesBackups: true })).toEqual(['here 0', 'elsewhere 0'])
  const dataDir = tempDir()
  noteBackup(dataDir, '2026-01-31T12:00:00.000Z', true)
  noteBackup(dataDir, '2026-01-31T18:00:00.000Z', false)
  expect(await samples({ dataDir })).toEqual(['here 1769882400', 'elsewhere 1769860800'])
})

test('is absent with a server, which backups of files do not reach', async () => {
  expect(await samples({ databaseUrl: server })).toEqual([])
})
