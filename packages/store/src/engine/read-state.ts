import type { Database } from 'bun:sqlite'

/** Which state of the data the reading connection sees. Only `enter` throws. */
export type ReadState = ReturnType<typeof readState>

/**
 * Lets all that is read in one turn of the event loop share one read transaction: it sees one state of the data, and
 * the locks of the file, which cost more than reading a row does, are taken once a turn and not once a statement.
 * The turn ends it, so that it never holds up a checkpoint; so must every commit, for its caller may look at once.
 *
 * A damaged page or a failing disk may end the transaction, or keep it from ending. The read that meets this rejects;
 * the next one tries anew.
 */
export function readState(reader: Database) {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  // BEGIN alone fixes no state: the first read does.
  const look = reader.prepare('SELECT 1 FROM sqlite_schema LIMIT 1')
  const waiting: (() => void)[] = []
  let current = false
  let pinned = false
  let scheduled = false

  function renew() {
    if (reader.inTransaction) end.run()
    begin.run()
    current = true
  }

  /**
   * To be called before each statement on the reading connection. Throws when no state can be read: then that read
   * rejects.
   */
  function enter() {
    if (current && reader.inTransaction) return
    // A read outside the held transaction would show what is not on the disk yet.
    if (pinned) throw new Error('The read transaction was ended by an error: read again')
    renew()
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  function turn() {
    scheduled = false
    if (!pinned) leave()
  }

  function leave() {
    current = false
    try {
      if (reader.inTransaction) end.run()
    } catch {
      // The next read tries again, and rejects when it cannot.
    }
  }

  return {
    enter,
    /** Holds the present state until `release`, whatever is committed. False if that is impossible. */
    pin() {
      try {
        if (!current || !reader.inTransaction) renew()
        look.values()
        pinned = reader.inTransaction
      } catch {
        pinned = false
      }
      return pinned
    },
    /** Ends the read transaction: later reads see the newest state. */
    release() {
      pinned = false
      leave()
      for (const run of waiting.splice(0)) run()
    },
    /** Calls back as soon as no state is held; at once if none is. */
    whenReleased(run: () => void) {
      if (pinned) waiting.push(run)
      else run()
    },
  }
}
