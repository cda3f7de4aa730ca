// Rows that are written one after another, because each depends on the ones before: numbers without gaps, counts of
// blocks that split. An embedded database has one writer. On a server such commits conflict: each adds its items to a
// line, and one instance writes them.
import { asc, gt } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import { StoreClosedError } from '../engine/errors'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { deleteAll, insertAll } from '../statements/row-batches'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { again } from '../work/again'
import type { Worker } from '../work/every'
import { LeaseLostError } from '../work/queue'
import type { lineTable } from './line.table'

type LineTable = ReturnType<typeof lineTable>
/** Writes items in order; returns what it has written. */
type Write<I, O> = (tx: Tx, items: readonly I[]) => Promise<readonly O[]>

/** Items per commit. */
const mostTogether = 256
const everyMs = 250

export interface InTurn<I, O> {
  /**
   * Writes the items and returns the result if this process is the only writer; otherwise adds them to the line, and
   * returns null.
   */
  add(tx: Tx, items: readonly I[]): Promise<readonly O[] | null>
  /** To be called after such commits: writes the waiting items, or wakes the other instances. */
  wake(store: Store): Promise<void>
  /** Write the waiting items. */
  workers(store: OpenStore, options: TurnOptions<O>): Worker[]
}

interface TurnOptions<O> {
  /** Called with what was written. */
  written?: (results: readonly O[]) => void
  /** The service's other instances, of which one may write. */
  siblings: {
    tell(topic: string): void
    on(topic: string, heard: () => void): void
  }
}

/** Rows that a service writes in turn. */
export function inTurn<I, O>(table: LineTable, name: string, write: Write<I, O>): InTurn<I, O> {
  if (dialect === 'sqlite') return { add: write, wake: async () => {}, workers: () => [] }
  const { put, writeAll } = line<I, O>(table, write)
  const wakes = new WeakMap<Db, () => Promise<void>>()
  return {
    async add(tx, items) {
      await put(tx, items)
      return null
    },
    wake: async ({ read }) => await wakes.get(read)?.(),
    workers(store, { written = () => {}, siblings }) {
      let runs = 0
      const work = async (own: OpenStore) => {
        runs += 1
        await writeAll(own, written)
      }
      const loop = again(everyMs, work, { log: store.log, name, alone: store })
      wakes.set(store.read, async () => {
        const before = runs
        await loop.wake()
        // Another instance has the work.
        if (runs === before) siblings.tell(name)
      })
      siblings.on(name, () => void loop.wake())
      return [loop]
    },
  }
}

/** The waiting items, in order of arrival. */
export function line<I, O>(table: LineTable, write: Write<I, O>) {
  const putAll = insertAll(table) as (tx: Tx, rows: readonly { item: I }[]) => Promise<number>
  const removeAll = deleteAll(table, 'number' as never) as (tx: Tx, numbers: readonly number[]) => Promise<number>
  const number = table.number as SQLiteColumn
  const next = prepared((db) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(gt(number, param('after')))
      .orderBy(asc(number))
      .limit(param('limit')),
  )
  const nextOf = (db: Db, after: number, limit: number) =>
    next(db).execute({ after, limit }) as Promise<{ number: number; item: I }[]>

  /** Writes at most `limit` items after a place; returns their numbers, and the results. */
  async function writeSome(tx: Tx, after: number, limit: number) {
    const rows = await nextOf(tx, after, limit)
    const numbers = rows.map((row) => row.number)
    await removeAll(tx, numbers)
    const items = rows.map(({ item }) => item)
    return { last: numbers.at(-1) ?? null, results: items.length > 0 ? await write(tx, items) : [] }
  }

  return {
    put: (tx: Tx, items: readonly I[]) =>
      putAll(
        tx,
        items.map((item) => ({ item })),
      ),
    /** Writes all items. One that cannot be written stays in line and holds up no other; rejects with the reason. */
    async writeAll(store: Store, written: (results: readonly O[]) => void): Promise<void> {
      let failure: unknown
      for (let [after, limit] = [0, mostTogether]; ; ) {
        const [first] = await nextOf(store.read, after, 1)
        if (!first) break
        try {
          const place = after
          const size = limit
          const { last, results } = await store.commit((tx) => writeSome(tx, place, size))
          written(results)
          if (last === null) break
          limit = mostTogether
        } catch (error) {
          if (error instanceof LeaseLostError || error instanceof StoreClosedError) throw error
          // Only a batch of one shows which item fails.
          if (limit === 1) {
            failure = error
            after = first.number
          }
          limit = 1
        }
      }
      if (failure !== undefined) throw failure
    },
  }
}
