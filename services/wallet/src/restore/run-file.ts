import { join } from 'node:path'
import { readRunFile, writeRunFile } from '@bursar/store'
import type { Signature } from '../orders/signatures'

/** Beside the database, and in no backup. */
export const runFileName = 'wallet.run'

/** A signature and its order. */
export interface SignedNote extends Signature {
  orderId: string
}

/** The content of the run file: the line of history of the data folder, and the last issued signatures. */
export interface Run {
  line: string
  signed: SignedNote[]
}

/** Null if there is none, or it is damaged. */
export function readRun(dataDir: string): Run | null {
  const { line, signed } = (readRunFile(join(dataDir, runFileName)) ?? {}) as Partial<Run>
  return typeof line === 'string' && Array.isArray(signed) ? { line, signed } : null
}

/** Writes the run file durably, unless there is one. */
export const writeRun = (dataDir: string, run: Run): Promise<void> => writeRunFile(join(dataDir, runFileName), run)

/**
 * Records signatures in the run file before they leave the service. Those that arrive during a write share the next
 * one.
 */
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
