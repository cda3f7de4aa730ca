import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, lockFile } from '@bursar/store/file-lock'
import { databasesIn, hashOf, type Manifest, readManifest } from './contents'

export interface RestoreOptions {
  /** The backup. */
  folder: string
  dataDir: string
  /** Recomputes the books of what was restored; throws when they are wrong. */
  audit: (folder: string) => Promise<void>
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
}: RestoreOptions): Promise<{ manifest: Manifest; before: string | null }> {
  const manifest = readManifest(folder)
  for (const [name, hash] of Object.entries(manifest.files)) await checkFile(join(folder, name), hash)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const names = [...databasesIn(dataDir), ...databasesIn(folder)]
  const locks = [...new Set(['redis', ...names])]
  const held: FileLock[] = []
  const arriving = join(dataDir, `arriving-${process.pid}`)
  try {
    for (const name of locks) held.push(lockFile(join(dataDir, name), name === 'redis' ? 'The folder' : 'The database'))
    mkdirSync(arriving, { mode: 0o700 })
    for (const name of Object.keys(manifest.files)) copyPrivate(join(folder, name), join(arriving, name))
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

async function checkFile(file: string, hash: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`The backup lacks ${file}`)
  if ((await hashOf(file)) !== hash) throw new Error(`${file} is not as it was when the backup was taken`)
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
