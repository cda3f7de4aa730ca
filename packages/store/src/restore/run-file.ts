import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { dialect } from '../config'
import { metaNumber, metaValue, putMetaValue } from '../engine/meta-values'
import { replaceInThread, syncInThread } from '../engine/on-disk'
import type { OpenStore } from '../engine/open-store'
import { enterEpoch, epochOf } from '../replica/changes'
import { outbox } from '../schema'
import { highestGiven } from '../statements/highest-given'
import type { Db, Tx } from '../statements/statements'

// A run is the time from one start of a service to the next; its number is the moment of the start. A run file beside a
// service's database records the last one. No backup has it (scripts/backup/contents.ts): a database without its run file, or
// older than it, was restored.
//
// The data of a server is restored by tools of its own, and files are of one machine: there whoever restores it notes that in
// the database (`noteRestored`), and each who has to act on it notes that it has.

/** The metadata name of the run's number. */
export const runKey = 'run'
const previousKey = 'previous run'

/** The number of the current run; 0 before the first one. */
const runOf = (db: Db): Promise<number> => metaNumber(db, runKey)

/** The number of the run before; 0 if there was none. */
export const previousRunOf = (db: Db): Promise<number> => metaNumber(db, previousKey)

/**
 * Begins a run, at each start of the service that owns the database. If the run file says that the database was set
 * back, or does not know it, or the database itself says that it was restored, a new epoch begins, and all replicas
 * follow. Otherwise the epoch continues, however many instances start. Null for a database without a run file.
 */
export async function beginRun(store: OpenStore, file: string | null, now = new Date()): Promise<void> {
  const previous = await runOf(store.read)
  const isSetBack = file !== null && dialect === 'sqlite' && (await wasSetBackSince(previous, store.read, file))
  await store.commit(async (tx) => {
    const run = Math.max(now.getTime(), previous + 1)
    await putMetaValue(tx, previousKey, String(previous))
    await putMetaValue(tx, runKey, String(run))
    // Inside the commit: of instances that start together, one begins the epoch.
    const isRestored = await seeRestore(tx, file ?? 'epoch')
    await enterEpoch(tx, isSetBack || isRestored || (await epochOf(tx)) === 0 ? run : null)
  })
  if (file !== null) await noteRun(store, file)
}

/** The run file beside a database, for its epoch. */
export const epochFileOf = (database: string): string => database.replace(/\.sqlite$/, '.epoch.run')

/**
 * The content of a run file; null if it is missing or damaged. Throws if the system does not let this process read it: that it is
 * another user's does not mean that the database was restored.
 */
export function readRunFile(file: string): unknown {
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The write of a run file that is under way, and the one behind it. */
interface Writes {
  writing: Promise<unknown>
  next: { contentOf: () => unknown; written: Promise<void> } | null
}
const writesOf = new Map<string, Writes>()

/**
 * Writes a run file atomically. When this resolves it is on the disk under its name: what it records may then leave the
 * service, and no power cut takes the record away. Writes of one file follow each other. What is to be written
 * meanwhile is one write, of the content that the latest caller gives when it begins: it has that of the others too.
 */
export function writeRunFile(file: string, contentOf: () => unknown, sync = syncInThread): Promise<void> {
  const writes = writesOf.getOrInsertComputed(file, () => ({ writing: Promise.resolve(), next: null }))
  const begin = async () => {
    const { next } = writes
    writes.next = null
    await replaceInThread(file, JSON.stringify(next?.contentOf()))
    await sync(dirname(file))
  }
  if (writes.next) writes.next.contentOf = contentOf
  else {
    const written = writes.writing.then(begin, begin)
    writes.next = { contentOf, written }
    writes.writing = written
  }
  return writes.next.written
}

/**
 * Whether a database was set back to an older state since its last run. The run file has the number of that run and of
 * the newest event committed in it (`noteRun`): an earlier copy of the same run has fewer events. A new database has no
 * earlier run. A start that failed has begun a run, and has not recorded it.
 */
export const wasSetBack = async (db: Db, file: string): Promise<boolean> =>
  wasSetBackSince(await previousRunOf(db), db, file)

async function wasSetBackSince(run: number, db: Db, file: string): Promise<boolean> {
  if (dialect !== 'sqlite') return (await metaValue(db, restoredKey)) !== (await metaValue(db, seenKey(file)))
  return isOlder({ run, newest: await highestGiven(db, outbox) }, file)
}

/** Whether a database with this last run, and this highest number of an event, is older than its run file says. */
export function isOlder({ run, newest }: { run: number; newest: number }, file: string): boolean {
  if (run === 0) return false
  const noted = readRunFile(file)
  const isKnown = typeof noted === 'number' && noted <= run
  return !isKnown || newest < newestIn(newestFileOf(file))
}

/**
 * Records this run, as the last step of a start: a start that fails earlier changes nothing. From then on each commit
 * with events records the number of its last one before its caller is answered. That is not synced: a power cut may
 * take some of it away, which only hides a set-back. It never exceeds the database, which was synced before. The file
 * is memory-mapped: a system call per commit would cost a tenth of a small one.
 */
export async function noteRun(store: OpenStore, file: string): Promise<void> {
  if (dialect !== 'sqlite') return void (await store.commit((tx) => seeRestore(tx, file)))
  let newest = await highestGiven(store.read, outbox)
  const number = mapNumber(newestFileOf(file), newest)
  const stop = store.onEvents((events) => {
    for (const { seq } of events) newest = Math.max(newest, seq)
    number[0] = BigInt(newest)
  })
  store.onClose(stop)
  const run = await runOf(store.read)
  await writeRunFile(file, () => run)
}

const restoredKey = 'restored'
/** The metadata name of the last restore that was acted on, by run file. */
const seenKey = (file: string): string => `restored, seen by ${basename(file)}`

/** Records in a database on a server that it was set back to an older state, while its service is stopped. */
export const noteRestored = (tx: Tx, now: Date): Promise<unknown> => putMetaValue(tx, restoredKey, now.toISOString())

/** Records that a restore was acted on; true if it was not before. */
async function seeRestore(tx: Tx, file: string): Promise<boolean> {
  const restored = await metaValue(tx, restoredKey)
  if (restored === undefined || restored === (await metaValue(tx, seenKey(file)))) return false
  await putMetaValue(tx, seenKey(file), restored)
  return true
}

const newestFileOf = (file: string): string => file.replace(/(\.run)?$/, '.newest.run')

/**
 * Memory-maps a file of one number. An existing file is not recreated: that would end other processes that have mapped
 * it.
 */
function mapNumber(file: string, value: number): BigUint64Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    ftruncateSync(descriptor, bytes.length)
    writeSync(descriptor, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return new BigUint64Array(Bun.mmap(file, { shared: true }).buffer, 0, 1)
}

/** The number in the file; 0 if it is missing or unreadable. */
function newestIn(file: string): number {
  if (!existsSync(file)) return 0
  const bytes = readFileSync(file)
  return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : 0
}
