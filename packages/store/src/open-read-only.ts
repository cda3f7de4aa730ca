import { existsSync } from 'node:fs'
import { openReader } from './connections'
import { connect, type Db } from './statements'

/** Opens a service's database for reading alone, beside the service or without it. Throws when there is no such file. */
export function openReadOnly(file: string): { read: Db; close(): void } {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}`)
  const reader = openReader(file)
  return { read: connect(reader), close: () => reader.close() }
}
