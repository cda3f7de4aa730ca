import type { Database } from 'bun:sqlite'

export interface Snapshot {
  /** Call before each statement on the reading connection. */
  enter(): void
  /** What is read from now on is read anew. */
  leave(): void
}

/**
 * Lets all that is read in one turn of the event loop share one read transaction: it sees one state of the data, and
 * the locks of the file, which cost more than reading a row does, are taken once a turn and not once a statement.
 * The turn ends it, so that it never holds up a checkpoint; so must every commit, for its caller may look at once.
 */
export function snapshotOfTurn(reader: Database): Snapshot {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  let open = false
  let scheduled = false

  function leave() {
    if (!open) return
    open = false
    end.run()
  }

  function turn() {
    scheduled = false
    leave()
  }

  return {
    leave,
    enter() {
      if (open) return
      begin.run()
      open = true
      if (scheduled) return
      scheduled = true
      setImmediate(turn)
    },
  }
}
