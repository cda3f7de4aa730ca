import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, min, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { queryAmong, writeAmong } from '../statements/among'
import { columnAt, counting, rowStatement, rowsGiven } from '../statements/row-batches'
import { type Db, type Preparable, param, prepared } from '../statements/statements'
import { variants } from '../statements/variants'

/** A table with the columns of `work()`. */
export type WorkTable = SQLiteTable & Record<'dueAt' | 'leasedUntil' | 'attempts' | 'lastError', SQLiteColumn>
export type Row<T extends WorkTable> = T['$inferSelect']

interface Columns<T extends WorkTable> {
  id: keyof T & string
  lane?: keyof T & string
  farAhead?: SQL
}

/**
 * The statements that find and lease rows. Every query of due rows uses the partial index of `dueAt`, so none reads
 * ended work.
 */
export function claimingStatements<T extends WorkTable>(table: T, { id, lane, farAhead }: Columns<T>) {
  const { dueAt, leasedUntil } = table
  const from: SQLiteTable = table
  const laneColumn = (lane === undefined ? sql`''` : table[lane]) as SQLiteColumn
  const isFree = or(isNull(leasedUntil), lte(leasedUntil, param('now')), gt(leasedUntil, param('longestLease')))
  const isStrandedAt = and(gt(dueAt, param('furthest')), farAhead && sql`not (${farAhead})`)

  return {
    due: variants(({ ofLane, isStranded }: { ofLane: boolean; isStranded: boolean }) => (db) => {
      const isLane = ofLane ? eq(laneColumn, param('lane')) : undefined
      const isDue = isStranded ? isStrandedAt : lte(dueAt, param('now'))
      const rows = db
        .select()
        .from(from)
        .where(and(isLane, isDue, isFree))
        .orderBy(asc(dueAt))
        .limit(param('limit'))
      return rows as unknown as Preparable<Row<T>[]>
    }),
    nextLane: prepared((db) => {
      const next = db
        .select({ lane: min(laneColumn) })
        .from(from)
        .where(and(isNotNull(dueAt), gt(laneColumn, param('after'))))
      return next as unknown as Preparable<{ lane: string | null }[]>
    }),
    lease: writeAmong(
      (ids) => (db) =>
        db
          .update(from)
          .set(fields({ dueAt: param('until'), leasedUntil: param('until') }))
          .where(inArray(table[id] as SQLiteColumn, ids)),
    ),
    backlog: prepared((db) =>
      db
        .select({ depth: count(), oldest: sql<number | null>`min(${dueAt})` })
        .from(from)
        .where(isNotNull(dueAt)),
    ),
  }
}

/** The end of an attempt, with the id and the lease of its row. */
type Ended = Record<string, unknown> & Record<'dueAt' | 'attempts' | 'lastError' | 'leasedUntil', unknown>

/** The statements that end or continue an attempt: each writes only while the lease is held. */
export function endingStatements<T extends WorkTable>(table: T, { id }: Columns<T>) {
  const { dueAt, leasedUntil, attempts, lastError } = table
  const from: SQLiteTable = table
  const idColumn = table[id] as SQLiteColumn
  const isHeld = (ids: readonly SQL[]) => and(inArray(idColumn, ids), eq(leasedUntil, param('held')))
  // A leased row that nobody woke is due when its lease ends.
  const unlessWoken = (then: SQL) => sql`case when ${dueAt} = ${leasedUntil} then ${then} else ${dueAt} end`
  const ended = Object.entries({ dueAt, attempts, lastError, [id]: idColumn, leasedUntil })

  return {
    settle: writeAmong((ids) => (db) => {
      const next = unlessWoken(sql`${param('dueAt')}`)
      const found = { dueAt: next, leasedUntil: null, attempts: param('attempts'), lastError: param('lastError') }
      return db.update(from).set(fields(found)).where(isHeld(ids))
    }),
    /** Ends several attempts, each with its own values. */
    settleEach: counting(rowStatement<Ended>(ended, settleEach, 'rows')),
    extend: writeAmong((ids) => (db) => {
      const longer = { dueAt: unlessWoken(sql`${param('until')}`), leasedUntil: param('until') }
      return db.update(from).set(fields(longer)).where(isHeld(ids))
    }),
    held: queryAmong((ids) => (db) => db.select({ held: count() }).from(from).where(isHeld(ids))),
    wake: waking(false),
    request: waking(true),
  }

  function settleEach(db: Db, size: number) {
    const [nextAt, attempts, lastError, key, lease] = ended.map((_, i) => sql.raw(`given.${columnAt(i)}`))
    const found = { dueAt: unlessWoken(nextAt as SQL), leasedUntil: sql`null`, attempts, lastError }
    const isHeld = and(eq(idColumn, key as SQL), eq(leasedUntil, lease as SQL))
    return db.update(from).set(fields(found)).from(rowsGiven(ended, size)).where(isHeld)
  }

  function waking(isRequest: boolean) {
    // Never exactly the end of the lease: by another time `settle` knows that the row was woken.
    const earlier = sql`case when ${leasedUntil} <= ${param('now')} then ${leasedUntil} - 1 else ${param('now')} end`
    const isPutOff = or(gt(dueAt, param('now')), eq(dueAt, leasedUntil), isRequest ? isNull(dueAt) : undefined)
    return writeAmong(
      (ids) => (db) =>
        db
          .update(from)
          .set(fields({ dueAt: earlier }))
          .where(and(inArray(idColumn, ids), isPutOff)),
    )
  }
}

/** Drizzle's types of a generic table do not include its columns. */
const fields = (set: Record<string, unknown>) => set as { [column: string]: SQL }
