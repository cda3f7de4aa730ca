import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { holderOf, lockForRestore } from '@bursar/store/file-lock'

/** A folder with copies of databases and keys, which must not outlive the command that makes them. */
export interface Scratch {
  /** Removes the folder, if it is still there under this name. */
  remove(): void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What backups and restores call such folders. */
const isScratch = (name: string): boolean => /\.unfinished$|^restore-\w{6}$/.test(name)

/**
 * Answers for a folder that this process makes: a signal that ends the process removes it first, and `others`. While it lives
 * it has `<folder>.lock`; of one that was killed, the next command with a folder beside it removes what it left.
 */
export function claimScratch(folder: string, others: readonly string[] = []): Scratch {
  removeAbandoned(dirname(folder))
  const lock = lockForRestore(folder, 'The folder')
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

/** Removes this user's folders in `parent` whose process was killed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name.replace(/\.lock$/, ''))
    const lock = `${folder}.lock`
    if (join(parent, name) !== lock || !isScratch(name.slice(0, -'.lock'.length)) || !isOwn(lock)) continue
    if (existsSync(folder) && !isOwn(folder)) continue
    if (holderOf(folder)) continue
    for (const each of [folder, `${folder}.pid`, lock]) rmSync(each, { recursive: true, force: true })
  }
}

/** A folder for all users, such as /tmp, may have those of others. */
const isOwn = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
