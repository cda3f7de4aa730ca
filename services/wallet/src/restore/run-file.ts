import { join } from 'node:path'
import { readRunFile, writeRunFile } from '@bursar/store'
import type { Signature } from '../orders/signatures'

/** Beside the database, and in no backup. */
export const runFileName = 'wallet.run'

/** A signature, and the order that it is for. */
export interface SignedNote extends Signature {
  orderId: string
}

/** What the run file says: the line of history that the data folder is of, and the signatures that were given last. */
export interface Run {
  line: string
  signed: SignedNote[]
}

/** Null when there is none, or none that can be read. */
export function readRun(dataDir: string): Run | null {
  const { line, signed } = (readRunFile(join(dataDir, runFileName)) ?? {}) as Partial<Run>
  return typeof line === 'string' && Array.isArray(signed) ? { line, signed } : null
}

/** Writes the run file durably, or leaves the one that there is. */
export const writeRun = (dataDir: string, run: Run): Promise<void> => writeRunFile(join(dataDir, runFileName), run)

/** Notes signatures in the run file before they leave. Those that come while it is written share the next write. */
export function createRunNotes(write: (signed: SignedNote[]) => Promise<void>): (note: SignedNote) => Promise<void> {
  let waiting: SignedNote[] = []
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return (note) => {
    waiting.push(note)
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
