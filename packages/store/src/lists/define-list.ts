// A table's rows by their ids, which sort by age, or by another column: pages, chunks and a count for any filters. A filter
// that passes few of what an index gives is read in windows, so that no statement takes long.
import { and, asc, type Column, count, desc, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Db, type Preparable, param, type Statement } from '../statements/statements'
import { unindexed } from '../statements/unindexed'
import { type Form, variants } from '../statements/variants'
import { countUpTo, mostCounted } from './count-up-to'
import { idFloor } from './ids'
import { type ChunkPlace, inChunks } from './in-chunks'
import { firstWithin, lastWithin, type Order } from './keyset'
import { bytesOf, fitting } from './row-bytes'
import { countWindows, readWindows } from './windows'

/** A part of a list. */
export interface ListPlace {
  /** `asc`, oldest first, unless given. */
  order?: Order | undefined
  /** The id of the last row of the page before. */
  after?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** A page with a number. */
interface NumberedPlace {
  order?: Order | undefined
  limit: number
  offset?: number | undefined
}

/** A filter as the statements take it. */
export interface Asked<F extends Form> {
  /** Which conditions apply. */
  form: F
  /**
   * Values of the conditions' placeholders. `after`, `afterKey`, `until`, `untilKey`, `limit`, `offset`, `skip`,
   * `fromId` and `toId` are reserved for the list.
   */
  values: Record<string, unknown>
  /** The time range of the ids, both ends included. */
  time?: { from?: Date | undefined; to?: Date | undefined } | undefined
}

/** Drizzle's `select` of a list, without its conditions. */
interface Selected<Row> {
  where(condition: SQL | undefined): {
    orderBy(...by: SQL[]): {
      limit(limit: Placeholder): { offset(offset: Placeholder): Preparable<Row[]> }
    }
  }
}

export interface ListOptions<Filter, F extends Form, Row, Item> {
  /** The column of the ids. */
  id: Column
  /** `(db) => db.select().from(messages)` */
  rows: (db: Db) => Selected<Row>
  /** Converts a row to its presented form. */
  to: (row: Row) => Item
  read: (filter: Filter) => Asked<F>
  /** All conditions of a form, besides time and place. */
  where: (form: F, db: Db) => SQL | undefined
  /**
   * Whether the form may match few of the rows that `along` gives: it is then read and counted in windows. Never, by
   * default.
   */
  isSparse?: (form: F) => boolean
  /** The part of `where` that an index answers in the order of the list. */
  along?: (form: F, db: Db) => SQL | undefined
  /** Whether `along` covers the whole form, and its rows are joined: skipped rows are then counted in the index. */
  skipsAlong?: (form: F) => boolean
  /** Whether the form matches only a handful of rows: they are then sorted, without the index of the order. */
  isSorted?: (form: F) => boolean
  /** A column of long values: a chunk has at most a mebibyte of it, or one row. Not for sparse forms. */
  large?: Column
  /** Whether all rows are counted, in windows, for a list with numbered pages. Up to `mostCounted`, by default. */
  countsAll?: boolean
}

interface SortedOptions<Filter, F extends Form, Row, Item> extends ListOptions<Filter, F, Row, Item> {
  /** Never null. Rows of the same value are in the order of their ids. */
  sort: (form: F) => Column
  read: (filter: Filter) => Omit<Asked<F>, 'time'>
}

interface NumberedList<Filter, Item> {
  /** At most `limit` items. */
  page(db: Db, filter: Filter, place: NumberedPlace): Promise<Item[]>
  /** The number of matching rows; some number above `mostCounted` if there are more, unless all are counted. */
  count(db: Db, filter: Filter): Promise<number>
  /** A page and the number of matching rows: of one state if `db` is a snapshot. */
  numbered(db: Db, filter: Filter, place: NumberedPlace): Promise<{ rows: Item[]; total: number }>
}

interface List<Filter, Item> extends NumberedList<Filter, Item> {
  page(db: Db, filter: Filter, place: ListPlace & { limit: number }): Promise<Item[]>
  /** All items of the place in chunks of this size, each read on demand. */
  chunks(db: Db, filter: Filter, place: ListPlace, size: number): AsyncGenerator<Item[]>
}

/** The bytes of a long column in one chunk. */
const mostBytes = 1024 * 1024

export function defineList<Filter, F extends Form, Row extends { id: string }, Item>(
  options: ListOptions<Filter, F, Row, Item>,
): List<Filter, Item> {
  const { rowsOf, sizesOf, ...list } = listOf(options, null)
  return {
    ...list,
    async *chunks(db, filter, { order, after, limit, offset }, size) {
      type Place = ChunkPlace<string | undefined>
      const read = (place: Place) => rowsOf(db, filter, { order, ...place })
      const fits = async (place: Place) =>
        fitting(await sizesOf(db, filter, { order, ...place }), mostBytes, place.limit)
      const start = { start: after, keyOf: ({ id }: Row) => id }
      const chunks = inChunks(read, { size, ...start, limit, offset, fits: options.large && fits })
      for await (const rows of chunks) yield rows.map(options.to)
    },
  }
}

/** A list in the order of other columns than the ids. It is counted in the order of ids. */
export function defineSortedList<Filter, F extends Form, Row, Item>(
  options: SortedOptions<Filter, F, Row, Item>,
): NumberedList<Filter, Item> {
  const { rowsOf, sizesOf, ...list } = listOf(options, options.sort)
  return list
}

/** The column that a form is sorted by; null for the ids. */
type Sort<F extends Form> = ((form: F) => Column) | null

function listOf<Filter, F extends Form, Row, Item>(options: ListOptions<Filter, F, Row, Item>, sort: Sort<F>) {
  const { isSparse = () => false, skipsAlong = () => false, countsAll = false } = options
  const parts = partsOf(options, sort)
  const counted = sort ? partsOf(options, null) : parts

  async function rowsOf(db: Db, filter: Filter, place: ListPlace & { limit: number }): Promise<Row[]> {
    const { order = 'asc', after, limit, offset = 0 } = place
    const asked = withIds(options.read(filter))
    const from = { after: after === undefined ? undefined : { id: after }, limit, offset }
    if (isSparse(asked.form)) return await readWindows(parts(db, asked, order), from)
    const { end, page } = parts(db, asked, order)
    if (offset === 0 || !skipsAlong(asked.form)) return await page(from)
    const skipped = await end({ after: from.after, skip: offset - 1 })
    return skipped ? await page({ after: skipped, limit }) : []
  }

  function sizesOf(db: Db, filter: Filter, { order = 'asc', after, limit, offset }: ListPlace & { limit: number }) {
    const from = { after: after === undefined ? undefined : { id: after }, limit, offset }
    return parts(db, withIds(options.read(filter)), order).sizes(from)
  }

  async function count(db: Db, filter: Filter): Promise<number> {
    const asked = withIds(options.read(filter))
    const part = counted(db, asked, 'asc')
    if (countsAll) return await countWindows(part)
    return isSparse(asked.form) ? await countWindows(part, mostCounted) : await part.countUpToMost()
  }

  const page = async (db: Db, filter: Filter, place: ListPlace & { limit: number }) =>
    (await rowsOf(db, filter, place)).map(options.to)

  return {
    rowsOf,
    sizesOf,
    page,
    count,
    async numbered(db: Db, filter: Filter, place: NumberedPlace) {
      const total = await count(db, filter)
      const isBehind = place.limit === 0 || (place.offset ?? 0) >= total
      return { rows: isBehind ? [] : await page(db, filter, place), total }
    },
  }
}

/** Adds the ids of the time range: all of its last millisecond, and nothing after it. */
function withIds<F extends Form>({ form, values, time }: Asked<F>) {
  const { from, to } = time ?? {}
  const ids = { from: from && idFloor(from), to: to && idFloor(new Date(to.getTime() + 1)) }
  return { form, values, ids, isTimed: from !== undefined || to !== undefined }
}

/** The place of a row in the order of a list. */
interface RowPlace {
  id: string
  /** Its sort value; undefined in a list by ids. */
  key?: unknown
}

/** Where a statement begins and ends, besides the filter's conditions. */
type Bounds = { order: Order; isPlaced: boolean; isBounded: boolean }

/** Runs the statements of a list, each on a part of it: after a row, up to another. */
function partsOf<Filter, F extends Form, Row, Item>(options: ListOptions<Filter, F, Row, Item>, sort: Sort<F>) {
  const statements = statementsOf(options, sort)

  return (db: Db, { form, values, ids, isTimed }: ReturnType<typeof withIds<F>>, order: Order) => {
    type Place = { after?: RowPlace | undefined; until?: RowPlace | undefined; [name: string]: unknown }

    async function run<R>(
      statement: (form: F & Bounds) => (db: Db) => Statement<R>,
      { after, until, ...rest }: Place,
      isPlaced = sort === null || after !== undefined,
    ): Promise<R> {
      const isBounded = isTimed || until !== undefined
      const ends = sort
        ? { after: after?.id, afterKey: after?.key, until: until?.id, untilKey: until?.key }
        : { after: firstWithin(order, after?.id, ids), until: lastWithin(order, until?.id, ids) }
      return await statement({ ...form, order, isPlaced, isBounded })(db).execute({ ...values, ...ends, ...rest })
    }

    return {
      end: async (place: { after: RowPlace | undefined; skip: number }) => (await run(statements.end, place))[0],
      page: (place: Place & { limit: number }) => run(statements.page, { offset: 0, ...place }),
      sizes: (place: Place & { limit: number }) => run(statements.sizes, { offset: 0, ...place }),
      count: async (place: Place) => (await run(statements.total, place))[0]?.total ?? 0,
      countUpToMost: async () => (await run(statements.totalUpTo, {}, isTimed))[0]?.total ?? 0,
    }
  }
}

function statementsOf<Filter, F extends Form, Row, Item>(options: ListOptions<Filter, F, Row, Item>, sort: Sort<F>) {
  const { id, rows, where, along, large = id, isSorted = () => false } = options
  const { table } = id

  /** The order of the list, and the values that places are compared with. */
  function keysOf(form: F) {
    const on = (column: Column) => (isSorted(form) ? unindexed(column) : sql`${column}`)
    const [own, key] = [on(id), sort && on(sort(form))]
    const place = (name: 'after' | 'until') =>
      key ? sql`(${param(`${name}Key`)}, ${param(name)})` : sql`${param(name)}`
    return { keys: key ? [key, own] : [own], row: key ? sql`(${key}, ${own})` : own, place }
  }

  function placed(form: F & Bounds): (SQL | undefined)[] {
    const { row, place } = keysOf(form)
    const [beyond, upTo] = form.order === 'asc' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
    return [
      form.isPlaced ? sql`${row} ${beyond} ${place('after')}` : undefined,
      form.isBounded ? sql`${row} ${upTo} ${place('until')}` : undefined,
    ]
  }
  const all = (form: F & Bounds, db: Db) => and(where(form, db), ...placed(form))
  const inOrder = (form: F & Bounds) => keysOf(form).keys.map(form.order === 'asc' ? asc : desc)
  const pageOf = <R>(selected: (db: Db) => Selected<R>) =>
    variants(
      (form: F & Bounds) => (db) =>
        selected(db)
          .where(all(form, db))
          .orderBy(...inOrder(form))
          .limit(param('limit'))
          .offset(param('offset')),
    )

  return {
    page: pageOf(rows),
    sizes: pageOf((db) => db.select({ bytes: bytesOf(large) }).from(table)),
    totalUpTo: variants((form: F & Bounds) => (db) => countUpTo(db, table, all(form, db))),
    total: variants((form: F & Bounds) => (db) => db.select({ total: count() }).from(table).where(all(form, db))),
    /** The place `skip` rows after the next one in the index. */
    end: variants(
      (form: F & Bounds) => (db) =>
        db
          .select({ id: sql<string>`${id}`, key: sort ? sql<unknown>`${sort(form)}` : sql<unknown>`null` })
          .from(table)
          .where(and(along?.(form, db), ...placed(form)))
          .orderBy(...inOrder(form))
          .limit(1)
          .offset(param('skip')),
    ),
  }
}
