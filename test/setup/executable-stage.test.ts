import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { makeExecutable, putInPlace } from '../../scripts/build/executable'

test('what a killed build of the executable has left goes with the next one, which leaves nothing when it fails', async () => {
  const root = tempDir()
  const cache = join(root, '.cache/build')
  const left = join(cache, 'executable-4194999.unfinished')
  mkdirSync(join(left, 'files'), { recursive: true })
  writeFileSync(`${left}.lock`, '')
  mkdirSync(join(cache, 'a-bundle'))
  // There is nothing here to be built.
  await expect(makeExecutable(root, join(root, 'bursar'))).rejects.toThrow()
  expect([readdirSync(cache), existsSync(join(root, 'bursar'))]).toEqual([['a-bundle'], false])
})

test('an executable that could not be put into its place leaves nothing beside it', () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'made'), 'program')
  mkdirSync(join(folder, 'bursar'))
  expect(() => putInPlace(join(folder, 'made'), join(folder, 'bursar'))).toThrow()
  expect(readdirSync(folder).sort()).toEqual(['bursar', 'made'])
})
