import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropEndedKeys, prepareNextKey, rotateKeyFile } from '@bursar/http/key-file'
import { lockFile } from '@bursar/store/file-lock'
import { passphraseFileName, passphrasesOf } from '../../services/wallet/src/keys/passphrase'
import { nextSeedFileName, resealSeed, seedFileName } from '../../services/wallet/src/keys/seed-file'

export interface PassphraseRotation {
  dataDir: string
  /** WALLET_PASSPHRASE; undefined where the passphrase lies in the data folder. */
  given: string | undefined
  /** The new one, where it is given. */
  next: string | undefined
  /** How long the one before stays in its file, for backups that are under way. */
  until: Date
  now: Date
  /** scrypt's; tests take a small one. */
  cost?: number
}

/**
 * Encrypts the wallets' seed under another passphrase. The wallet service, which has its keys in memory, notices nothing; at
 * whatever moment this ends, its next start opens the seed. Gives a sentence for a person.
 */
export async function rotatePassphrase(rotation: PassphraseRotation): Promise<string> {
  const lock = lockFile(join(rotation.dataDir, seedFileName), 'The seed file')
  try {
    return await (rotation.next === undefined ? ownFile(rotation) : setting(rotation, rotation.next))
  } finally {
    lock.release()
  }
}

/** The new passphrase is in the file before the seed needs it, and in front once the seed needs no other. */
async function ownFile({ dataDir, until, now, cost }: PassphraseRotation): Promise<string> {
  const next = prepareNextKey(dataDir, passphraseFileName)
  await resealSeed(dataDir, passphrasesOf(dataDir, undefined), { next, into: 'place', now, cost })
  rotateKeyFile(dataDir, passphraseFileName, until)
  dropEndedKeys(dataDir, passphraseFileName, now)
  return `${seedFileName} opens by the new passphrase of ${passphraseFileName} alone; what older backups hold opens by theirs.`
}

/** Only who sets it knows when services start with the new one: until then the seed opens by both. */
async function setting({ dataDir, given, now, cost }: PassphraseRotation, next: string): Promise<string> {
  await resealSeed(dataDir, passphrasesOf(dataDir, given), { next, into: 'next', now, cost })
  return `The seed opens by both passphrases now. Set WALLET_PASSPHRASE to the new one, and restart: from the wallet service's first start with it, the old one opens nothing here.`
}

const shortest = 12

/** The passphrase in a file, as a setting would have it. Throws a sentence when it cannot be one. */
export function passphraseIn(file: string, given: string | undefined): string {
  const next = readFileSync(file, 'utf8').trim()
  if (next.length < shortest) throw new Error(`${file} must hold a passphrase of ${shortest} characters or more`)
  if (next === given) throw new Error(`${file} holds the passphrase that is in use: choose another`)
  return next
}

/** Whether a passphrase is prepared that no start has used yet. */
export const isPrepared = (dataDir: string): boolean => existsSync(join(dataDir, nextSeedFileName))
