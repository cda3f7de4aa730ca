import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entropyToMnemonic, mnemonicToSeed } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { DamagedError, openEnvelope, PassphraseError, sealEnvelope } from './envelope'
import { createKeys, type Keys } from './key-tree'

/** The service cannot start with this seed; the message says why, and what to do. */
export class SeedError extends Error {
  override name = 'SeedError'
}

export const seedFileName = 'wallet.seed.json'
/** Which may have the file's text instead. */
export const seedSetting = 'WALLET_SEED'
const entropyBytes = 32
const seedBytes = 64

export const hasSeedFile = (dataDir: string): boolean => existsSync(join(dataDir, seedFileName))

/**
 * Creates a new seed of 24 words, and its file, which only the owner can read. Throws SeedError when there is a file:
 * it is never overwritten. `cost` is scrypt's, `entropy` determines the words; tests give both.
 */
export async function createSeedFile(
  dataDir: string,
  passphrase: string,
  { now, cost, entropy = randomBytes(entropyBytes) }: { now: Date; cost?: number; entropy?: Uint8Array },
): Promise<void> {
  const seed = await mnemonicToSeed(entropyToMnemonic(entropy, wordlist))
  const keys = createKeys(seed)
  const secret = Buffer.concat([entropy, seed])
  const envelope = await sealEnvelope(secret, { passphrase, fingerprint: keys.fingerprint, now, cost })
  for (const bytes of [entropy, seed, secret]) bytes.fill(0)
  keys.close()
  writeNew(dataDir, `${JSON.stringify(envelope, null, 2)}\n`)
}

/**
 * First written completely under another name, then linked: a crash leaves no partial seed, and nothing is overwritten.
 */
function writeNew(dataDir: string, text: string): void {
  const file = join(dataDir, seedFileName)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${crypto.randomUUID()}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new SeedError(`${file} is there already; a seed is never written over`, { cause })
  } finally {
    rmSync(draft)
  }
}

/** The keys of the seed file, or of its text in a setting. Throws SeedError: wrong passphrase, or damaged file. */
export const openKeys = (dataDir: string, passphrase: string, given?: string): Promise<Keys> =>
  withSecret({ dataDir, given }, passphrase, (secret) => createKeys(secret.subarray(-seedBytes)))

/** The words of the seed file, to be shown to its owner. Throws SeedError. */
export const readMnemonic = (dataDir: string, passphrase: string): Promise<string> =>
  withSecret({ dataDir }, passphrase, (secret) => entropyToMnemonic(secret.subarray(0, -seedBytes), wordlist))

async function withSecret<T>(
  { dataDir, given }: { dataDir: string; given?: string | undefined },
  passphrase: string,
  use: (secret: Buffer) => T,
): Promise<T> {
  const file = given === undefined ? join(dataDir, seedFileName) : seedSetting
  const text = given ?? readFileSync(file, 'utf8')
  const { secret } = await openEnvelope(text, passphrase).catch((cause: unknown) => {
    throw explained(file, cause)
  })
  try {
    return use(secret)
  } finally {
    secret.fill(0)
  }
}

function explained(file: string, cause: unknown): unknown {
  if (cause instanceof PassphraseError) {
    return new SeedError(`The passphrase does not open ${file}: set WALLET_PASSPHRASE to the one it was made with`, {
      cause,
    })
  }
  if (cause instanceof DamagedError) {
    return new SeedError(
      `${file === seedSetting ? file : `The seed file ${file}`} is damaged (${cause.message}): restore it from a backup`,
      { cause },
    )
  }
  return cause
}
