import { passphrasesOf } from '../services/wallet/src/keys/passphrase'
import { createSeedFile } from '../services/wallet/src/keys/seed-file'

/**
 * Makes the wallet's seed and passphrase in a new data folder, as the first start of its process would, but with a cheap scrypt:
 * that of production takes a third of a second of processor time at each start, and twice at the first.
 */
export const makeCheapSeed = (dataDir: string): Promise<void> =>
  createSeedFile(dataDir, passphrasesOf(dataDir, undefined)[0], { now: new Date(), cost: 2 ** 4 })
