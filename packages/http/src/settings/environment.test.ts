import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { environment, isSecretSetting } from './environment'

function file(text: string | Buffer, name = 'secret'): string {
  const path = join(tempDir(), name)
  writeFileSync(path, text)
  return path
}

describe('a secret in a file', () => {
  test.each([
    ['words', 'words'],
    ['words\n', 'words'],
    ['words\r\n', 'words'],
    [' two words \n\n', ' two words \n'],
    ['é', 'é'],
  ])('%j is %j', (text, expected) => {
    const env = { WALLET_PASSPHRASE_FILE: file(text), HOST: '::1' }
    expect(environment(env)).toMatchObject({ WALLET_PASSPHRASE: expected, HOST: '::1' })
  })

  test('may be the nodes of any network', () => {
    expect(environment({ MY_CHAIN_RPC_URLS_FILE: file('https://a/key') }).MY_CHAIN_RPC_URLS).toBe('https://a/key')
  })

  test('is none where the setting holds no secret', () => {
    const env = { SSL_CERT_FILE: '/nowhere', HOST_FILE: '/nowhere', __proto___FILE: '/nowhere' }
    expect(environment(env)).toEqual(env)
  })

  test('is none where its name is empty', () => {
    expect(environment({ SMTP_URL_FILE: '', SMTP_URL: 'smtp://a' }).SMTP_URL).toBe('smtp://a')
  })

  test.each<[string, () => Record<string, string>, string]>([
    ['missing', () => ({ SMTP_URL_FILE: '/nowhere/smtp' }), 'SMTP_URL_FILE: ENOENT'],
    ['a folder', () => ({ SMTP_URL_FILE: tempDir() }), 'SMTP_URL_FILE: EISDIR'],
    ['empty', () => ({ SMTP_URL_FILE: file('\n') }), 'is empty'],
    ['huge', () => ({ SMTP_URL_FILE: file(Buffer.alloc(65_537, 97)) }), 'more than 65536 bytes'],
    ['given twice', () => ({ SMTP_URL_FILE: file('a'), SMTP_URL: 'b' }), 'SMTP_URL and SMTP_URL_FILE are both set'],
  ])('that is %s is refused, without a word of what it holds', (_, env, message) => {
    expect(() => environment(env())).toThrow(message)
  })
})

describe('credentials of systemd', () => {
  function credentials(texts: Record<string, string>): string {
    const folder = tempDir()
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    return folder
  }

  test('are settings of their name; others are left alone', () => {
    const CREDENTIALS_DIRECTORY = credentials({ REDIS_URL: 'redis://a\n', HOST: '0.0.0.0', 'tls.key': 'x' })
    mkdirSync(join(CREDENTIALS_DIRECTORY, 'SMTP_URL.d'))
    expect(environment({ CREDENTIALS_DIRECTORY })).toEqual({ CREDENTIALS_DIRECTORY, REDIS_URL: 'redis://a' })
  })

  test('give way to a variable and to a file of its own', () => {
    const CREDENTIALS_DIRECTORY = credentials({ REDIS_URL: 'redis://a', SMTP_URL: 'smtp://a' })
    const env = { CREDENTIALS_DIRECTORY, REDIS_URL: 'redis://b', SMTP_URL_FILE: file('smtp://b') }
    expect(environment(env)).toMatchObject({ REDIS_URL: 'redis://b', SMTP_URL: 'smtp://b' })
  })

  test('that are not there are refused by name', () => {
    expect(() => environment({ CREDENTIALS_DIRECTORY: '/nowhere' })).toThrow('CREDENTIALS_DIRECTORY: ENOENT')
  })
})

test('nothing of another name is a secret', () => {
  for (const name of ['HOST', 'constructor', '__proto__', 'RPC_URLS', 'x_RPC_URLS', ''])
    expect(isSecretSetting(name)).toBe(false)
})
