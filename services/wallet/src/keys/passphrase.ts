import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@bursar/contracts/log'
import { openSealingKey } from '@bursar/http'
import { hasSeedFile, SeedError, seedFileName } from './seed-file'

export const passphraseFileName = 'wallet.passphrase'

export const hasPassphraseFile = (dataDir: string): boolean => existsSync(join(dataDir, passphraseFileName))

/**
 * The passphrases that may open the seed, the one in use first: WALLET_PASSPHRASE, or those of the file that the first start
 * creates, which only the owner can read; it has several during and after a rotation. Throws SeedError when there is a
 * seed but neither of them.
 */
export function passphrasesOf(dataDir: string, given: string | undefined, note?: Log['info']): [string, ...string[]] {
  if (given !== undefined) return [given]
  const file = join(dataDir, passphraseFileName)
  const isNew = !existsSync(file)
  if (isNew && hasSeedFile(dataDir)) {
    throw new SeedError(
      `${join(dataDir, seedFileName)} needs its passphrase: set WALLET_PASSPHRASE, or restore ${file} from a backup`,
    )
  }
  const [first = '', ...others] = openSealingKey(dataDir, passphraseFileName)
    .keys()
    .map(({ bytes }) => bytes.toString('base64'))
  if (isNew) {
    note?.(
      { file },
      'WALLET_PASSPHRASE is not set: a passphrase was generated and stored in this file. Set your own in production',
    )
  }
  return [first, ...others]
}
