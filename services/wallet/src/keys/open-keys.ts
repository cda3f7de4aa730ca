import { join } from 'node:path'
import type { Log } from '@bursar/contracts/log'
import { insertMissing, prepared, type Store } from '@bursar/store'
import type { Config } from '../config'
import { hotPlace } from './key-place'
import type { Keys } from './key-tree'
import { hasPassphraseFile, passphraseFileName, passphrasesOf } from './passphrase'
import { createSeedFile, hasSeedFile, openKeys, SeedError, seedFileName, seedSetting } from './seed-file'
import { seeds } from './seeds.table'

/**
 * The deployment's keys at the start of the service. The first start creates the seed. Later starts accept no other:
 * throws SeedError when the passphrase is wrong, the file is damaged or missing, or it is another seed's than the
 * wallets'.
 */
export async function openDeploymentKeys(
  { dataDir, passphrase, seed, environment, databaseUrl }: SeedSettings,
  { store, log, clock }: { store: Store; log: Log; clock: () => Date },
): Promise<Keys> {
  const [known] = await seedOf(store.read).execute()
  const file = seed === undefined ? join(dataDir, seedFileName) : seedSetting
  const isThere = seed !== undefined || hasSeedFile(dataDir)
  if (known && !isThere) {
    throw new SeedError(`${file} is missing, and wallets exist that need it: restore it from a backup`)
  }
  if (databaseUrl !== null) requireGiven({ file, isThere, passphrase, dataDir })
  // Both files are made at each first start: it is only a problem with real money.
  const note: Log['info'] = (fields, message) =>
    environment === 'production' ? log.warn(fields, message) : log.info(fields, message)
  const words = passphrasesOf(dataDir, passphrase, note)
  if (!isThere) {
    await createSeedFile(dataDir, words[0], { now: clock() })
    note({ file }, 'A new seed was made; without a backup of its file and its passphrase all wallets would be lost')
  }
  const keys = await openKeys(dataDir, words, { adopt: true, seed })
  await requireSame(store, keys, { file, now: clock() })
  const hot = { evm: keys.addressOf('evm', hotPlace), solana: keys.addressOf('solana', hotPlace) }
  log.info(hot, 'The hot wallets, which pay what the wallets of accounts cannot')
  return keys
}

type SeedSettings = Pick<Config, 'dataDir' | 'passphrase' | 'seed' | 'environment' | 'databaseUrl'>

/** With DATABASE_URL every instance needs the same seed: none makes one. */
function requireGiven({
  file,
  isThere,
  passphrase,
  dataDir,
}: Pick<SeedSettings, 'passphrase' | 'dataDir'> & Given): void {
  const why = 'with DATABASE_URL all instances need the same, so it is not made here'
  if (!isThere) throw new SeedError(`${file} is missing, and ${seedSetting} is not set: ${why}`)
  if (passphrase === undefined && !hasPassphraseFile(dataDir)) {
    throw new SeedError(`WALLET_PASSPHRASE is not set, and ${join(dataDir, passphraseFileName)} is missing: ${why}`)
  }
}

interface Given {
  file: string
  isThere: boolean
}

/** Records the seed of the wallets; throws SeedError when they have another seed. */
async function requireSame(store: Store, keys: Keys, { file, now }: { file: string; now: Date }): Promise<void> {
  const { fingerprint } = keys
  const noted = await store.commit(async (tx) => {
    await insertSeed(tx, [{ id: 'seed', fingerprint, createdAt: now }])
    const [row] = await seedOf(tx).execute()
    return row?.fingerprint
  })
  if (noted === fingerprint) return
  keys.close()
  throw new SeedError(
    `${file} holds the seed of ${fingerprint}, but the wallets come of ${noted}: restore the file that belongs to them`,
  )
}

const seedOf = prepared((db) => db.select({ fingerprint: seeds.fingerprint }).from(seeds))
const insertSeed = insertMissing(seeds)
