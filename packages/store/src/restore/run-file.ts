import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { epochOf, previousEpochOf } from '../replica/changes'
import type { Db } from '../statements/statements'

// A run file beside a service's database records the database's last epoch. No backup has it (scripts/backup/contents.ts):
// a database without its run file, or older than it, was restored.

/** What a run file says, as it was written; null when there is none, or none that can be read. */
export function readRunFile(file: string): unknown {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Writes a run file durably, or leaves the one that there is. */
export async function writeRunFile(file: string, content: unknown): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(JSON.stringify(content))
    await draft.datasync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
}

/**
 * Whether a database was set back to an older state since its last run, by the run file that holds the epoch which that
 * run began (`noteRun`). A new database has no epoch before this one. A start that failed has begun one, and has not noted
 * it.
 */
export async function wasSetBack(db: Db, file: string): Promise<boolean> {
  const [previous, noted] = [await previousEpochOf(db), readRunFile(file)]
  return previous > 0 && !(typeof noted === 'number' && noted <= previous)
}

/** Records this run, as the last step of a start: a start that fails before it changes nothing. */
export const noteRun = async (db: Db, file: string): Promise<void> => writeRunFile(file, await epochOf(db))
