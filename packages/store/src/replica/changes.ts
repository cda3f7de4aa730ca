import type { ChangeMark } from '@bursar/contracts/replica'
import { and, eq, gte, inArray, lte } from 'drizzle-orm'
import { dialect } from '../config'
import { metaNumber, putMetaValue } from '../engine/meta-values'
import type { Store } from '../engine/store'
import { followed, follower } from '../followers/followed'
import { changes } from '../schema/shared.table'
import { writeAmong } from '../statements/among'
import { highestGiven } from '../statements/highest-given'
import { deleteBy } from '../statements/plain'
import { insertKeyed } from '../statements/row-batches'
import { type Db, param, prepared, type Tx } from '../statements/statements'

const epochKey = 'epoch'

/**
 * A cache by writing connection, for an embedded database: its epoch outlives the connection, and marks each change. On
 * a server another instance may begin an epoch: there it is read.
 */
const epochs = new WeakMap<Tx, number>()

/**
 * The epoch of the database: versions of changes are of it, and it ends when the database is set back to an older state, for
 * replicas have seen changes then that it does not have. 0 before the first one.
 */
export const epochOf = (db: Db): Promise<number> => metaNumber(db, epochKey)

/** Begins an epoch with this number, higher than those before; without one the last one goes on. */
export async function enterEpoch(tx: Tx, next: number | null): Promise<void> {
  if (next !== null) await putMetaValue(tx, epochKey, String(next))
  if (dialect === 'sqlite') epochs.set(tx, next ?? (await epochOf(tx)))
}

/**
 * Records in this commit that a record was created or changed, for replicas in other services, and returns the mark of
 * its new state.
 */
export async function markChanged(tx: Tx, kind: string, recordId: string): Promise<ChangeMark> {
  const [mark] = await markAllChanged(tx, kind, [recordId])
  return mark as ChangeMark
}

/** The same for several, each named once; marks are in the order of the records. */
export async function markAllChanged(tx: Tx, kind: string, recordIds: readonly string[]): Promise<ChangeMark[]> {
  if (recordIds.length === 0) return []
  await deleteChanges(tx, recordIds, { kind })
  const versions = await insertChanges(
    tx,
    recordIds.map((recordId) => ({ kind, recordId })),
  )
  made.note(tx, 'changes', versions)
  const epoch = epochs.get(tx) ?? (await epochOf(tx))
  return versions.map((version) => ({ epoch, version }))
}

const made = followed('replicas', ['changes'])
const unsettled = follower(made, { changes: { number: changes.seq } })
const settledKey = 'settled changes'
/** Changes settled per commit. */
const mostSettled = 1000

/**
 * The version up to which changes may be served to replicas: none of them is committed later. If one writer commits
 * them in the order of their versions, that is the newest.
 */
export const settledUpTo = (db: Db): Promise<number> =>
  dialect === 'sqlite' ? highestGiven(db, changes) : metaNumber(db, settledKey)

/**
 * On a server: settles the changes committed so far, so that they may be served to replicas. A change that was
 * committed after one with a higher version had been settled gets a new version: replicas that have passed the old one
 * get it by the new one.
 */
export async function settleChanges(store: Store): Promise<void> {
  if (dialect === 'sqlite') return
  while ((await unsettled.oldest(store.read)) !== null) await store.commit(settleSome)
}

async function settleSome(tx: Tx): Promise<void> {
  const { changes: arrived } = await unsettled.take(tx, mostSettled)
  const settled = await settledUpTo(tx)
  for (const [from, to] of arrived) {
    if (from > settled) continue
    const late = await changesBetween(tx).execute({ from, to: Math.min(to, settled) })
    for (const [kind, some] of Map.groupBy(late, (change) => change.kind)) {
      await markAllChanged(
        tx,
        kind,
        some.map(({ recordId }) => recordId),
      )
    }
  }
  const highest = arrived.at(-1)?.[1] ?? 0
  if (highest > settled) await noteSettled(tx, highest)
}

/** Allows changes up to this version to be served to replicas. */
export const noteSettled = (tx: Tx, version: number): Promise<unknown> => putMetaValue(tx, settledKey, String(version))

/** Forgets the change of a record that is gone, and that replicas do not need. */
export const forgetChange = (tx: Tx, kind: string, recordId: string): Promise<unknown> =>
  deleteChange(tx).execute({ kind, recordId })

const deleteChange = deleteBy(changes, ['kind', 'recordId'])
const deleteChanges = writeAmong(
  (recordIds) => (db) =>
    db.delete(changes).where(and(eq(changes.kind, param('kind')), inArray(changes.recordId, recordIds))),
)
const insertChanges = insertKeyed(changes)
const changesBetween = prepared((db) =>
  db
    .select({ kind: changes.kind, recordId: changes.recordId })
    .from(changes)
    .where(and(gte(changes.seq, param('from')), lte(changes.seq, param('to')))),
)
