import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FileLock, lockForRestore } from '@bursar/store/file-lock'
import { giveToOwner, replaceFile, type Sync, syncNow, syncUp } from '@bursar/store/on-disk'
import { unfinishedName } from '@bursar/store/unfinished'
import type { Decrypter } from 'age-encryption'
import { databasesIn, hashOf, lackOf, type Manifest, readManifest } from './contents'
import { decryptFile, encryptedEnd } from './encryption'
import { syncAllIn } from './sync'

export interface RestoreOptions {
  /** The backup. */
  folder: string
  dataDir: string
  /** Recomputes the books of what was restored; throws when they are wrong. */
  audit: (folder: string) => Promise<void>
  /** For an encrypted backup. */
  decrypter: Decrypter | null
  /** Whether it may lack databases of services, which then start empty. */
  isIncomplete: boolean
  /** For tests. */
  sync?: Sync
}

/**
 * Puts a backup's files into the data folder. What was there, Redis' files too, goes into a folder within it and stays.
 * Refuses when a service or a Redis of ours uses the folder, and when the backup is not as it was taken; nothing has
 * been changed then. From the first change to the last a mark refuses all starts: one that ended between is repeated.
 */
export async function restoreBackup({
  folder,
  dataDir,
  audit,
  decrypter,
  isIncomplete,
  sync = syncNow,
}: RestoreOptions): Promise<{ manifest: Manifest; before: string | null }> {
  const manifest = readManifest(folder)
  requireFiles(folder, manifest, decrypter)
  const lack = lackOf(manifest)
  if (lack !== '' && !isIncomplete)
    throw new Error(`The backup in ${folder} is not whole.${lack} If it shall be so, add --incomplete.`)
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (made !== undefined) giveToOwner(dataDir)
  const names = [...databasesIn(dataDir), ...Object.keys(manifest.files).filter((name) => name.endsWith('.sqlite'))]
  const locks = [...new Set(['redis', ...names])]
  const held: FileLock[] = []
  const arriving = join(dataDir, `arriving-${process.pid}`)
  try {
    for (const name of locks)
      held.push(lockForRestore(join(dataDir, name), name === 'redis' ? 'The folder' : 'The database'))
  } catch (error) {
    // The folder of this name is not ours: that of a container beside this one, whose processes have the same numbers.
    for (const lock of held) lock.release()
    throw error
  }
  try {
    // What a restore that was killed has left, keys among it.
    for (const name of readdirSync(dataDir).filter((name) => /^arriving-\d+$/.test(name)))
      rmSync(join(dataDir, name), { recursive: true })
    mkdirSync(arriving, { mode: 0o700 })
    giveToOwner(arriving)
    for (const [name, hash] of Object.entries(manifest.files)) {
      if (manifest.encrypted && decrypter)
        await decryptFile(decrypter, join(folder, name + encryptedEnd), join(arriving, name))
      else copyPrivate(join(folder, name), join(arriving, name))
      if ((await hashOf(Bun.file(join(arriving, name)))) !== hash)
        throw new Error(`${join(folder, name)} is not as it was when the backup was taken`)
      giveToOwner(join(arriving, name))
    }
    await audit(arriving)
    // Before anything is moved: a power cut then leaves what was there, or all that it is replaced by.
    syncAllIn(arriving, sync)
    const before = beginIn(dataDir)
    putAside(dataDir, manifest, before)
    for (const name of Object.keys(manifest.files)) renameSync(join(arriving, name), join(dataDir, name))
    const hasBefore = existsSync(before)
    if (hasBefore) sync(before)
    syncUp(dataDir, made, sync)
    rmSync(join(dataDir, unfinishedName))
    sync(dataDir)
    return { manifest, before: hasBefore ? before : null }
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
  if (!Object.keys(files).some((name) => name.endsWith('.sqlite')))
    throw new Error(`${folder} is no backup: it names no database`)
  if (encrypted && !decrypter) throw new Error('The backup is encrypted: name the file with its key by --identity')
}

/** Marks the folder, durably. Answers where what was there before goes: with what an unfinished restore has put there. */
function beginIn(dataDir: string): string {
  const mark = join(dataDir, unfinishedName)
  const begun = existsSync(mark) ? basename(readFileSync(mark, 'utf8').trim()) : ''
  if (begun !== '') return join(dataDir, begun)
  const name = newBeforeName()
  replaceFile(mark, `${name}\n`)
  return join(dataDir, name)
}

const newBeforeName = (): string => `before-restore-${new Date().toISOString().replaceAll(':', '-')}`

/** Moves the files of the data folder aside: databases with their logs, keys, run files, Redis' files. */
function putAside(dataDir: string, { files }: Manifest, before: string): void {
  const old = readdirSync(dataDir).filter(
    (name) => Object.hasOwn(files, name) || name === 'redis' || /\.sqlite(-\w+)?$|\.run$/.test(name),
  )
  const arrived = join(dataDir, newBeforeName())
  for (const name of old) {
    // What is aside already was the old one: this one came with the restore that did not end.
    const into = existsSync(join(before, name)) ? arrived : before
    mkdirSync(into, { recursive: true, mode: 0o700 })
    giveToOwner(into)
    renameSync(join(dataDir, name), join(into, name))
  }
}
