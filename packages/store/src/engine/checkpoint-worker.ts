import { Database } from 'bun:sqlite'

declare const self: Worker

/** Rounds per checkpoint: writes made meanwhile are folded in too, so that little is left for the writer. */
const rounds = 3
const smallRest = 500

/** Folds a database's log into its file, as far as no reader holds it, on a connection of its own. */
function checkpoint(file: string): void {
  const database = new Database(file, { readwrite: true, create: false })
  try {
    database.run('PRAGMA synchronous = FULL')
    const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
    const length = database.prepare<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
    for (let round = 0; round < rounds; round++) {
      passive.get()
      const now = length.get()
      if (!now || now.log - now.checkpointed < smallRest) break
    }
    passive.finalize()
    length.finalize()
  } finally {
    database.close()
  }
}

self.onmessage = ({ data: { id, file } }: MessageEvent<{ id: number; file: string }>) => {
  try {
    checkpoint(file)
    self.postMessage({ id, failure: null })
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) })
  }
}
