import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The file in a data folder that says that its databases were moved to a server; no backup has it, and a restore puts it aside.
 * Whoever started with the files all the same would pay again what is paid by the others.
 */
export const movedName = 'moved.run'

export interface Moved {
  at: string
  /** The server, without its password. */
  to: string
}

/** Null where none was moved. A file that cannot be read counts. */
export function movedFrom(dataDir: string): Moved | null {
  const file = join(dataDir, movedName)
  if (!existsSync(file)) return null
  try {
    const { at = '', to = '' } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Moved>
    return { at, to }
  } catch {
    return { at: 'some time before', to: 'a server' }
  }
}

/** Throws where the databases of this file's folder were moved. */
export function requireNotMoved(database: string): void {
  const dataDir = dirname(database)
  const moved = movedFrom(dataDir)
  if (moved)
    throw new Error(
      `The data of ${dataDir} was moved to ${moved.to} (${moved.at}): set DATABASE_URL. To go back to the files, as they were then, stop what runs there and delete ${join(dataDir, movedName)}.`,
    )
}
