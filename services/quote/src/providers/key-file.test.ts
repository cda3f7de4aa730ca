import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { credentialKey } from './key-file'

test('a key is made once, for its owner alone, and found again', () => {
  const dataDir = join(tempDir(), 'new')
  const key = credentialKey({ secretKey: undefined, dataDir })
  expect(key).toHaveLength(32)
  expect(credentialKey({ secretKey: undefined, dataDir })).toEqual(key)
  expect(statSync(join(dataDir, 'quote.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['quote.key'])
})

test('a key of the environment makes no file', () => {
  const dataDir = tempDir()
  const secretKey = Buffer.alloc(32, 9).toString('base64')
  expect(credentialKey({ secretKey, dataDir })).toEqual(Buffer.alloc(32, 9))
  expect(readdirSync(dataDir)).toEqual([])
})

test('a key of another length is refused with where it stands', () => {
  const dataDir = tempDir()
  writeFileSync(join(dataDir, 'quote.key'), 'short')
  expect(() => credentialKey({ secretKey: undefined, dataDir })).toThrow('quote.key must hold 32 bytes in base64')
  expect(() => credentialKey({ secretKey: 'c2hvcnQ=', dataDir })).toThrow('QUOTE_SECRET_KEY must hold 32 bytes')
})
