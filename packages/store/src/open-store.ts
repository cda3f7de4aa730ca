import { type Reading, readFile } from './engine/open-read-only'
import { type OpenStore, openFile, type StoreOptions } from './engine/open-store'
import type { ServerOptions } from './postgres/open'

/**
 * Opens a service's database, a file or a schema on a server, and migrates it. Throws MigrationError if that fails, and
 * FileLockedError if another process has the file open: two would seal, sweep and answer from memory side by side.
 */
export async function openStore(options: StoreOptions | ServerOptions): Promise<OpenStore> {
  if ('file' in options) return await openFile(options)
  // Loaded on demand: with files it would only take memory.
  const { openOnServer } = await import('./postgres/open')
  return await openOnServer(options)
}

/** The place of a service's database. */
export type Place = { file: string } | { url: string; schema: string }

/** Opens a service's database for reading alone, beside the service or without it. Throws when there is no such file. */
export async function openForReading(place: Place): Promise<Reading> {
  if ('file' in place) return readFile(place.file)
  const { readOnServer } = await import('./postgres/read')
  return readOnServer(place)
}
