import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '@bursar/store/file-lock'
import { tempDir } from '@bursar/testing'
import { dropEndedKeys, keyLines, prepareNextKey, readKeyFile, rotateKeyFile } from './key-file'

const [first, second] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')]
const until = new Date('2026-03-01T00:00:00Z')
const later = new Date('2026-04-01T00:00:00Z')

function folderWith(text: string): { folder: string; lines: () => ReturnType<typeof keyLines> } {
  const folder = tempDir()
  writeFileSync(join(folder, 'some.key'), text, { mode: 0o600 })
  return { folder, lines: () => keyLines(readFileSync(join(folder, 'some.key'), 'utf8')) }
}

test('a rotation puts a new key in front, and gives the one before its end', () => {
  const { folder, lines } = folderWith(`${first}\n`)
  rotateKeyFile(folder, 'some.key', until)
  const [next] = lines() ?? []
  expect(lines()).toEqual([
    { key: next?.key ?? '', until: null },
    { key: first, until },
  ])
  expect(Buffer.from(next?.key ?? '', 'base64')).toHaveLength(32)
  expect(next?.key).not.toBe(first)
  rotateKeyFile(folder, 'some.key', later)
  expect(lines()?.slice(1)).toEqual([
    { key: next?.key ?? '', until: later },
    { key: first, until },
  ])
  expect(statSync(join(folder, 'some.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).toSorted()).toEqual(['some.key', 'some.key.lock'])
})

test('a rotation that stopped half-way is finished with the key that it made', () => {
  const { folder, lines } = folderWith(`${first}\n${second}\n`)
  // What the one before left behind when it ended while writing.
  writeFileSync(join(folder, 'some.key.new'), 'half')
  rotateKeyFile(folder, 'some.key', until)
  expect(lines()).toEqual([
    { key: second, until: null },
    { key: first, until },
  ])
})

test('the next key is in the file before it is used, and stays the same until its turn', () => {
  const { folder, lines } = folderWith(`${first}\n`)
  const next = prepareNextKey(folder, 'some.key')
  expect(lines()).toEqual([
    { key: first, until: null },
    { key: next, until: null },
  ])
  expect(prepareNextKey(folder, 'some.key')).toBe(next)
  rotateKeyFile(folder, 'some.key', until)
  expect(lines()?.[0]?.key).toBe(next)
})

test('ended keys are dropped, and those that have not ended stay', () => {
  const { folder, lines } = folderWith(`${first}\n${second} until ${until.toISOString()}\n`)
  dropEndedKeys(folder, 'some.key', new Date(until.getTime() - 1))
  expect(lines()).toHaveLength(2)
  dropEndedKeys(folder, 'some.key', until)
  expect(lines()).toEqual([{ key: first, until: null }])
})

test('two rotations at once: the second is refused, and changes nothing', () => {
  const { folder, lines } = folderWith(`${first}\n`)
  const lock = lockFile(join(folder, 'some.key'), 'The key file')
  expect(() => rotateKeyFile(folder, 'some.key', until)).toThrow('some.key is in use by this process already')
  lock.release()
  expect(lines()).toEqual([{ key: first, until: null }])
})

test.each([
  ['nothing', ''],
  ['words', 'not a key\n'],
  ['an end that is none', `${first}\n${second} until tomorrow\n`],
  ['an impossible end', `${first}\n${second} until 2026-19-39T99:99:99Z\n`],
  ['a first key with an end', `${first} until ${until.toISOString()}\n`],
])('%s in a key file is refused, and left as it is', (_, text) => {
  const { folder } = folderWith(text)
  expect(() => rotateKeyFile(folder, 'some.key', until)).toThrow('some.key is no key file')
  expect(readFileSync(join(folder, 'some.key'), 'utf8')).toBe(text)
})

test('a file that the first start makes has one line', () => {
  const folder = tempDir()
  expect(keyLines(readKeyFile(folder, 'some.key'))).toHaveLength(1)
})
