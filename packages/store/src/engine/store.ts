import type { Db, Tx } from '../statements/statements'

/** The store as domain functions use it. */
export interface Store {
  /** Reads what is committed and on the disk, on a connection of its own. */
  readonly read: Db
  /**
   * Runs the body with reads that all see one state of the data: the newest that is on the disk when it begins. A body
   * awaits nothing but the database, for while it runs the log cannot be started anew. Rejects with what it throws.
   */
  snapshot<T>(body: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs the body in a transaction and resolves with what it returns once that is safe on the disk. A body that throws
   * is rolled back alone, and the promise rejects with what it threw. A body awaits nothing but the database, and may
   * be run again.
   *
   * Rejects with StoreClosedError, with CommitFailedError when the disk refused (nothing was written), with
   * NestedCommitError when called inside a body, and on a server with UnknownOutcomeError when the connection broke while
   * it was committed: whoever repeats it may do it twice.
   *
   * `keys` name what commits contend for, such as accounts, by values that its statements bind; here, where one writer
   * serves all, they change nothing. On a server commits without a key in common share a transaction (postgres/guard.ts).
   */
  commit<T>(body: (tx: Tx) => Promise<T>, keys?: Keys, options?: CommitOptions): Promise<T>
}

/** One, or several; without any a commit contends with all others. */
export type Keys = string | readonly string[]

export interface CommitOptions {
  /**
   * What it writes is written again when a power cut takes it back: a lease, a deletion that is made up for, sums that are
   * folded from a place which is in the same commit. It is not synced for its own sake, but with the next commit, unless it
   * emits an event. The end of the process takes nothing back. Others may read it before.
   */
  isMadeUpFor?: boolean
  /**
   * On a server it goes before all that waits: the sign of life of an instance, which others would take for ended while it
   * stands in a long queue.
   */
  isUrgent?: boolean
  /**
   * How many callers wait for it, asked when its body has run; one where nothing is said. Where many do, a file's log is
   * synced beside the next bodies.
   */
  callers?: () => number
}
