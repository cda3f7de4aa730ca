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

/** Writes the run file durably, as it is when the write begins. */
export const writeRun = (dataDir: string, runOf: () => Run): Promise<void> =>
  writeRunFile(join(dataDir, runFileName), runOf)
