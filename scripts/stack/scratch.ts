import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { type FileLock, FileLockedError, holderOf, lockForRestore } from '@bursar/store/file-lock'

/** A folder, of copies of databases and keys for one, which must not outlive the command that makes it. */
interface Scratch {
  /** Removes the folder, if it is still there under this name. */
  remove(): void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What the names of such folders of backups and builds end with. */
export const unfinished = '.unfinished'

/** What backups, restores and builds call such folders. */
const isScratch = (name: string): boolean => name.endsWith(unfinished) || /^restore-\w{6}$/.test(name)

/**
 * Answers for a folder that this process makes: a signal that ends the process removes it first, and `others`. While it lives
 * it has `<folder>.lock`; of one that was killed, the next command with a folder beside it removes what it left.
 */
export function claimScratch(folder: string, others: readonly string[] = []): Scratch {
  removeAbandoned(dirname(folder))
  const lock = lockOf(folder)
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.lock`, { force: true })
    lock.release()
  }
  const end = (signal: (typeof signals)[number]) => {
    for (const each of others) rmSync(each, { recursive: true, force: true })
    remove()
    process.stderr.write(`Interrupted by ${signal}: nothing was changed, and nothing is left of it.\n`)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.once(signal, end)
  return {
    remove() {
      for (const signal of signals) process.off(signal, end)
      remove()
    },
  }
}

/** Throws where another process has the folder; where it cannot be locked, on a full disk for one, the folder is removed. */
function lockOf(folder: string): FileLock {
  for (let i = 1; ; i++) {
    const lock = lockOnce(folder, i >= tries)
    // A command that began to remove it as abandoned, before it was locked, may have taken the file of the lock away.
    if (lock && holderOf(folder)?.pid === process.pid) return lock
    lock?.release()
    Bun.sleepSync(5)
  }
}

/** Fifteen seconds: the other command may stand still in that moment. */
const tries = 3000

/** Null where it may be had in a moment: a command that looks for abandoned folders has it, or has taken its file away. */
function lockOnce(folder: string, isLast: boolean): FileLock | null {
  try {
    return lockForRestore(folder, 'The folder')
  } catch (error) {
    const isRemoved = (error as { code?: unknown }).code === 'SQLITE_CANTOPEN' && !existsSync(`${folder}.lock`)
    const isHeld = error instanceof FileLockedError
    if (!isLast && (isRemoved || (isHeld && !existsSync(folder)))) return null
    if (isFree(folder)) removeAll(folder)
    throw error
  }
}

/** Whether no process has the folder; one whose lock cannot be read is nobody's. */
function isFree(folder: string): boolean {
  try {
    return holderOf(folder) === null
  } catch {
    return true
  }
}

function removeAll(folder: string): void {
  for (const each of [folder, `${folder}.pid`, `${folder}.lock`]) rmSync(each, { recursive: true, force: true })
}

/** Removes this user's folders in `parent` whose process was killed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name.replace(/\.lock$/, ''))
    const lock = `${folder}.lock`
    if (join(parent, name) !== lock || !isScratch(name.slice(0, -'.lock'.length)) || !isOwn(lock)) continue
    if (existsSync(folder) && !isOwn(folder)) continue
    if (isFree(folder)) removeIfFree(folder)
  }
}

/** Under its lock: another process may take it meanwhile. */
function removeIfFree(folder: string): void {
  let lock: FileLock | undefined
  try {
    lock = lockForRestore(folder, 'The folder')
  } catch (error) {
    if (error instanceof FileLockedError) return
  }
  removeAll(folder)
  lock?.release()
}

/** A folder for all users, such as /tmp, may have those of others. */
const isOwn = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
