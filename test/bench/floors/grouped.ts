// How the floors write: the requests of one turn of the event loop share one transaction, and its sync runs in a thread
// while the next one does, as the services' own writer works. Nothing more: no savepoints, no readers, no events.
import type { Database } from 'bun:sqlite'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

const syncNowUpTo = 4
const checkpointPages = 8000
const checkpointer = new Worker(new URL('checkpoint.ts', import.meta.url))

type Work = () => () => void

/** Gives a function that runs a write and resolves with its result once that is safe on the disk. */
export function groupedWrites(db: Database, file: string): <T>(write: () => T) => Promise<T> {
  const pragmas = [
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'wal_autocheckpoint = 0',
    'journal_size_limit = 67108864',
  ]
  for (const pragma of pragmas) db.run(`PRAGMA ${pragma}`)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const log = foldedLog(db, file)
  let waiting: Work[] = []
  let busy = false
  let syncing: Promise<void> | null = null

  function schedule() {
    if (busy) return
    busy = true
    setImmediate(flush)
  }

  async function flush() {
    const batch = waiting
    waiting = []
    begin.run()
    const answers = batch.map((work) => work())
    if (syncing) await syncing
    commit.run()
    if (batch.length > syncNowUpTo && !log.resetDue()) {
      syncing = log.sync().then(() => {
        syncing = null
        for (const answer of answers) answer()
      })
    } else {
      log.syncNow()
      for (const answer of answers) answer()
    }
    busy = false
    if (waiting.length > 0) schedule()
  }

  return (write) =>
    new Promise((resolve) => {
      waiting.push(() => {
        const result = write()
        return () => resolve(result)
      })
      schedule()
    })
}

/** The log: synced by hand, folded into the file by a thread, started again by the writer when nothing is under way. */
function foldedLog(db: Database, file: string) {
  const fd = openSync(`${file}-wal`, 'r')
  process.on('exit', () => closeSync(fd))
  const length = db.prepare<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  let state: 'short' | 'folding' | 'folded' = 'short'
  checkpointer.onmessage = () => {
    state = 'folded'
  }
  function grown() {
    if (state !== 'short' || (length.get()?.log ?? 0) <= checkpointPages) return
    state = 'folding'
    checkpointer.postMessage(file)
  }
  return {
    resetDue: () => state === 'folded',
    async sync() {
      grown()
      await new Promise<void>((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())))
    },
    syncNow() {
      grown()
      fdatasyncSync(fd)
      if (state !== 'folded') return
      db.run('PRAGMA wal_checkpoint(RESTART)')
      state = 'short'
    },
  }
}
