import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { OpenStore } from '../engine/open-store'
import { epochOf, previousEpochOf } from '../replica/changes'
import { outbox } from '../schema'
import { highestGiven } from '../statements/highest-given'
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
 * run began, and the number of the newest event that was committed in it (`noteRun`): a copy of the same run has fewer. A
 * new database has no epoch before this one. A start that failed has begun one, and has not noted it.
 */
export async function wasSetBack(db: Db, file: string): Promise<boolean> {
  const [previous, noted] = [await previousEpochOf(db), readRunFile(file)]
  if (previous === 0) return false
  const isKnown = typeof noted === 'number' && noted <= previous
  return !isKnown || (await highestGiven(db, outbox)) < newestIn(newestFileOf(file))
}

/**
 * Records this run, as the last step of a start: a start that fails before it changes nothing. From then on each commit
 * with events notes the number of its last one before its caller is answered. That is not synced: a power cut takes some
 * of it away, which is only missed then. It never says more than the database, which was synced before.
 */
export async function noteRun(store: OpenStore, file: string): Promise<void> {
  const newest = openSync(newestFileOf(file), constants.O_RDWR | constants.O_CREAT, 0o600)
  const number = Buffer.alloc(8)
  const note = (seq: number) => {
    number.writeBigUInt64LE(BigInt(seq))
    writeSync(newest, number, 0, number.length, 0)
  }
  note(await highestGiven(store.read, outbox))
  const stop = store.onEvents((events) => note(Math.max(...events.map(({ seq }) => seq))))
  store.onClose(() => {
    stop()
    closeSync(newest)
  })
  await writeRunFile(file, await epochOf(store.read))
}

const newestFileOf = (file: string): string => file.replace(/(\.run)?$/, '.newest.run')

/** 0 where there is none, or none that can be read. */
function newestIn(file: string): number {
  if (!existsSync(file)) return 0
  const bytes = readFileSync(file)
  return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : 0
}
