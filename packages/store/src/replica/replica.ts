import { and, eq, getTableColumns, lt, ne, or, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { replicas } from '../schema/shared.table'
import { rowBy, upsertInto } from '../statements/plain'
import { type Db, param, params, prepared, type Tx } from '../statements/statements'

/** A table of replicas: besides the kept columns of the owner's record, these three. */
type ReplicaTable = SQLiteTable & { id: AnySQLiteColumn; epoch: AnySQLiteColumn; version: AnySQLiteColumn }

/** A local copy of another service's records, which the owner's events and answers keep up to date. */
export interface Replica<Row> {
  /** The kind of the records: `customer`. */
  readonly kind: string
  /**
   * Stores the state of an event or an answer, unless a newer one is stored, or it is of an epoch before the last pull:
   * a late event must not restore what its owner has lost.
   */
  upsert(tx: Tx, row: Row): Promise<unknown>
  /** Stores the owner's current state of a record, also if it is older: the owner is the authority. */
  restate(tx: Tx, row: Row): Promise<unknown>
  /** Deletes the records that a full pull of this epoch did not contain: the owner does not have them. */
  deleteUnstated(tx: Tx, epoch: number): Promise<unknown>
}

/** A replica that says whether a state was of an epoch that counts. */
interface TableReplica<Row> extends Replica<Row> {
  upsert(tx: Tx, row: Row): Promise<boolean>
}

/** Creates the replica of a table. `Row` is a whole row with its mark. */
export function replica<T extends ReplicaTable>(kind: string, table: T): TableReplica<T['$inferSelect']> {
  const others = Object.keys(getTableColumns(table)).filter((name) => name !== 'id')
  const set = Object.fromEntries(others.map((name) => [name, param(name)])) as Record<string, SQL>
  const isLower = and(eq(table.epoch, param('epoch')), lt(table.version, param('version')))
  const put = (setWhere: SQL | undefined) =>
    prepared((db) => db.insert(table).values(params(table)).onConflictDoUpdate({ target: table.id, set, setWhere }))
  const upsert = put(or(lt(table.epoch, param('epoch')), isLower))
  const restate = put(or(ne(table.epoch, param('epoch')), isLower))
  const deleteUnstated = prepared((db) => db.delete(table).where(ne(table.epoch, param('epoch'))))
  return {
    kind,
    async upsert(tx, row) {
      const { epoch } = await replicaPlace(tx, kind)
      const counts = (row as { epoch: number }).epoch >= epoch
      if (counts) await upsert(tx).execute(row)
      return counts
    },
    restate: (tx, row) => restate(tx).execute(row),
    deleteUnstated: (tx, epoch) => deleteUnstated(tx).execute({ epoch }),
  }
}

/**
 * The same replica with further writes in each of its commits: after a state is stored, and after records are deleted. None for a
 * state of an epoch before the last pull.
 */
export const alsoStoring = <Row>(
  { kind, upsert, restate, deleteUnstated }: TableReplica<Row>,
  stored: (tx: Tx, row: Row) => Promise<unknown>,
  deleted: (tx: Tx) => Promise<unknown> = async () => {},
): TableReplica<Row> => ({
  kind,
  async upsert(tx, row) {
    const counts = await upsert(tx, row)
    if (counts) await stored(tx, row)
    return counts
  },
  async restate(tx, row) {
    await restate(tx, row)
    await stored(tx, row)
  },
  async deleteUnstated(tx, epoch) {
    await deleteUnstated(tx, epoch)
    await deleted(tx)
  },
})

/** How far the replica of a kind has followed its owner. */
export const replicaPlace = async (db: Db, kind: string): Promise<typeof replicas.$inferSelect> =>
  (await placeOf(db, kind)) ?? { kind, epoch: 0, after: 0 }

export const setReplicaPlace = (tx: Tx, place: typeof replicas.$inferSelect): Promise<unknown> =>
  putPlace(tx).execute(place)

const placeOf = rowBy(replicas, 'kind')
const putPlace = upsertInto(replicas, ['kind'], ['epoch', 'after'])
