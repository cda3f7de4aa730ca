// What the doctor finds about the archive of old rows.
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { examineArchive } from '../../scripts/doctor/archive'

const home = tempDir()
const examined = (dataDir: string, env: Record<string, string> = {}) =>
  examineArchive({ home, env, dataDir, timeUrl: null })

test('an archive is there, not there yet, or not wanted', async () => {
  const dataDir = tempDir()
  expect(await examined(dataDir)).toEqual([])
  expect(await examined(join(dataDir, 'not/made/yet'))).toEqual([])
  const archive = join(dataDir, 'archive')
  mkdirSync(join(archive, 'log-tracker/log_messages/2026-01'), { recursive: true })
  const ok = (says: string) => [{ verdict: 'ok' as const, about: 'archive', says }]
  expect(await examined(dataDir)).toEqual(ok(`old rows can go to ${archive}`))
  expect(await examined(dataDir, { ARCHIVE_DIR: 'none' })).toEqual(ok('none is kept: old rows are deleted without'))
  mkdirSync(join(home, 'elsewhere'))
  expect(await examined(dataDir, { ARCHIVE_DIR: 'elsewhere' })).toEqual(
    ok(`old rows can go to ${join(home, 'elsewhere')}`),
  )
})

test.each(['archive', 'archive/log-tracker', 'archive/log-tracker/log_messages/2026-02'])(
  'a file at %s, where a folder should be: also root cannot write there',
  async (path) => {
    const dataDir = tempDir()
    const inTheWay = join(dataDir, path)
    mkdirSync(join(inTheWay, '..'), { recursive: true })
    writeFileSync(inTheWay, '')
    const wrong = {
      verdict: 'wrong' as const,
      about: 'archive',
      says: expect.stringContaining(` cannot go to ${inTheWay}: `),
    }
    expect(await examined(dataDir)).toEqual([wrong])
    expect(await examined(tempDir(), { ARCHIVE_DIR: join(inTheWay, 'below') })).toEqual([wrong])
  },
)
