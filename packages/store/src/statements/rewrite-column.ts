import { asc, type Column, eq, getTableColumns, getTableName, gt, type Table } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { placeIn } from './place'
import { type Preparable, param, prepared, type Tx } from './statements'

/** The columns of a rewriting, by their names. */
export interface RewrittenColumns<T extends Table> {
  column: keyof T['$inferSelect'] & string
  /** Whose it is: `change` is told their values, with spaces between them. */
  owner: readonly (keyof T['$inferSelect'] & string)[]
}

/** A column that is rewritten row by row. */
export interface Rewriting {
  /** `endpoints.secret` */
  readonly name: string
  /**
   * Rewrites up to `limit` rows after the place `after` (0 at first). `change` answers null to leave a value. Returns the place to go
   * on after, null at the end, and how many were changed.
   */
  rewrite(
    tx: Tx,
    place: { after: number; limit: number },
    change: (value: unknown, owner: string) => unknown,
  ): Promise<{ after: number | null; changed: number }>
}

/** Declares the rewriting of a column: few rows a commit, in the order in which they were committed. */
export function rewriteColumn<T extends SQLiteTable>(table: T, names: RewrittenColumns<T>): Rewriting {
  const columns = getTableColumns(table as Table)
  const column = (name: string) => columns[name] as Column
  const place = placeIn(table)
  const rowsAfter = prepared((db) => {
    const owners = Object.fromEntries(names.owner.map((name) => [name, column(name)]))
    const rows = db
      .select({ place, value: column(names.column), owners } as never)
      .from(table as SQLiteTable)
      .where(gt(place, param('after')))
      .orderBy(asc(place))
      .limit(param('limit'))
    // Drizzle's type of the rows is lost with the table's own.
    return rows as unknown as Preparable<{ place: number; value: unknown; owners: Record<string, unknown> }[]>
  })
  const setValue = prepared((db): Preparable<unknown> => {
    const set = { [names.column]: param('changed') } as SQLiteUpdateSetSource<T>
    return db
      .update(table)
      .set(set)
      .where(eq(place, param('place')))
  })
  return {
    name: `${getTableName(table)}.${names.column}`,
    async rewrite(tx, { after, limit }, change) {
      const rows = await rowsAfter(tx).execute({ after, limit })
      let count = 0
      for (const row of rows) {
        const owner = Object.values(row.owners).join(' ')
        const changed = row.value === null ? null : change(row.value, owner)
        if (changed === null) continue
        await setValue(tx).execute({ place: row.place, changed })
        count += 1
      }
      return { after: rows.length < limit ? null : (rows.at(-1)?.place ?? null), changed: count }
    },
  }
}
