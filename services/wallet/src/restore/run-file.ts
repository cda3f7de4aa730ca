import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Beside the database, and in no backup (scripts/backup/contents.ts): a database without it has been restored. */
export const runFileName = 'wallet.run'

/** What the run file says: the line of history that the data folder is of, and the orders that were signed last. */
export interface Run {
  line: string
  signed: string[]
}

/** Null when there is none, or none that can be read. */
export function readRun(dataDir: string): Run | null {
  const file = join(dataDir, runFileName)
  if (!existsSync(file)) return null
  try {
    const { line, signed } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Run>
    return typeof line === 'string' && Array.isArray(signed) ? { line, signed } : null
  } catch {
    return null
  }
}

/** Writes the run file durably, or leaves the one that there is. */
export async function writeRun(dataDir: string, run: Run): Promise<void> {
  const file = join(dataDir, runFileName)
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(JSON.stringify(run))
    await draft.datasync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
}

/** Notes orders in the run file as they are signed. Those that come while it is written share the next write. */
export function createRunNotes(write: (signed: string[]) => Promise<void>): (orderId: string) => Promise<void> {
  let waiting: string[] = []
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return (orderId) => {
    waiting.push(orderId)
    next ??= writing
      .catch(() => {})
      .then(() => {
        const batch = waiting
        waiting = []
        next = null
        writing = write(batch)
        return writing
      })
    return next
  }
}
