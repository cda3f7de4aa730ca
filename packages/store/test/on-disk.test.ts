import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createFile, newNamesIn, replaceFile, replaceInThread, type Sync } from '@bursar/store/on-disk'
import { tempDir } from '@bursar/testing'

/** What was synced, with the names that each folder had by then. */
function recorded(): { synced: [string, string[]][]; sync: Sync } {
  const synced: [string, string[]][] = []
  return { synced, sync: (path) => synced.push([path, readdirSync(path)]) }
}

test('a new file is its owner’s alone, and on the disk by its name, as are the folders made for it', () => {
  const root = tempDir()
  const folder = join(root, 'a', 'b')
  const { synced, sync } = recorded()
  expect(createFile(join(folder, 'key'), 'text', sync)).toBe(true)
  expect(readFileSync(join(folder, 'key'), 'utf8')).toBe('text')
  expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(synced).toEqual([
    [folder, ['key']],
    [join(root, 'a'), ['b']],
    [root, ['a']],
  ])
})

test('a file that is there stays, and is synced: whoever made it may not have come to that', () => {
  const folder = tempDir()
  const file = join(folder, 'key')
  createFile(file, 'first')
  const { synced, sync } = recorded()
  expect(createFile(file, 'second', sync)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('first')
  expect(synced).toEqual([[folder, ['key']]])
})

// A limit on the size of files stands for the disk; the signal that goes with it would end the process.
test('of a new file that could not be written whole nothing is left', async () => {
  const folder = tempDir()
  const program = `import { createFile } from '@bursar/store/on-disk'
    createFile(process.argv.at(-1), 'x'.repeat(100_000))`
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$@"`, 'sh']
  const command = [...limited, process.execPath, '-e', program, join(folder, 'key')]
  const child = Bun.spawn(command, { cwd: import.meta.dir, stdout: 'ignore', stderr: 'pipe' })
  expect(await child.stderr.text()).toContain('EFBIG')
  expect(readdirSync(folder)).toEqual([])
})

test('a file is replaced in a thread, for its owner alone, and no draft is left', async () => {
  const folder = tempDir()
  const file = join(folder, 'run')
  await replaceInThread(file, 'a longer first one')
  await replaceInThread(file, 'second')
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['run'])
})

test('a file is replaced under its name before that is synced', () => {
  const folder = tempDir()
  const file = join(folder, 'key')
  createFile(file, 'first')
  const { synced, sync } = recorded()
  replaceFile(file, 'second', sync)
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(synced).toEqual([[folder, ['key']]])
})

test('without a new folder one folder has a new name in it', () => {
  expect(newNamesIn('/data/a', undefined)).toEqual(['/data/a'])
  expect(newNamesIn('/data/a/b', '/data/a')).toEqual(['/data/a/b', '/data/a', '/data'])
})
