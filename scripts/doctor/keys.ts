import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { databaseSetting } from '@bursar/http'
import { keyBytes, keyLines } from '@bursar/http/key-file'
import { openForReading, type Place } from '@bursar/store'
import { passphrasesOf } from '../../services/wallet/src/keys/passphrase'
import { hasSeedFile, openKeys, seedFileName, seedSetting } from '../../services/wallet/src/keys/seed-file'
import { seeds } from '../../services/wallet/src/keys/seeds.table'
import { type KeyFile, keyFiles } from '../rotate/targets'
import { knownPlaceOf } from '../stack/place'
import { type Examination, type Finding, findingsAbout, type Patient } from './finding'

const { ok, wrong } = findingsAbout('keys')

/** Whether each key exists and is complete, and the wallets' seed can be decrypted. Creates none. */
export const examineKeys: Examination = async (patient) => {
  const found = [
    ...Object.values(keyFiles).flatMap((key) => problemWith(patient, key)),
    ...(await examineSeed(patient)),
  ]
  return found.length > 0 ? found : [ok('all keys are whole, and the passphrase opens the wallets’ seed')]
}

function problemWith({ dataDir, env }: Patient, { file, users: [user], setting }: KeyFile): Finding[] {
  const path = join(dataDir, file)
  const given = env[setting]
  const place = given ? setting : path
  if (!given && !existsSync(path)) {
    if (databaseSetting(env) !== null)
      return [wrong(`${setting} is not set, and ${path} is missing: with DATABASE_URL none is made (bun run keys)`)]
    const database = `${services[user].slug}.sqlite`
    if (!existsSync(join(dataDir, database))) return []
    return [wrong(`${path} is missing, and ${database} needs it: restore it from a backup, before the next start`)]
  }
  try {
    const lengths = lengthsOf(given, path)
    const odd = lengths.find((bytes) => bytes !== keyBytes && !(setting === 'INTERNAL_SECRET' && bytes > keyBytes))
    if (odd === undefined) return []
    return [wrong(`${place} holds ${odd} bytes in base64 instead of ${keyBytes}: restore it from a backup`)]
  } catch (error) {
    return [wrong(`${place} cannot be read (${messageOf(error)}): give this user the right to read it`)]
  }
}

/** How many bytes each key has: there are several for a while after a rotation. */
function lengthsOf(given: string | undefined, path: string): number[] {
  const lines = given
    ? given.split(/[\s,]+/).filter(Boolean)
    : (keyLines(readFileSync(path, 'utf8')) ?? []).map(({ key }) => key)
  return lines.length > 0 ? lines.map((key) => Buffer.from(key, 'base64').length) : [0]
}

async function examineSeed({ dataDir, env }: Patient): Promise<Finding[]> {
  try {
    const place = knownPlaceOf('wallet', dataDir)
    const known = place ? await fingerprintIn(place) : undefined
    const seed = env.WALLET_SEED || undefined
    if (seed === undefined && !hasSeedFile(dataDir)) {
      if (databaseSetting(env) !== null)
        return [wrong(`${seedSetting} is not set: with DATABASE_URL no seed is made (bun run keys)`)]
      if (known === undefined) return []
      return [wrong(`${join(dataDir, seedFileName)} is missing, and wallets need it: restore it from a backup`)]
    }
    const keys = await openKeys(dataDir, passphrasesOf(dataDir, env.WALLET_PASSPHRASE || undefined), { seed })
    keys.close()
    if (known === undefined || known === keys.fingerprint) return []
    return [
      wrong(
        `${seed === undefined ? join(dataDir, seedFileName) : 'WALLET_SEED'} is not the seed of the wallets: restore the one of ${known}`,
      ),
    ]
  } catch (error) {
    return [wrong(messageOf(error))]
  }
}

/** The finding about the wallets' seed; undefined before the wallet service has created one. */
async function fingerprintIn(place: Place): Promise<string | undefined> {
  const database = await openForReading(place)
  try {
    // No wallet service has started on this server.
    if ('url' in place && !(await database.tables()).includes('seeds')) return undefined
    const [row] = await database.read.select({ fingerprint: seeds.fingerprint }).from(seeds)
    return row?.fingerprint
  } finally {
    await database.close()
  }
}
