export type { ChangeMark } from '@bursar/contracts/replica'
export { dialect, migrationsIn } from './config'
export { batched } from './engine/batched'
export { connectionsOf } from './engine/connection-limits'
export * from './engine/errors'
export { lockFile } from './engine/file-lock'
export { metaValue, putMetaValue } from './engine/meta-values'
export { openReadOnly, type Reading } from './engine/open-read-only'
export type { OpenStore, StoreOptions } from './engine/open-store'
export { remember } from './engine/remember'
export type { Keys, Store } from './engine/store'
export type { OutboxEvent } from './engine/writers'
export { type Counters, counters } from './followers/counters'
export { followed, follower } from './followers/followed'
export type { Arrived, Followed, Source } from './followers/follower'
export { type InTurn, inTurn } from './followers/in-turn'
export { numbersAfter, placeName } from './followers/places'
export { sizeOf } from './followers/ranges'
export { type RowReader, rowReader } from './followers/reader'
export { mostCounted } from './lists/count-up-to'
export { type Asked, defineList, defineSortedList, type ListPlace } from './lists/define-list'
export { idFloor, newId } from './lists/ids'
export { type ChunkPlace, inChunks } from './lists/in-chunks'
export type { Order } from './lists/keyset'
export { bytesOf } from './lists/row-bytes'
export { startingWith, textIndex } from './lists/search-texts'
export { statusHistory } from './lists/status-changes'
export { anywhere, folded, matches } from './lists/text-search'
export { nextTurn } from './lists/windows'
export { openForReading, openStore, type Place } from './open-store'
export { emit, emitAll, emitAwaited, oldestEventAt } from './outbox/events'
export { type KeptKey, keptKeys } from './outbox/kept-keys'
export { namesInOutbox } from './outbox/outbox-names'
export { receive, receiveAll } from './outbox/receive'
export { type Relay, type RelayOptions, startRelay } from './outbox/relay'
export type { RelayClock, RelayTuning } from './outbox/relay-tuning'
export { startSweeper, sweepStore } from './outbox/sweeper'
export type { LaneFigures } from './postgres/commits'
export type { ServerOptions } from './postgres/open'
export { changedRecords } from './replica/changed-records'
export { markChanged } from './replica/changes'
export { alsoStoring, type Replica, replica, replicaPlace, setReplicaPlace } from './replica/replica'
export { type Moved, movedFrom, movedName, requireNotMoved } from './restore/moved'
export {
  beginRun,
  epochFileOf,
  isOlder,
  noteRestored,
  noteRun,
  previousRunOf,
  readRunFile,
  runKey,
  wasSetBack,
  writeRunFile,
} from './restore/run-file'
export {
  type Retained,
  type Retention,
  type RetentionLoop,
  retire,
  retireOld,
  startRetiring,
} from './retention/retention'
export { caseless, isAtLeast, lowerCase } from './schema/columns'
export type { Ranges } from './schema/shared.table'
export { type Places, queryAmong, writeAmong } from './statements/among'
export { highestGiven } from './statements/highest-given'
export * from './statements/operators'
export { byKey, deleteBefore, deleteBy, insertInto, rowBy, rowsBy, updateBy, upsertInto } from './statements/plain'
export { type Rewriting, type RewrittenColumns, type RowKey, rewriteColumn } from './statements/rewrite-column'
export {
  addAll,
  deleteAll,
  insertAll,
  insertKeyed,
  insertMissing,
  putAll,
  rowsOf,
  updateAll,
} from './statements/row-batches'
export { type Build, type Db, param, params, prepared, type Tells, type Tx } from './statements/statements'
export { together } from './statements/together'
export { tested, unindexed } from './statements/unindexed'
export { listParams, listSize, listValues } from './statements/value-lists'
export { type Form, variants } from './statements/variants'
export { type Again, again } from './work/again'
export { doubling, stepwise } from './work/backoff'
export { waitingSince } from './work/columns'
export { every, type Loop, type Worker } from './work/every'
export { type Claimed, LeaseLostError, type Rescheduling, type WorkQueue, workQueue } from './work/queue'
export { sideBySide, type WorkLoop, workOn } from './work/worker'
