// What commands say when the system refuses something.
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { writeNew } from '../../scripts/keys/settings-file'
import { complaintOf } from '../../scripts/stack/complaint'
import { claimScratch } from '../../scripts/stack/scratch'
import { runCommand } from '../commands'

const failed = (code: string) => Object.assign(new Error('it failed'), { code })

test.each([
  ['ENOSPC', 'it failed: the disk is full: free some space, and run this again'],
  ['SQLITE_FULL', 'it failed: free some space, and run this again'],
  ['SQLITE_READONLY_DIRECTORY', 'it failed: run this as the user who runs the services'],
  ['EACCES', 'it failed: run this as the user who runs the services, and name only files where that user may write'],
  ['ENOENT', 'it failed'],
])('%s is told with what to do about it', (code, sentence) => {
  expect(complaintOf(failed(code))).toBe(sentence)
})

test('what has no code is told as it is', () => {
  expect([complaintOf(new Error('it failed')), complaintOf('words')]).toEqual(['it failed', 'words'])
})

test('a file that could not be written whole is not left', () => {
  const file = join(tempDir(), 'keys.env')
  const onFullDisk: typeof writeFileSync = (path, _, options) => {
    writeFileSync(path, '', options)
    throw failed('ENOSPC')
  }
  expect(() => writeNew(file, 'A=1\n', onFullDisk)).toThrow('it failed')
  expect(existsSync(file)).toBe(false)
  writeNew(file, 'A=1\n')
  expect(() => writeNew(file, 'A=2\n')).toThrow(new Error(`${file} is there already: name another file`))
})

test('a folder that could not be claimed is not left', () => {
  const place = tempDir()
  const folder = join(place, 'restore-abc123')
  for (const each of [folder, `${folder}.pid`]) mkdirSync(each)
  expect(() => claimScratch(folder)).toThrow('EISDIR')
  expect(readdirSync(place)).toEqual([])
})

test('a key of backups is written into a new file alone', async () => {
  const file = join(tempDir(), 'key')
  const env = { PATH: process.env.PATH }
  expect(await runCommand('backup', ['--new-key', file], { env })).toMatchObject({ code: 0, error: '' })
  expect(await runCommand('backup', ['--new-key', file], { env })).toMatchObject({
    code: 1,
    error: `${file} is there already: name another file\n`,
  })
})
