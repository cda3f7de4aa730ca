import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { lastBackupName } from '@bursar/store/last-backup'
import { version } from '../../package.json'
import { nextSeedFileName, seedFileName } from '../../services/wallet/src/keys/seed-file'

/** What a backup's folder says of itself. */
export interface Manifest {
  takenAt: string
  /** The version of the project that took it. */
  version: string
  /** SHA-256 of each file as it was taken, in hexadecimal. */
  files: Record<string, string>
  /** Whether each file but this one is encrypted, with `.age` behind its name. */
  encrypted?: boolean
}

export const manifestName = 'backup.json'

/** The databases of all services, as file names. */
const databases = Object.values(services).map(({ slug }) => `${slug}.sqlite`)

/** The databases in a data folder, as file names. */
export const databasesIn = (folder: string): string[] => databases.filter((name) => existsSync(join(folder, name)))

/** A sentence about databases of this release that a backup lacks, with a space before it; else nothing. */
export function lackOf({ files }: Pick<Manifest, 'files'>): string {
  const missing = databases.filter((name) => !Object.hasOwn(files, name))
  return missing.length === 0 ? '' : ` It has no ${missing.join(', ')}: a service without its database starts empty.`
}

/**
 * The keys in a data folder: every file of it that is neither a database, nor beside one, nor a lock, nor a run file,
 * by which a service sees that it was restored.
 */
export const secretsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        !/\.sqlite(-\w+)?$|\.(lock|pid|run|new)$/.test(entry.name) &&
        entry.name !== manifestName &&
        entry.name !== lastBackupName,
    )
    .map(({ name }) => name)
    .sort()
    // A seed before its passphrase: that file has the new one before, and the old one long after the seed is encrypted again.
    .sort((one, other) => Number(isSeed(other)) - Number(isSeed(one)))

const isSeed = (name: string): boolean => name === seedFileName || name === nextSeedFileName

/** SHA-256 of a file here or elsewhere, in hexadecimal. */
export async function hashOf(file: Bun.BunFile | Bun.S3File): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of file.stream()) hash.update(chunk)
  return hash.digest('hex')
}

export const readManifest = (folder: string): Manifest => {
  try {
    return manifestOf(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')))
  } catch {
    throw new Error(`${folder} is no backup: it has no readable ${manifestName}`)
  }
}

/** Throws for what is none. */
function manifestOf(said: Manifest): Manifest {
  new Date(said.takenAt).toISOString()
  Bun.semver.order(said.version, version)
  Object.keys(said.files)
  return said
}

/** A sentence about a backup of a later release than this one, with a space before it; else nothing. */
export const ofLaterRelease = (taken: Pick<Manifest, 'version'>): string =>
  Bun.semver.order(taken.version, version) > 0
    ? ` It was taken by version ${taken.version}: this is ${version}, whose services refuse databases of a later form.`
    : ''

/** Writes a new file, piece by piece, for its owner alone. */
export async function writePrivate(file: string, content: ReadableStream<Uint8Array>): Promise<void> {
  closeSync(openSync(file, 'wx', 0o600))
  await Bun.write(file, new Response(content))
}
