import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { diskFree } from '../observe/operations'

/** Error codes of the file system and SQLite for a disk or a folder. */
const kinds = {
  full: /^(ENOSPC|EDQUOT|SQLITE_FULL)/,
  broken: /^(EIO|EFBIG|SQLITE_IOERR)/,
  forbidden: /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/,
}

/**
 * A start that failed because of the data folder, as a sentence for the operator: the problem, the folder, and what to
 * do. Any other error is unchanged.
 */
export function startFailure(error: unknown, dataDir: string): unknown {
  const folder = resolve(dataDir)
  const found = diskErrorIn(error)
  if (!found) return error
  const { code, message } = found
  const says = (words: string) => new Error(`${words}, or set DATA_DIR to another folder.`, { cause: error })
  // SQLite reports a full disk as an I/O error, too.
  if (kinds.full.test(code) || (kinds.broken.test(code) && hasNoSpace(folder)))
    return says(`The disk of the data folder ${folder} is full (${message}): free some space there`)
  if (kinds.broken.test(code))
    return says(`The data folder ${folder} cannot be written (${message}): check its disk, its quota and its limits`)
  if (code === 'EROFS' || isReadOnly(folder))
    return says(`The data folder ${folder} is on a disk that is mounted read-only (${message}): mount it for writing`)
  return says(`The data folder ${folder} cannot be used (${message}): give this user the right to read and write it`)
}

interface DiskError {
  code: string
  message: string
}

/** The first cause that is about the disk. EACCES may be about a port: only errors with a path count. */
function diskErrorIn(error: unknown): DiskError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, path } = at as NodeJS.ErrnoException
    if (typeof code !== 'string') continue
    const isOfFile = path !== undefined || code.startsWith('SQLITE_')
    if (kinds.full.test(code) || kinds.broken.test(code) || (kinds.forbidden.test(code) && isOfFile))
      return { code, message: at.message }
  }
  return null
}

/** What a start needs at least: a database with its log. */
const leastBytes = 1024 * 1024

const hasNoSpace = (folder: string): boolean => (diskFree(folder) ?? leastBytes) < leastBytes

/** SQLite reports a disk that is mounted read-only as it does a file without rights. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}
