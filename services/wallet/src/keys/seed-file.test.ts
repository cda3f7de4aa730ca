import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createKeys } from './key-tree'
import { createSeedFile, openKeys, readMnemonic, SeedError, seedFileName } from './seed-file'

const passphrase = 'correct horse battery staple'
const cheap = { cost: 2 ** 4, now: new Date() }

async function made() {
  const dataDir = tempDir()
  await createSeedFile(dataDir, passphrase, cheap)
  const file = join(dataDir, seedFileName)
  return { dataDir, file, text: readFileSync(file, 'utf8') }
}

const problem = (dataDir: string, words = passphrase) =>
  openKeys(dataDir, [words]).then(
    () => 'opened',
    (error: unknown) => (error instanceof SeedError ? error.message : `another error: ${error}`),
  )

describe('the seed file', () => {
  test('contains 24 words, and opens to their keys', async () => {
    const { dataDir } = await made()
    const words = await readMnemonic(dataDir, [passphrase])
    expect(words.split(' ')).toHaveLength(24)
    expect(validateMnemonic(words, wordlist)).toBe(true)
    const keys = await openKeys(dataDir, [passphrase])
    expect(keys.fingerprint).toBe(createKeys(mnemonicToSeedSync(words)).fingerprint)
    expect(JSON.parse(readFileSync(join(dataDir, seedFileName), 'utf8')).fingerprint).toBe(keys.fingerprint)
  })

  test('is readable by its owner only, different each time, and reveals none of the words', async () => {
    const { dataDir, file, text } = await made()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const other = (await made()).text
    expect(other).not.toBe(text)
    // Some names of fields are words of the list ("salt"): those stand in the file of any seed.
    const shows = (file: string, word: string) => new RegExp(`\\b${word}\\b`).test(file)
    const words = (await readMnemonic(dataDir, [passphrase])).split(' ')
    expect(words.filter((word) => shows(text, word) && !shows(other, word))).toEqual([])
  })

  test('is sealed with the full cost of scrypt unless a test says otherwise', async () => {
    const dataDir = tempDir()
    await createSeedFile(dataDir, passphrase, { now: new Date() })
    const { kdf } = JSON.parse(readFileSync(join(dataDir, seedFileName), 'utf8'))
    expect(kdf).toMatchObject({ name: 'scrypt', N: 2 ** 17, r: 8, p: 1 })
    expect(await problem(dataDir)).toBe('opened')
  })

  test('is never overwritten', async () => {
    const { dataDir, file, text } = await made()
    expect(createSeedFile(dataDir, 'another passphrase', cheap)).rejects.toThrow('a seed is never written over')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('detects a wrong passphrase', async () => {
    const { dataDir, file } = await made()
    expect(await problem(dataDir, 'another passphrase')).toBe(
      `The passphrase does not open ${file}: set WALLET_PASSPHRASE to the one it was made with`,
    )
    expect(await problem(dataDir, 'correct horse battery staple')).toBe('opened')
  })

  test('detects damage anywhere', async () => {
    const { dataDir, file, text } = await made()
    const envelope = JSON.parse(text)
    const other = (base64: string) => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`
    const damaged = {
      'cut off': text.slice(0, 200),
      empty: '',
      'no envelope': '{"format":"something else"}',
      'another version': JSON.stringify({ ...envelope, version: 2 }),
      'a sealed byte': JSON.stringify({ ...envelope, sealed: other(envelope.sealed) }),
      'a byte of the wrapped key': JSON.stringify({ ...envelope, wrappedKey: other(envelope.wrappedKey) }),
      'the fingerprint': JSON.stringify({ ...envelope, fingerprint: '0x00' }),
      'the salt': JSON.stringify({ ...envelope, kdf: { ...envelope.kdf, salt: other(envelope.kdf.salt) } }),
      'a cost beyond reason': JSON.stringify({ ...envelope, kdf: { ...envelope.kdf, N: 2 ** 30 } }),
      'the checksum': JSON.stringify({ ...envelope, checksum: other(envelope.checksum) }),
      'a missing field': JSON.stringify({ ...envelope, sealed: undefined }),
    }
    for (const [what, broken] of Object.entries(damaged)) {
      writeFileSync(file, broken)
      expect(`${what}: ${await problem(dataDir)}`).toStartWith(`${what}: The seed file ${file} is damaged (`)
    }
    writeFileSync(file, text)
    expect(await problem(dataDir)).toBe('opened')
  })
})
