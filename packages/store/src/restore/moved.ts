import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The file in a data folder whose databases were moved to a server. No backup has it, and a restore puts it aside. A
 * start with the files would pay again what the moved services have paid.
 */
export const movedName = 'moved.run'

export interface Moved {
  at: string
  /** The server, without its password. */
  to: string
}

/** Null if the databases were not moved. An unreadable file counts as moved. */
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

/** Throws if the databases of this file's folder were moved. */
export function requireNotMoved(database: string): void {
  const dataDir = dirname(database)
  const moved = movedFrom(dataDir)
  if (moved)
    throw new Error(
      `The data of ${dataDir} was moved to ${moved.to} (${moved.at}): set DATABASE_URL. To go back to the files, as they were then, stop what runs there and delete ${join(dataDir, movedName)}.`,
    )
}
