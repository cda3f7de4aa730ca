import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FileLock, lockFile } from '@bursar/store/file-lock'
import type { Decrypter } from 'age-encryption'
import { databasesIn, hashOf, type Manifest, readManifest } from './contents'
import { decryptFile, encryptedEnd } from './encryption'

export interface RestoreOptions {
  /** The backup. */
  folder: string
  dataDir: string
  /** Recomputes the books of what was restored; throws when they are wrong. */
  audit: (folder: string) => Promise<void>
  /** For an encrypted backup. */
  decrypter: Decrypter | null
}

/**
 * Puts a backup's files into the data folder. What was there, Redis' files too, goes into a folder within it and stays.
 * Refuses when a service or a Redis of ours uses the folder, and when the backup is not as it was taken; nothing has
 * been changed then.
 */
export async function restoreBackup({
  folder,
  dataDir,
  audit,
  decrypter,
}: RestoreOptions): Promise<{ manifest: Manifest; before: string | null }> {
  const manifest = readManifest(folder)
  requireFiles(folder, manifest, decrypter)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const names = [...databasesIn(dataDir), ...Object.keys(manifest.files).filter((name) => name.endsWith('.sqlite'))]
  const locks = [...new Set(['redis', ...names])]
  const held: FileLock[] = []
  const arriving = join(dataDir, `arriving-${process.pid}`)
  try {
    for (const name of locks) held.push(lockFile(join(dataDir, name), name === 'redis' ? 'The folder' : 'The database'))
    mkdirSync(arriving, { mode: 0o700 })
    for (const [name, hash] of Object.entries(manifest.files)) {
      if (manifest.encrypted && decrypter)
        await decryptFile(decrypter, join(folder, name + encryptedEnd), join(arriving, name))
      else copyPrivate(join(folder, name), join(arriving, name))
      if ((await hashOf(join(arriving, name))) !== hash)
        throw new Error(`${join(folder, name)} is not as it was when the backup was taken`)
    }
    await audit(arriving)
    const before = putAside(dataDir, manifest)
    for (const name of Object.keys(manifest.files)) renameSync(join(arriving, name), join(dataDir, name))
    return { manifest, before }
  } finally {
    rmSync(arriving, { recursive: true, force: true })
    for (const lock of held) lock.release()
  }
}

/** A copied or mailed backup may have come with any mode. */
function copyPrivate(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}

/** Throws when a file is missing, or cannot be decrypted for want of a key. */
function requireFiles(folder: string, { files, encrypted }: Manifest, decrypter: Decrypter | null): void {
  for (const name of Object.keys(files)) {
    if (name !== basename(name)) throw new Error(`${folder} is no backup: ${name} is no file of it`)
    const file = join(folder, encrypted ? name + encryptedEnd : name)
    if (!existsSync(file)) throw new Error(`The backup lacks ${file}`)
  }
  if (encrypted && !decrypter) throw new Error('The backup is encrypted: name the file with its key by --identity')
}

/** Moves the files of the data folder aside: databases with their logs, keys, run files, Redis' files. */
function putAside(dataDir: string, { files }: Manifest): string | null {
  const old = readdirSync(dataDir).filter(
    (name) => Object.hasOwn(files, name) || name === 'redis' || /\.sqlite(-\w+)?$|\.run$/.test(name),
  )
  if (old.length === 0) return null
  const before = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`)
  mkdirSync(before, { mode: 0o700 })
  for (const name of old) renameSync(join(dataDir, name), join(before, name))
  return before
}
