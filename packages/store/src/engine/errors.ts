/** The store is closed or closing, and accepts no more commits. */
export class StoreClosedError extends Error {
  override name = 'StoreClosedError'
}

/** The whole batch of a commit was lost: BEGIN or COMMIT failed, or SQLite ended the transaction. Nothing was written. */
export class CommitFailedError extends Error {
  override name = 'CommitFailedError'
}

/** The connection to the database was lost during a commit: it may have been made. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}

/** The connection to the database was lost during a read. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError'
}

/** `commit` was called from inside a commit's body, where it would wait for itself. */
export class NestedCommitError extends Error {
  override name = 'NestedCommitError'
}

/** The migrations cannot be applied to this file, or leave rows whose parent is missing. The file is as it was. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** An event that its caller waits for was refused by the broker, or took too long. */
export class NotDeliveredError extends Error {
  override name = 'NotDeliveredError'
}

/** A `tx` was used after its commit, or after SQLite had ended the transaction. The statement was not run. */
export class OutsideCommitError extends Error {
  override name = 'OutsideCommitError'
}

/** Another process holds the lock of this database file or folder. The message names it. */
export class FileLockedError extends Error {
  override name = 'FileLockedError'
}

/** The `db` of a snapshot was used after its end, or after an error had ended its transaction. */
export class SnapshotEndedError extends Error {
  override name = 'SnapshotEndedError'
}
