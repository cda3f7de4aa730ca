import { join } from 'node:path'
import { readRunFile, writeRunFile } from '@bursar/store'

/** Beside the database, and in no backup. */
export const runFileName = 'wallet.run'

/** What the run file says: the line of history that the data folder is of, and the orders that were signed last. */
export interface Run {
  line: string
  signed: string[]
}

/** Null when there is none, or none that can be read. */
export function readRun(dataDir: string): Run | null {
  const { line, signed } = (readRunFile(join(dataDir, runFileName)) ?? {}) as Partial<Run>
  return typeof line === 'string' && Array.isArray(signed) ? { line, signed } : null
}

/** Writes the run file durably, or leaves the one that there is. */
export const writeRun = (dataDir: string, run: Run): Promise<void> => writeRunFile(join(dataDir, runFileName), run)

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
