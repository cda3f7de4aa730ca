// With DATABASE_URL a service may have other instances: a key that is missing is refused, not made.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { ConfigError, type Environment, type ServiceDefinition } from '@bursar/http'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { createSeedFile, seedFileName } from '../../services/wallet/src/keys/seed-file'

const key = Buffer.alloc(32, 7).toString('base64')
const server = {
  DATABASE_URL: 'postgres://127.0.0.1:9/bursar',
  SMTP_URL: 'smtp://localhost:9',
  INTERNAL_SECRET: key,
  ADMIN_PASSWORD: 'seven grey herons at dawn',
}

interface Modules {
  config(env: Environment): never
  definition(config: never): ServiceDefinition
  start(config: never): Promise<unknown>
}

async function modulesOf(name: ServiceName): Promise<Modules> {
  const folder = join(import.meta.dir, '../../services', name, 'src')
  return { ...(await import(join(folder, 'config.ts'))), ...(await import(join(folder, 'service.ts'))) }
}

/** Opens a service as its start does, on a database of the test; null when that goes well. */
async function problemOf(name: ServiceName, env: Environment): Promise<string | null> {
  const { config, definition } = await modulesOf(name)
  try {
    const service = await testService({ name, definition: definition(config({ ...server, ...env })) })
    await service.close()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe.each([
  ['main-api', 'main-api.key', 'MAIN_SECRET_KEY'],
  ['participant', 'participant.key', 'PARTICIPANT_SECRET_KEY'],
  ['quote', 'quote.key', 'QUOTE_SECRET_KEY'],
  ['webhook', 'webhook.key', 'WEBHOOK_SECRET_KEY'],
  ['identity-manager', 'identity.key', 'IDENTITY_SECRET_KEY'],
] as const)('%s', (name, file, setting) => {
  test('refuses to start without its key, and makes none', async () => {
    const dataDir = tempDir()
    const problem = await problemOf(name, { DATA_DIR: dataDir })
    expect(problem).toStartWith(`${join(dataDir, file)} is missing, and ${setting} is not set: with DATABASE_URL`)
    expect(existsSync(join(dataDir, file))).toBe(false)
  })

  test('takes it from its setting, or from a file that is there', async () => {
    expect(await problemOf(name, { DATA_DIR: tempDir(), [setting]: key })).toBeNull()
    const dataDir = tempDir()
    writeFileSync(join(dataDir, file), `${key}\n`, { mode: 0o600 })
    expect(await problemOf(name, { DATA_DIR: dataDir })).toBeNull()
  })

  test('makes it where it is alone', async () => {
    const dataDir = tempDir()
    expect(await problemOf(name, { DATA_DIR: dataDir, DATABASE_URL: '' })).toBeNull()
    expect(existsSync(join(dataDir, file))).toBe(true)
  })
})

describe('wallet', () => {
  const WALLET_PASSPHRASE = 'correct horse battery'
  async function seedIn(dataDir: string): Promise<string> {
    await createSeedFile(dataDir, WALLET_PASSPHRASE, { now: new Date(), cost: 2 ** 4 })
    return join(dataDir, seedFileName)
  }

  test('refuses to start without its seed, and makes none', async () => {
    const dataDir = tempDir()
    const problem = await problemOf('wallet', { DATA_DIR: dataDir, WALLET_PASSPHRASE })
    expect(problem).toStartWith(`${join(dataDir, seedFileName)} is missing, and WALLET_SEED is not set`)
    expect(existsSync(join(dataDir, seedFileName))).toBe(false)
  })

  test('refuses to start without its passphrase, and makes none', async () => {
    const dataDir = tempDir()
    await seedIn(dataDir)
    expect(await problemOf('wallet', { DATA_DIR: dataDir })).toStartWith('WALLET_PASSPHRASE is not set, and ')
    expect(existsSync(join(dataDir, 'wallet.passphrase'))).toBe(false)
  })

  test('takes the seed from the setting, or from a file that is there', async () => {
    const dataDir = tempDir()
    const WALLET_SEED = readFileSync(await seedIn(dataDir), 'utf8')
    expect(await problemOf('wallet', { DATA_DIR: dataDir, WALLET_PASSPHRASE })).toBeNull()
    const other = tempDir()
    expect(await problemOf('wallet', { DATA_DIR: other, WALLET_PASSPHRASE, WALLET_SEED })).toBeNull()
    expect(existsSync(join(other, seedFileName))).toBe(false)
    expect(
      await problemOf('wallet', { DATA_DIR: other, WALLET_PASSPHRASE: 'another one, too', WALLET_SEED }),
    ).toContain('does not open WALLET_SEED')
  })
})

test('any service refuses to start without the internal secret, and makes none', async () => {
  const { config, start } = await modulesOf('message')
  const dataDir = tempDir()
  const env = { ...server, INTERNAL_SECRET: '', DATA_DIR: dataDir, MESSAGE_PORT: '0', LOG_LEVEL: 'silent' }
  await expect(start(config(env))).rejects.toThrow('internal.secret is missing, and INTERNAL_SECRET is not set')
  expect(existsSync(join(dataDir, 'internal.secret'))).toBe(false)
})

test('mails need a server, or a folder that is named', async () => {
  const { config } = await modulesOf('identity-manager')
  const read = (env: Environment) => () => config({ DATABASE_URL: server.DATABASE_URL, ...env })
  expect(read({})).toThrow(ConfigError)
  expect(read({})).toThrow('SMTP_URL must be set with DATABASE_URL')
  expect(read({ SMTP_URL: server.SMTP_URL })).not.toThrow()
  expect(read({ MAIL_DIR: '/mails' })).not.toThrow()
  expect(read({ DATABASE_URL: '' })).not.toThrow()
})
