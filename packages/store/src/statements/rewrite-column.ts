import { and, asc, type Column, eq, getTableColumns, getTableName, type SQL, sql, type Table } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type Preparable, param, prepared, type Tx } from './statements'
import { variants } from './variants'

/** The names of the columns of a rewriting. */
export interface RewrittenColumns<T extends Table> {
  column: ColumnName<T>
  /** The owner's columns: `change` gets their values, separated by spaces. */
  owner: readonly ColumnName<T>[]
  /** The table's primary key. */
  key: readonly ColumnName<T>[]
}
type ColumnName<T extends Table> = keyof T['$inferSelect'] & string

/** The key of a row. */
export type RowKey = readonly unknown[]

/** A column that is rewritten row by row. */
export interface Rewriting {
  /** `endpoints.secret` */
  readonly name: string
  /**
   * Rewrites up to `limit` rows with keys after `after`; from the first row if that is null. `change` returns null to
   * keep a value. Returns the key to continue after, null at the end, and the number of changed rows.
   */
  rewrite(
    tx: Tx,
    place: { after: RowKey | null; limit: number },
    change: (value: unknown, owner: string) => unknown,
  ): Promise<{ after: RowKey | null; changed: number }>
}

interface Found {
  value: unknown
  owners: Record<string, unknown>
  keys: Record<string, unknown>
}

/**
 * Declares the rewriting of a column. Rows added meanwhile may be skipped: they are already written in the new form.
 */
export function rewriteColumn<T extends SQLiteTable>(table: T, names: RewrittenColumns<T>): Rewriting {
  const all = getTableColumns(table as Table)
  const column = (name: string) => all[name] as Column
  const columns = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, column(name)]))
  const keyParams = names.key.map((name) => param(`key ${name}`))
  const keyValues = (key: RowKey) => Object.fromEntries(names.key.map((name, i) => [`key ${name}`, key[i]]))
  const rowsOf = variants(({ isFirst }: { isFirst: boolean }) => (db): Preparable<Found[]> => {
    const keys = sql.join(names.key.map(column), sql`, `)
    const behind: SQL = sql`(${keys}) > (${sql.join(keyParams, sql`, `)})`
    const rows = db
      .select({ value: column(names.column), owners: columns(names.owner), keys: columns(names.key) } as never)
      .from(table as SQLiteTable)
      .where(isFirst ? undefined : behind)
      .orderBy(...names.key.map((name) => asc(column(name))))
      .limit(param('limit'))
    // Drizzle's type of the rows is lost with the table's own.
    return rows as unknown as Preparable<Found[]>
  })
  const setValue = prepared((db): Preparable<unknown> => {
    const set = { [names.column]: param('changed') } as SQLiteUpdateSetSource<T>
    const isIt = names.key.map((name, i) => eq(column(name), keyParams[i]))
    return db
      .update(table)
      .set(set)
      .where(and(...isIt))
  })
  return {
    name: `${getTableName(table)}.${names.column}`,
    async rewrite(tx, { after, limit }, change) {
      const rows = await rowsOf({ isFirst: after === null })(tx).execute({ ...keyValues(after ?? []), limit })
      let count = 0
      for (const row of rows) {
        const owner = Object.values(row.owners).join(' ')
        const changed = row.value === null ? null : change(row.value, owner)
        if (changed === null) continue
        await setValue(tx).execute({ ...keyValues(Object.values(row.keys)), changed })
        count += 1
      }
      const last = rows.length < limit ? undefined : rows.at(-1)
      return { after: last ? Object.values(last.keys) : null, changed: count }
    },
  }
}
