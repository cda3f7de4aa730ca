import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Envelope } from '@bursar/contracts/event'
import { messageOf } from '@bursar/contracts/log'

/** All databases as they were at one moment; nothing was committed to any of them while it was taken. */
export type Cut = Awaited<ReturnType<typeof cutThrough>>

interface Held {
  file: string
  writer: DatabaseSync
  reader: DatabaseSync
}

/** The longest time that commits are held up. */
const longestHoldMs = 500

/**
 * Takes a cut through these databases while their services run. It holds the write lock of all of them for the few
 * milliseconds in which it opens a read transaction on each, so the copies are mutually consistent. Throws if that
 * fails in 10 tries of half a second each.
 */
export async function cutThrough(files: readonly string[], tries = 10) {
  const missing = files.find((file) => !existsSync(file))
  if (missing) throw new Error(`There is no database at ${missing}`)
  const held = files.map(open)
  const close = () => {
    for (const { writer, reader } of held) {
      writer.close()
      reader.close()
    }
  }
  try {
    for (let i = 1; !pinAll(held); i++) {
      if (i === tries) throw new Error('The databases are too busy to be held for a moment: try again')
      await Bun.sleep(50)
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    /** Writes a database, as it was then, to a new file of its own. Resolves with its size in bytes. */
    copy: (file: string, to: string) => copyPinned(held, file, to),
    /** Ends it. Until then the databases' logs grow. */
    close,
  }
}

function open(file: string): Held {
  // The writer is opened first: it creates the shared memory that a reader of a stopped service's database lacks.
  const writer = new DatabaseSync(file)
  writer.exec('PRAGMA busy_timeout = 0')
  writer.prepare('SELECT count(*) FROM sqlite_schema').get()
  return { file, writer, reader: new DatabaseSync(file, { readOnly: true }) }
}

/**
 * Locks all databases, begins a read transaction in each, unlocks all. False if the locks took too long; then none is
 * held.
 */
function pinAll(held: readonly Held[]): boolean {
  const deadline = performance.now() + longestHoldMs
  const locked: Held[] = []
  try {
    for (const database of held) {
      while (!isLocked(database.writer)) {
        if (performance.now() > deadline) return false
        Bun.sleepSync(0.2)
      }
      locked.push(database)
    }
    for (const { reader } of held) {
      reader.exec('BEGIN')
      // The first read fixes the state.
      reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    }
    return true
  } finally {
    for (const { writer } of locked) writer.exec('ROLLBACK')
  }
}

function isLocked(writer: DatabaseSync): boolean {
  try {
    writer.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    // 5 is SQLITE_BUSY, with its kind in the higher bits.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5) return false
    throw error
  }
}

/** SQLite's own backup copies what the reader's transaction sees, page by page, whatever is committed meanwhile. */
async function copyPinned(held: readonly Held[], file: string, to: string): Promise<number> {
  const source = held.find((database) => database.file === file)
  if (!source) throw new Error(`${file} is not among the databases of this cut`)
  closeSync(openSync(to, 'wx', 0o600))
  await backup(source.reader, to, { rate: 1000 })
  const copy = new DatabaseSync(to)
  try {
    // One file per database, without a log beside it that could be left behind.
    copy.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copy.close()
  }
  for (const end of ['-wal', '-shm']) rmSync(to + end, { force: true })
  return Bun.file(to).size
}

/** Adds missing events to the outbox of a copy. Resolves with how many were added. */
export function addToOutbox(file: string, events: readonly Envelope[]): number {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('BEGIN IMMEDIATE')
    const add = copy.prepare(
      `INSERT INTO outbox (event_id, name, envelope, created_at)
       SELECT :id, :name, :envelope, :at WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE event_id = :id)`,
    )
    const added = events.map((event) =>
      Number(
        add.run({ id: event.id, name: event.name, envelope: JSON.stringify(event), at: Date.parse(event.timestamp) })
          .changes,
      ),
    )
    copy.exec('COMMIT')
    return added.reduce((sum, one) => sum + one, 0)
  } finally {
    copy.close()
  }
}

/** The faults that SQLite finds in a file, and rows whose parent is missing; empty if there are none. */
export function faultsOf(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const found = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    const orphans = database.prepare('PRAGMA foreign_key_check').all() as { table: string; rowid: number }[]
    return [
      ...found.map((row) => row.integrity_check).filter((word) => word !== 'ok'),
      ...orphans.map(({ table, rowid }) => `row ${rowid} of ${table} has no parent`),
    ]
  } catch (error) {
    return [messageOf(error)]
  } finally {
    database.close()
  }
}
