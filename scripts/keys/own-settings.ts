import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@bursar/http'
import { keyBytes, keyLines } from '@bursar/http/key-file'
import { hasPassphraseFile, passphraseFileName, passphrasesOf } from '../../services/wallet/src/keys/passphrase'
import {
  newSeed,
  nextSeedFileName,
  openKeys,
  seedFileName,
  seedSetting,
} from '../../services/wallet/src/keys/seed-file'
import { keyFiles } from '../rotate/targets'
import { oneLine } from './settings-file'

/** A setting that holds a secret of the installation. */
interface OwnSetting {
  name: string
  value: string
  /** Where its value is from, for people. */
  from: string
}

interface Installation {
  env: Environment
  dataDir: string
  /** Whether what there is not yet is made. */
  mayMake: boolean
  now: Date
  /** scrypt's; tests take a small one. */
  cost?: number
}

/** All of them, each as it is now. Throws a sentence where one is missing, or the passphrase does not open the seed. */
export async function ownSettings(at: Installation): Promise<OwnSetting[]> {
  const keys = Object.values(keyFiles).map(({ file, setting }) => keySetting(at, file, setting))
  return [...keys, ...(await seedSettings(at))]
}

function keySetting({ env, dataDir, mayMake, now }: Installation, file: string, name: string): OwnSetting {
  const given = env[name]
  if (given) return { name, value: given, from: 'as it is set' }
  const path = join(dataDir, file)
  if (existsSync(path)) {
    const lines = keyLines(readFileSync(path, 'utf8'))
    if (!lines) throw new Error(`${path} is no key file: restore it from a backup`)
    const living = lines.filter(({ until }) => until === null || until > now)
    return { name, value: living.map(({ key }) => key).join(','), from: `of ${path}` }
  }
  if (!mayMake) throw missing(path, name)
  return { name, value: randomBytes(keyBytes).toString('base64'), from: 'made' }
}

const missing = (path: string, name: string): Error =>
  new Error(
    `${path} is missing, and ${name} is not set: restore it from a backup; --new makes it for a new installation`,
  )

/** The seed comes with the passphrase that opens it. */
async function seedSettings(at: Installation): Promise<OwnSetting[]> {
  const { env, dataDir, mayMake, now, cost } = at
  const file = join(dataDir, seedFileName)
  if (existsSync(join(dataDir, nextSeedFileName)) && !env[seedSetting])
    throw new Error('A new passphrase of the wallets’ seed is prepared: start the wallet service with it first')
  const known = env[seedSetting] || (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  if (known === undefined && !mayMake) throw missing(file, seedSetting)
  const { name, values, from } = passphrasesFor(at)
  const seed = known ?? (await newSeed(values[0], { now, cost }))
  const value = await openingOf(values, dataDir, seed)
  const source = env[seedSetting] ? 'as it is set' : known === undefined ? 'made' : `of ${file}`
  return [
    { name: seedSetting, value: oneLine(seed), from: source },
    { name, value, from },
  ]
}

/** While a passphrase is replaced its file has several. Throws SeedError when none opens the seed. */
async function openingOf(passphrases: readonly [string, ...string[]], dataDir: string, seed: string): Promise<string> {
  for (const [i, passphrase] of passphrases.entries()) {
    try {
      const keys = await openKeys(dataDir, [passphrase], { seed })
      keys.close()
      return passphrase
    } catch (error) {
      if (i === passphrases.length - 1) throw error
    }
  }
  return passphrases[0]
}

function passphrasesFor({ env, dataDir, mayMake }: Installation) {
  const name = 'WALLET_PASSPHRASE'
  const given = env[name]
  if (given) return { name, values: [given] as const, from: 'as it is set' }
  const path = join(dataDir, passphraseFileName)
  if (hasPassphraseFile(dataDir)) return { name, values: passphrasesOf(dataDir, undefined), from: `of ${path}` }
  if (!mayMake) throw missing(path, name)
  return { name, values: [randomBytes(keyBytes).toString('base64')] as const, from: 'made' }
}
