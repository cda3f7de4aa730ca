import { pbkdf2, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFile, replaceFile } from '@bursar/store/on-disk'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { DamagedError, type Envelope, openEnvelope, PassphraseError, sealEnvelope } from './envelope'
import { createKeys, type Keys } from './key-tree'

/** The service cannot start with this seed; the message says why, and what to do. */
export class SeedError extends Error {
  override name = 'SeedError'
}

export const seedFileName = 'wallet.seed.json'
/** Which may have the file's text instead. */
export const seedSetting = 'WALLET_SEED'
/** The same seed under a passphrase that is not in use yet: from the first start with it, this is the seed file. */
export const nextSeedFileName = 'wallet.seed.next.json'
const entropyBytes = 32
const seedBytes = 64

export const hasSeedFile = (dataDir: string): boolean => existsSync(join(dataDir, seedFileName))

interface NewSeed {
  now: Date
  /** scrypt's; tests give it. */
  cost?: number | undefined
  /** Determines the words; tests give it. */
  entropy?: Uint8Array
}

/**
 * Creates a new seed of 24 words, and its file, which only the owner can read. Throws SeedError when there is a file:
 * it is never overwritten.
 */
export async function createSeedFile(dataDir: string, passphrase: string, made: NewSeed): Promise<void> {
  writeNew(dataDir, await newSeed(passphrase, made))
}

/** As BIP-39 says, by the system's library: one in JavaScript takes ten times as long. */
const seedOfWords = promisify(pbkdf2)

/** The text of a seed file with a new seed of 24 words. */
export async function newSeed(
  passphrase: string,
  { now, cost, entropy = randomBytes(entropyBytes) }: NewSeed,
): Promise<string> {
  const seed = await seedOfWords(entropyToMnemonic(entropy, wordlist), 'mnemonic', 2048, seedBytes, 'sha512')
  const keys = createKeys(seed)
  const secret = Buffer.concat([entropy, seed])
  const envelope = await sealEnvelope(secret, { passphrase, fingerprint: keys.fingerprint, now, cost })
  for (const bytes of [entropy, seed, secret]) bytes.fill(0)
  keys.close()
  return textOf(envelope)
}

const textOf = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`

/**
 * Encrypts the seed under another passphrase, and writes that in place of the seed file, or beside it as the next one: the file
 * that was there stays until the new one is proved. Throws SeedError as `openKeys`.
 */
export async function resealSeed(
  dataDir: string,
  passphrases: readonly string[],
  { into, ...under }: Resealing & { into: 'place' | 'next' },
): Promise<void> {
  const text = await sealedAgain(await openSeed(dataDir, passphrases), under)
  replaceFile(join(dataDir, into === 'place' ? seedFileName : nextSeedFileName), text)
}

/** The text of a seed file under another passphrase, of one that is a setting. Throws SeedError as `openKeys`. */
export const resealGiven = async (seed: string, passphrases: readonly string[], under: Resealing): Promise<string> =>
  await sealedAgain(await openGiven(seed, passphrases), under)

interface Resealing {
  /** The new passphrase. */
  next: string
  now: Date
  /** scrypt's; tests take a small one. */
  cost?: number | undefined
}

/** What is encrypted is read back first. */
async function sealedAgain({ secret, fingerprint }: OpenSeed, { next, now, cost }: Resealing): Promise<string> {
  try {
    const text = textOf(await sealEnvelope(secret, { passphrase: next, fingerprint, now, cost }))
    const proof = await openEnvelope(text, next)
    const isSame = proof.secret.equals(secret)
    proof.secret.fill(0)
    if (!isSame) throw new SeedError('The seed could not be encrypted: nothing was changed')
    return text
  } finally {
    secret.fill(0)
  }
}

/** Nothing is overwritten. Throws SeedError when there is a seed. */
function writeNew(dataDir: string, text: string): void {
  const file = join(dataDir, seedFileName)
  if (!createFile(file, text)) throw new SeedError(`${file} is there already; a seed is never written over`)
}

/**
 * The keys of the seed file, or of its text (`seed`), by any of the passphrases. Throws SeedError: wrong passphrase, or damaged
 * file. `adopt` puts the next seed file in the place of the one that no passphrase opens any more.
 */
export async function openKeys(
  dataDir: string,
  passphrases: readonly string[],
  { adopt = false, seed }: { adopt?: boolean; seed?: string | undefined } = {},
): Promise<Keys> {
  const { secret, text } = await (seed === undefined ? openSeed(dataDir, passphrases) : openGiven(seed, passphrases))
  try {
    if (adopt && text !== null) {
      replaceFile(join(dataDir, seedFileName), text)
      rmSync(join(dataDir, nextSeedFileName))
    }
    return createKeys(secret.subarray(-seedBytes))
  } finally {
    secret.fill(0)
  }
}

/** The words of the seed file, or of its text (`seed`), to be shown to its owner. Throws SeedError. */
export async function readMnemonic(dataDir: string, passphrases: readonly string[], seed?: string): Promise<string> {
  const { secret } = await (seed === undefined ? openSeed(dataDir, passphrases) : openGiven(seed, passphrases))
  try {
    return entropyToMnemonic(secret.subarray(0, -seedBytes), wordlist)
  } finally {
    secret.fill(0)
  }
}

/** The seed of the setting. */
async function openGiven(seed: string, passphrases: readonly string[]): Promise<OpenSeed> {
  const found = await tryAll(seed, passphrases).catch((cause: unknown) => {
    throw explained(seedSetting, cause)
  })
  if (found) return { ...found, text: null }
  throw new SeedError(`The passphrase does not open ${seedSetting}: set WALLET_PASSPHRASE to the one it was made with`)
}

interface OpenSeed {
  /** To be zeroed after use. */
  secret: Buffer
  fingerprint: string
  /** The next seed file, if it is that which was opened. */
  text: string | null
}

/** Tries the seed file, then the next one, with each passphrase. */
async function openSeed(dataDir: string, passphrases: readonly string[]): Promise<OpenSeed> {
  const file = join(dataDir, seedFileName)
  const found = await tryAll(readFileSync(file, 'utf8'), passphrases).catch((cause: unknown) => {
    throw explained(file, cause)
  })
  if (found) return { ...found, text: null }
  const next = join(dataDir, nextSeedFileName)
  const text = existsSync(next) ? readFileSync(next, 'utf8') : null
  const other = text === null ? null : await tryAll(text, passphrases).catch(() => null)
  if (other) return { ...other, text }
  throw new SeedError(`The passphrase does not open ${file}: set WALLET_PASSPHRASE to the one it was made with`)
}

/** Null when no passphrase opens it. Throws DamagedError. */
async function tryAll(text: string, passphrases: readonly string[]) {
  for (const passphrase of passphrases) {
    try {
      return await openEnvelope(text, passphrase)
    } catch (error) {
      if (!(error instanceof PassphraseError)) throw error
    }
  }
  return null
}

const explained = (file: string, cause: unknown): unknown =>
  cause instanceof DamagedError
    ? new SeedError(
        `${file === seedSetting ? file : `The seed file ${file}`} is damaged (${cause.message}): restore it from a backup`,
        { cause },
      )
    : cause
