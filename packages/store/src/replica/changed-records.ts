import { and, asc, eq, getTableColumns, gt, inArray, lte } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../engine/store'
import { changes } from '../schema/shared.table'
import { queryAmong } from '../statements/among'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { epochOf, forgetChange, markAllChanged, markChanged, settleChanges, settledUpTo } from './changes'

/** Records of one page. */
const pageSize = 500

/** Declares that other services keep replicas of a table's records. `kind` names them: `customer`. */
export function changedRecords<T extends SQLiteTable & { id: AnySQLiteColumn }>(kind: string, table: T) {
  type Row = T['$inferSelect']
  const isKind = eq(changes.kind, kind)
  const columns = { version: changes.seq, row: getTableColumns(table) }
  const rowsById = queryAmong(
    (ids) => (db) =>
      db
        .select({ ...columns, id: changes.recordId })
        .from(changes)
        .innerJoin(table, eq(table.id, changes.recordId))
        .where(and(isKind, inArray(changes.recordId, ids))),
  )
  const rowsAfter = prepared((db) =>
    db
      .select(columns)
      .from(changes)
      .innerJoin(table, eq(table.id, changes.recordId))
      .where(and(isKind, gt(changes.seq, param('after')), lte(changes.seq, param('settled'))))
      .orderBy(asc(changes.seq))
      .limit(param('limit')),
  )
  /**
   * Records with the marks of their states, by id. The epoch is read before the rows: a state of a later epoch that is read
   * as one of an earlier epoch will be restated.
   */
  async function statesOf(db: Db, ids: readonly string[]) {
    const epoch = await epochOf(db)
    const rows = await rowsById(db, [...new Set(ids)])
    return new Map(rows.map(({ id, row, version }) => [id, { row: row as Row, mark: { epoch, version } }]))
  }
  return {
    /** Records in this commit that a record was created or changed, and returns the mark of its new state. */
    mark: (tx: Tx, id: string) => markChanged(tx, kind, id),
    /** The same for several, each named once; marks are in the order of the ids. */
    markAll: (tx: Tx, ids: readonly string[]) => markAllChanged(tx, kind, ids),
    /** Forgets a deleted record that replicas do not need any more. */
    forget: (tx: Tx, id: string) => forgetChange(tx, kind, id),
    /** A record with the mark of its state; undefined when there is none. */
    stateOf: async (db: Db, id: string) => (await statesOf(db, [id])).get(id),
    statesOf,
    /** The records that changed after a version, presented, in the order of their versions: the answer of a changes call. */
    async pageAfter<R>(store: Store, after: number, present: (row: Row) => R) {
      await settleChanges(store)
      const epoch = await epochOf(store.read)
      const settled = await settledUpTo(store.read)
      const rows = await rowsAfter(store.read).execute({ after, settled, limit: pageSize + 1 })
      const items = rows.slice(0, pageSize).map(({ version, row }) => ({ version, record: present(row as Row) }))
      return { epoch, items, more: rows.length > pageSize }
    },
  }
}
