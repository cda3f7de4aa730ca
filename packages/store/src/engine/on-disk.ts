import {
  closeSync,
  fsyncSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a file's content, or the names in a folder, to the disk: a power cut takes away what is not synced. */
export type Sync = (path: string) => void

export const syncNow: Sync = (path) => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The same in a thread. */
export async function syncInThread(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The folders that have a new entry: that of a new file, and the parents of folders that `mkdirSync` has created on the
 * way (`made`: its result).
 */
export function newNamesIn(folder: string, made: string | undefined): string[] {
  const above = dirname(folder)
  return made === undefined || folder.length < made.length ? [folder] : [folder, ...newNamesIn(above, made)]
}

/** Syncs those folders; done when this returns. */
export function syncUp(folder: string, made: string | undefined, sync: Sync = syncNow): void {
  for (const each of newNamesIn(folder, made)) sync(each)
}

/**
 * What root makes in another user's folder is given to that user, as SQLite does with files of its own: a command that an operator
 * calls as root must not leave keys that the services cannot read. Where the system does not let it, it stays as it is.
 */
export function giveToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid === 0) return
  try {
    lchownSync(path, uid, gid)
  } catch {}
}

/**
 * Creates a file, readable by its owner only, and its folder; false if it exists, which is left unchanged. It is
 * written completely under another name and then linked: a crash leaves no half file, and of several callers the first
 * wins. On the disk when this returns.
 */
export function createFile(file: string, text: string, sync: Sync = syncNow): boolean {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${crypto.randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    giveToOwner(draft)
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(draft, { force: true })
    // Also if another caller was first: it may not have synced yet, and its file is used from here on.
    syncUp(folder, made, sync)
  }
}

/**
 * Replaces a file atomically: either the new text or the old one is on the disk. Backups leave out files that end in
 * `.new`.
 */
export function replaceFile(file: string, text: string, sync: Sync = syncNow): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  giveToOwner(`${file}.new`)
  renameSync(`${file}.new`, file)
  sync(dirname(file))
}

/** As `replaceFile`, in a thread, but without the last sync: the replacement is not yet on the disk. */
export async function replaceInThread(
  file: string,
  content: string | Uint8Array,
  draft = `${file}.new`,
): Promise<void> {
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await rename(draft, file)
}
