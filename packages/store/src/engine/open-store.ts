import { statSync } from 'node:fs'
import { type Log, silentLog } from '@bursar/contracts/log'
import { connect, type Guard, type Note, type Tx } from '../statements/statements'
import { batchRunner } from './commit-batch'
import { commitQueue } from './commit-queue'
import { openReader, openWriter } from './connections'
import { StoreClosedError } from './errors'
import { type FileLock, lockFile } from './file-lock'
import { writeProbe } from './health-probe'
import { listeners } from './listeners'
import { readState } from './read-state'
import { snapshots } from './snapshots'
import type { Store } from './store'
import { type LogTuning, logDefaults, writeAheadLog } from './write-ahead-log'
import { type OutboxEvent, rememberWriter } from './writers'

/** A store and its life; one per service and process. */
export interface OpenStore extends Store {
  /** The service that owns the database. */
  readonly name: string
  /** Names this process among those that share the database; empty where one owns it. */
  readonly instance: string
  readonly log: Log
  /** Rejects with the reason when the database cannot be read or written; tries both, after the commits before it. */
  healthy(): Promise<void>
  /** Waits for the accepted commits, then folds the log into the file and closes it. Further calls do nothing. */
  close(): Promise<void>
  /**
   * Calls back with the events of every successful commit, in order, before its callers are answered. Returns a
   * function that stops it.
   */
  onEvents(listener: (events: readonly OutboxEvent[]) => void): () => void
  /**
   * Counts the commits that have written to any of these tables: while it is unchanged, what was read from them is
   * current.
   */
  versionOf(tables: readonly string[]): number
  /** How many batches of commits have failed since it was opened. */
  commitFailures(): number
  /** The numbers of statements run and of bodies committed since it was opened. */
  counts(): { statements: number; bodies: number }
  /**
   * The bytes that rows and indexes take; deleted ones do not count, though the file keeps their room. Null on a
   * server, which frees room in its own time.
   */
  usedBytes(): Promise<number | null>
  /**
   * The bytes that it takes on the disk: its file, and the log beside it; on a server its tables with their indexes.
   */
  size(): Promise<{ bytes: number; logBytes: number | null }>
  /** Calls back when `close` begins; at once if it has begun. */
  onClose(listener: () => void): void
}

export interface StoreOptions {
  /** The service's name, which events carry. */
  service: string
  /** The database file; created with its folder if missing. */
  file: string
  /** The folder of drizzle-kit's migrations. */
  migrations: string
  /** The id of the current request, read when `commit` is called. */
  requestId?: () => string | null
  /** The `traceparent` of an event with this data, of this request, read when it is emitted; null for none. */
  traceparent?: (data: unknown, requestId: string | null) => string | null
  log?: Log
  /** For tests. */
  note?: Note
  /** For tests; the defaults are right elsewhere. */
  tuning?: Partial<StoreTuning>
}

interface StoreTuning extends LogTuning {
  /**
   * Batches of at most this many callers are synced at once while larger ones are rare; others are synced while the
   * next batch runs.
   */
  syncNowUpTo: number
}

const anything = 'SELECT count(*) FROM sqlite_schema'
const usedPages = `SELECT (page_count - freelist_count) * page_size AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`

const sizeOf = (file: string) => {
  const [bytes = 0, logBytes = 0] = [file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false })?.size)
  return { bytes, logBytes }
}

const defaults: StoreTuning = { ...logDefaults, syncNowUpTo: 4 }

/**
 * Opens a service's database and migrates it. Throws MigrationError if that fails, and FileLockedError if another
 * process has it open: two would seal, sweep and answer from memory side by side.
 */
export async function openFile(options: StoreOptions): Promise<OpenStore> {
  const lock = lockFile(options.file, 'The database')
  try {
    return openLocked(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function openLocked(options: StoreOptions, lock: FileLock): OpenStore {
  const { service: name, file, log = silentLog, requestId = () => null, traceparent = () => null } = options
  const tuning = { ...defaults, ...options.tuning }
  const writer = openWriter(file, options.migrations)
  const wal = writeAheadLog(writer, file, tuning, log)
  // A process that was killed may have left commits that are in the log but not on the disk.
  wal.syncNow()
  const reader = openReader(file)
  const readers = readState(reader)
  const counts = { statements: 0, bodies: 0 }
  const onRead = () => {
    counts.statements += 1
    readers.enter()
  }
  const read = connect(reader, onRead, options.note)
  const held = snapshots(() => openReader(file), readers, options.note)
  const events = listeners<readonly OutboxEvent[]>(log)
  const closes = listeners<void>(log)
  const counted =
    (guard: Guard): Guard =>
    (writesTo) => {
      counts.statements += 1
      guard(writesTo)
    }
  const runner = batchRunner<Tx, OutboxEvent>(
    writer,
    (guard) => connect(writer, counted(guard), options.note) as Tx,
    log,
  )
  const versions = new Map<string, number>()
  const wrote = (tables: ReadonlySet<string>) => {
    for (const table of tables) versions.set(table, (versions.get(table) ?? 0) + 1)
  }
  const queue = commitQueue({ ...tuning, runner, readers, wal, requestId, wrote, committed: events.call })
  rememberWriter(runner.tx, { service: name, instance: '', current: runner.current, traceparent })
  const [probe, used] = [reader.prepare(anything), reader.prepare<{ bytes: number }, []>(usedPages)]
  let closing: Promise<void> | null = null

  async function healthy() {
    if (closing) throw new StoreClosedError('The store is closed')
    readers.enter()
    probe.get()
    await queue.commit((tx) => writeProbe(tx).execute({ at: new Date() }))
  }

  async function close() {
    closes.call()
    await queue.end()
    await held.close()
    readers.release()
    reader.close()
    await wal.close()
    writer.close()
    lock.release()
  }

  return {
    name,
    instance: '',
    log,
    read,
    snapshot: held.run,
    commit(body, _keys, options) {
      counts.bodies += 1
      return queue.commit(body, options)
    },
    healthy,
    close: () => {
      closing ??= close()
      return closing
    },
    onEvents: events.add,
    commitFailures: runner.failures,
    async usedBytes() {
      readers.enter()
      return used.get()?.bytes ?? null
    },
    size: async () => sizeOf(file),
    counts: () => ({ ...counts }),
    versionOf: (tables) => tables.reduce((sum, table) => sum + (versions.get(table) ?? 0), 0),
    onClose: (listener) => {
      if (closing) listener()
      else closes.add(listener)
    },
  }
}
