import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { createSeal, deploymentSeal, openSealingKey, SealBrokenError } from './sealed'

const { seal, open } = createSeal(Buffer.alloc(32, 1))

test('what is sealed opens to the same, and never looks the same twice', () => {
  const [one, two] = [seal('sk_live_ä', 'p1'), seal('sk_live_ä', 'p1')]
  expect(one).not.toBe(two)
  expect(one).not.toContain('sk_live')
  expect([open(one, 'p1'), open(two, 'p1'), open(seal('', 'p1'), 'p1')]).toEqual(['sk_live_ä', 'sk_live_ä', ''])
})

test.each([
  ['altered', 'p1', (text: string) => text.slice(0, 12) + (text[12] === 'A' ? 'B' : 'A') + text.slice(13)],
  ['cut short', 'p1', (text: string) => text.slice(0, 20)],
  ['cut to nothing', 'p1', (text: string) => text.slice(0, 12)],
  ['cut to its version', 'p1', () => 'v1.'],
  ['not sealed at all', 'p1', () => 'sk_live_ä'],
  ['of another owner', 'p2', (text: string) => text],
])('what was %s does not open, and nothing of it is told', (_what, owner, change) => {
  const broken = () => open(change(seal('sk_live_ä', 'p1')), owner)
  expect(broken).toThrow(SealBrokenError)
  expect(broken).toThrow(new RegExp(`^What is (kept|sealed) for ${owner} (is not sealed|cannot be decrypted)$`))
})

test('nor does what another key has sealed', () => {
  expect(() => createSeal(Buffer.alloc(32, 2)).open(seal('x', 'p1'), 'p1')).toThrow(SealBrokenError)
})

test('a key is made once, for its owner alone, and found again', () => {
  const dataDir = join(tempDir(), 'new')
  const key = openSealingKey(dataDir, 'some.key')
  expect(key.keys().map(({ bytes }) => bytes.length)).toEqual([32])
  expect(openSealingKey(dataDir, 'some.key', { name: 'SOME_KEY', value: undefined }).all()).toEqual(key.all())
  expect(statSync(join(dataDir, 'some.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir)).toEqual(['some.key'])
})

test('a key that is given makes no file', () => {
  const dataDir = tempDir()
  const value = Buffer.alloc(32, 9).toString('base64')
  expect(openSealingKey(dataDir, 'some.key', { name: 'SOME_KEY', value }).all()).toEqual([Buffer.alloc(32, 9)])
  expect(readdirSync(dataDir)).toEqual([])
})

test('a key of another length is refused with where it stands', () => {
  const dataDir = tempDir()
  writeFileSync(join(dataDir, 'some.key'), 'short')
  expect(() => openSealingKey(dataDir, 'some.key')).toThrow('some.key must hold 32 bytes in base64')
  const given = { name: 'SOME_KEY', value: 'c2hvcnQ=' }
  expect(() => openSealingKey(dataDir, 'some.key', given)).toThrow('SOME_KEY must hold 32 bytes')
})

test('the deployment’s seals open in another service, for the same purpose and with the same secret', () => {
  const secret = Buffer.alloc(32, 1)
  const sealed = deploymentSeal(secret, 'headers').seal('hunter2', 'request-1')
  expect(deploymentSeal(secret, 'headers').open(sealed, 'request-1')).toBe('hunter2')
  expect(() => deploymentSeal(secret, 'other').open(sealed, 'request-1')).toThrow(SealBrokenError)
  expect(() => deploymentSeal(Buffer.alloc(32, 2), 'headers').open(sealed, 'request-1')).toThrow(SealBrokenError)
})
