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
  /** Rejects with the reason when the database cannot be read or written: it does both, after the commits before it. */
  healthy(): Promise<void>
  /** Waits for the commits that were taken, then folds the log into the file and closes it. More calls change nothing. */
  close(): Promise<void>
  /** Calls back with the events of every successful commit, in order, before its caller is answered. Returns how to stop. */
  onEvents(listener: (events: readonly OutboxEvent[]) => void): () => void
  /** How many commits have written to any of these tables: what was read from them is true while it stays the same. */
  versionOf(tables: readonly string[]): number
  /** How many batches of commits have failed since it was opened. */
  commitFailures(): number
  /** The statements that were run since it was opened, and the bodies that were given to `commit`. */
  counts(): { statements: number; bodies: number }
  /**
   * How much its rows and indexes take, in bytes: deleted ones no longer count, though the file keeps their room. Null on a
   * server, which gives room back in its own time.
   */
  usedBytes(): Promise<number | null>
  /** How much it takes on the disk, in bytes: its file, and the log beside it; on a server its tables with their indexes. */
  size(): Promise<{ bytes: number; logBytes: number | null }>
  /** Calls back when `close` begins; at once when it has. */
  onClose(listener: () => void): void
}

export interface StoreOptions {
  /** The service's name; events say it is from there. */
  service: string
  /** The database file; made with its folder where there is none. */
  file: string
  /** The folder of drizzle-kit's migrations. */
  migrations: string
  /** The id of the request that is being served, asked when `commit` is called. */
  requestId?: () => string | null
  /** The `traceparent` that an event with this data carries, asked when it is emitted; null for none. */
  traceparent?: (data: unknown) => string | null
  log?: Log
  /** For tests. */
  note?: Note
  /** For tests; the defaults are right elsewhere. */
  tuning?: Partial<StoreTuning>
}

export interface StoreTuning extends LogTuning {
  /** Batches of up to so many callers are synced at once while larger ones are rare; others while the next batch runs. */
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
 * Opens a service's database and brings it up to date. Throws MigrationError when that cannot be, and FileLockedError
 * when another process has it open: two would seal, sweep and answer from memory side by side.
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
