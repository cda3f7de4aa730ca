import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Waits until a file's content, or the names in a folder, are on the disk: a power cut takes away what is not. */
export type Sync = (path: string) => void

export const syncNow: Sync = (path) => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The same while the process goes on. */
export async function syncInThread(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The folders that got a new name: the one of a new file, and those above it that hold what `mkdirSync` has made on the way
 * (`made`: its answer).
 */
export function newNamesIn(folder: string, made: string | undefined): string[] {
  const above = dirname(folder)
  return made === undefined || folder.length < made.length ? [folder] : [folder, ...newNamesIn(above, made)]
}

/** Those are on the disk when this returns. */
export function syncUp(folder: string, made: string | undefined, sync: Sync = syncNow): void {
  for (const each of newNamesIn(folder, made)) sync(each)
}

/**
 * Makes a file for its owner alone, with its folder; false where there is one, which stays. Written whole under another name
 * and then linked: a crash leaves no half file, and of several callers the first wins. On the disk when this returns.
 */
export function createFile(file: string, text: string, sync: Sync = syncNow): boolean {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${crypto.randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(draft, { force: true })
    // Also where another was first: it may not have come to its own sync, and what it wrote is used from here on.
    syncUp(folder, made, sync)
  }
}

/** Replaces a file: the new text is whole on the disk, or the old one is. Backups leave out files that end in `.new`. */
export function replaceFile(file: string, text: string, sync: Sync = syncNow): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  sync(dirname(file))
}

/** As `replaceFile`, in a thread, short of the last step: that the file has its new content is not on the disk yet. */
export async function replaceInThread(
  file: string,
  content: string | Uint8Array,
  draft = `${file}.new`,
): Promise<void> {
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await rename(draft, file)
}
