import { and, anywhere, asc, count, type Db, desc, isNull, param, type params, type SQL, variants } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { type Counted, total } from '../counters/counters'
import { refuseDeepPage } from './deep-pages'

/** A table that keeps its deleted records. */
type RecordTable = Parameters<typeof params>[0] & { id: AnyColumn; deletedAt: AnyColumn }

interface PageRequest<S extends string> {
  limit: number
  offset: number
  sortBy: S
  sortOrder: 'asc' | 'desc'
  /** Part of the name; it becomes a pattern. */
  name?: string
}

/** The options of a table's list. */
interface Listing<S extends string, F extends string> {
  /** Counts the records that are not deleted. */
  counter: Counted
  sorts: Record<S, AnyColumn>
  /** By query key; each compares with the parameter of the same name. */
  filters: Record<F, SQL>
}

/**
 * Reads pages of a table's records, without deleted ones, and the total of matches. Equal records are sorted by id,
 * which is their order of creation. An unfiltered total comes from its counter.
 */
export function recordPages<T extends RecordTable, S extends string, F extends string>(
  table: T,
  { counter, sorts, filters }: Listing<S, F>,
) {
  const filterNames = Object.keys(filters) as F[]
  const isMatching = (names: readonly F[]) => and(isNull(table.deletedAt), ...names.map((name) => filters[name]))
  const rowsOf = variants(
    ({ names, sortBy, sortOrder }: { names: readonly F[]; sortBy: S; sortOrder: 'asc' | 'desc' }) => {
      const direction = sortOrder === 'asc' ? asc : desc
      return (db) =>
        db
          .select()
          .from(table as RecordTable)
          .where(isMatching(names))
          .orderBy(direction(sorts[sortBy]), direction(table.id))
          .limit(param('limit'))
          .offset(param('offset'))
    },
  )
  const countOf = variants(
    ({ names }: { names: readonly F[] }) =>
      (db) =>
        db
          .select({ total: count() })
          .from(table as RecordTable)
          .where(isMatching(names)),
  )

  async function countMatching(db: Db, names: readonly F[], values: Record<string, unknown>): Promise<number> {
    const [counted] = await countOf({ names })(db).execute(values)
    return counted?.total ?? 0
  }

  return async function readPage(
    db: Db,
    query: PageRequest<S> & { [name in F]?: unknown },
  ): Promise<{ rows: T['$inferSelect'][]; total: number }> {
    const { sortBy, sortOrder } = query
    const names = filterNames.filter((name) => query[name] !== undefined)
    const values = { ...query, name: anywhere(query.name ?? '') }
    const matching = names.length === 0 ? await total(db, counter) : await countMatching(db, names, values)
    refuseDeepPage(query, matching)
    // Drizzle cannot infer the row type of a generic table.
    const rows = (await rowsOf({ names, sortBy, sortOrder })(db).execute(values)) as T['$inferSelect'][]
    return { rows, total: matching }
  }
}
