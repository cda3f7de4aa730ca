import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp-dir'

/** A service's migrations up to the one of this tag, in a folder of their own: its database as an earlier version had it. */
export function migrationsUntil(migrations: string, tag: string): string {
  const folder = join(tempDir(), 'sqlite')
  cpSync(migrations, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] }
  journal.entries = journal.entries.slice(0, journal.entries.findIndex((entry) => entry.tag === tag) + 1)
  writeFileSync(file, JSON.stringify(journal))
  return folder
}
