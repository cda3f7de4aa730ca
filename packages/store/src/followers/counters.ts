// Counters by name that many commits add to. An embedded database has one writer: each commit changes the counter
// itself. On a server, commits that change one row conflict: each adds a row, and one instance adds them up later.
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { deleteAll, insertAll } from '../statements/row-batches'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { every, type Worker } from '../work/every'

/** The totals, and the changes that are not added up yet. */
interface CounterTables {
  totals: SQLiteTable & Record<'name' | 'total', SQLiteColumn>
  changes: SQLiteTable & Record<'number' | 'name' | 'by', SQLiteColumn>
}

export interface Counters {
  /** Adds to a counter; `by` may be negative. */
  add(tx: Tx, name: string, by: number): Promise<void>
  /** A counter; 0 before the first change. */
  total(db: Db, name: string): Promise<number>
  /** The sum of the counters whose names meet a condition, as a value in a statement. */
  sumOf(condition: (name: SQLiteColumn) => SQL): SQL<number>
}

const everyMs = 500
/** Changes added up per commit. */
const mostTogether = 2000

/** On a server: counters whose changes are rows until `fold` adds them up. */
export function foldedCounters({ totals, changes }: CounterTables): Counters & { fold(store: Store): Promise<void> } {
  const { addTo, sumIn } = directly(totals)
  const insertChanges = insertAll(changes) as (tx: Tx, rows: readonly { name: string; by: number }[]) => Promise<number>
  const removeChanges = deleteAll(changes, 'number' as never) as (tx: Tx, numbers: readonly number[]) => Promise<number>
  const oldest = prepared((db) => db.select().from(changes).orderBy(asc(changes.number)).limit(mostTogether))
  const sumOf: Counters['sumOf'] = (condition) =>
    sql<number>`${sumIn(condition)} + coalesce((select sum(${changes.by}) from ${changes} where ${condition(changes.name)}), 0)`.mapWith(
      Number,
    )

  const total = prepared((db) =>
    db.select({ total: sumOf((name) => eq(name, param('name'))) }).from(sql`(select 1) as counted`),
  )

  async function foldSome(tx: Tx): Promise<number> {
    const rows = (await oldest(tx).execute()) as { number: number; name: string; by: number }[]
    for (const [name, some] of Map.groupBy(rows, (row) => row.name)) {
      await addTo(tx).execute({ name, by: some.reduce((sum, row) => sum + row.by, 0) })
    }
    await removeChanges(
      tx,
      rows.map(({ number }) => number),
    )
    return rows.length
  }

  return {
    add: async (tx, name, by) => void (await insertChanges(tx, [{ name, by }])),
    total: async (db, name) => (await total(db).execute({ name }))[0]?.total ?? 0,
    sumOf,
    async fold(store) {
      while ((await store.commit(foldSome)) === mostTogether);
    },
  }
}

/** Where one process owns the database: each commit adds to the number. */
export function directCounters({ totals }: Pick<CounterTables, 'totals'>): Counters {
  const { addTo, sumIn } = directly(totals)
  const totalOf = prepared((db) =>
    db
      .select({ total: totals.total })
      .from(totals as SQLiteTable)
      .where(eq(totals.name, param('name'))),
  )
  return {
    add: async (tx, name, by) => void (await addTo(tx).execute({ name, by })),
    total: async (db, name) => Number((await totalOf(db).execute({ name }))[0]?.total ?? 0),
    sumOf: sumIn,
  }
}

/** Counters in a service's tables, and the workers that add them up where needed. */
export function counters(tables: CounterTables): Counters & { workers(store: OpenStore): Worker[] } {
  if (dialect === 'sqlite') return { ...directCounters(tables), workers: () => [] }
  const folded = foldedCounters(tables)
  return {
    ...folded,
    workers: (store) => [
      every(everyMs, folded.fold, { log: store.log, name: 'The adding up of counters', alone: store }),
    ],
  }
}

function directly(totals: CounterTables['totals']) {
  return {
    addTo: prepared((db) =>
      db
        .insert(totals)
        .values({ name: param('name'), total: param('by') } as never)
        .onConflictDoUpdate({
          target: totals.name,
          set: { total: sql`${totals.total} + ${param('by')}` } as never,
        }),
    ),
    sumIn: (condition: (name: SQLiteColumn) => SQL): SQL<number> =>
      sql<number>`coalesce((select sum(${totals.total}) from ${totals} where ${condition(totals.name)}), 0)`.mapWith(
        Number,
      ),
  }
}
