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

/** One key or several; without any, a commit contends with all others. */
export type Keys = string | readonly string[]

export interface CommitOptions {
  /**
   * The writes are repeated if a power cut takes them back: a lease, a repeatable deletion, sums folded up to a place
   * that is in the same commit. The commit is synced only with the next one, unless it emits an event. The end of the
   * process takes nothing back. Others may read it before it is synced.
   */
  isMadeUpFor?: boolean
  /**
   * On a server it overtakes all waiting commits: the heartbeat of an instance, which others would take for ended while
   * it waits in a long queue.
   */
  isUrgent?: boolean
  /**
   * The number of its callers, read after its body has run; one by default. With many callers, a file's log is synced
   * beside the next bodies.
   */
  callers?: () => number
}
