// A table's rows by their ids, which sort by age: pages, chunks and a count for any filters. A filter that passes few of
// what an index gives is read in windows, so that no statement takes long.
import { and, type Column, count, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Db, type Preparable, param } from '../statements/statements'
import { type Form, variants } from '../statements/variants'
import { countUpTo, mostCounted } from './count-up-to'
import { idFloor } from './id-floor'
import { type ChunkPlace, inChunks } from './in-chunks'
import { firstAfter, firstWithin, keyset, lastWithin, type Order } from './keyset'
import { countWindows, readWindows, type Windowed } from './windows'

/** A part of a list. */
export interface ListPlace {
  /** `asc`, oldest first, unless given. */
  order?: Order | undefined
  /** The id of the last row of the page before. */
  after?: string | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** What a filter asks of the statements. */
export interface Asked<F extends Form> {
  /** Which conditions there are. */
  form: F
  /** Of their placeholders. `after`, `until`, `limit`, `offset`, `skip`, `fromId` and `toId` are the list's own. */
  values: Record<string, unknown>
  /** The time of the ids: both ends belong to it. */
  time?: { from?: Date | undefined; to?: Date | undefined } | undefined
}

/** Drizzle's `select` of a list, short of its conditions. */
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
  /** What a row is outside. */
  to: (row: Row) => Item
  read: (filter: Filter) => Asked<F>
  /** All conditions of a form, besides time and place. */
  where: (form: F, db: Db) => SQL | undefined
  /** Of a form that may pass few of what `along` gives: it is read and counted in windows. Never, unless given. */
  isSparse?: (form: F) => boolean
  /** The part of `where` that an index answers in the order of the ids. */
  along?: (form: F, db: Db) => SQL | undefined
  /** Of a form that leaves a handful of rows: they are sorted, and the ids' index is not gone through. */
  isSorted?: (form: F) => boolean
  /** Whether every row is counted, for a list whose pages are numbered. Up to `mostCounted`, unless given. */
  countsAll?: boolean
}

export interface List<Filter, Item> {
  /** At most `limit` items. */
  page(db: Db, filter: Filter, place: ListPlace & { limit: number }): Promise<Item[]>
  /** All items of the place, so many at a time, each chunk read when it is asked for. */
  chunks(db: Db, filter: Filter, place: ListPlace, size: number): AsyncGenerator<Item[]>
  /** How many rows pass: some number above `mostCounted` where there are more, unless all are counted. */
  count(db: Db, filter: Filter): Promise<number>
}

/** Where a statement begins and ends, besides the filter's conditions. */
type Bounds = { order: Order; isTimed: boolean; isPlaced: boolean; isBounded: boolean }

export function defineList<Filter, F extends Form, Row extends { id: string }, Item>(
  options: ListOptions<Filter, F, Row, Item>,
): List<Filter, Item> {
  const { isSparse = () => false, countsAll = false } = options
  const most = countsAll ? Number.POSITIVE_INFINITY : mostCounted
  const statements = statementsOf(options)

  async function rowsOf(db: Db, filter: Filter, place: ListPlace & { limit: number }): Promise<Row[]> {
    const { order = 'asc', after, limit, offset = 0 } = place
    const asked = within(options.read(filter))
    const from = { after: firstWithin(order, after, asked.time), limit, offset }
    if (isSparse(asked.form)) return await readWindows(windows(db, asked, order), from)
    const form = { ...asked.form, order, isTimed: asked.isTimed, isPlaced: true, isBounded: false }
    return await statements
      .page(form)(db)
      .execute({ ...asked.values, ...from })
  }

  function windows(db: Db, { form, values, time, isTimed }: Within<F>, order: Order): Windowed<Row> {
    const part = { ...form, order, isTimed, isPlaced: true, isBounded: true }
    const valuesAt = ({ after, until = '', ...rest }: { after: string; until?: string }) => ({
      ...values,
      ...rest,
      after: firstWithin(order, after, time),
      until: lastWithin(order, until, time),
    })
    return {
      order,
      end: async (place) =>
        (
          await statements
            .end({ ...part, isBounded: false })(db)
            .execute(valuesAt(place))
        )[0]?.id,
      page: (place) =>
        statements
          .page(part)(db)
          .execute({ offset: 0, ...valuesAt(place) }),
      count: async (place) => (await statements.total(part)(db).execute(valuesAt(place)))[0]?.total ?? 0,
    }
  }

  async function countAll(db: Db, filter: Filter) {
    const asked = within(options.read(filter))
    if (isSparse(asked.form)) return await countWindows(windows(db, asked, 'asc'), most)
    const form: F & Bounds = { ...asked.form, order: 'asc', isTimed: asked.isTimed, isPlaced: false, isBounded: false }
    const total = countsAll ? statements.total : statements.totalUpTo
    const [row] = await total(form)(db).execute(asked.values)
    return row?.total ?? 0
  }

  async function* chunks(db: Db, filter: Filter, { order = 'asc', after, limit, offset }: ListPlace, size: number) {
    const read = (place: ChunkPlace<string>) => rowsOf(db, filter, { order, ...place })
    const start = firstAfter(order, after)
    for await (const rows of inChunks(read, { size, start, keyOf: ({ id }) => id, limit, offset })) {
      yield rows.map(options.to)
    }
  }

  return {
    chunks,
    page: async (db, filter, place) => (await rowsOf(db, filter, place)).map(options.to),
    count: countAll,
  }
}

type Within<F extends Form> = ReturnType<typeof within<F>>

/** With the ids of the time: everything of its last millisecond, and nothing of the next. */
function within<F extends Form>({ form, values, time: { from, to } = {} }: Asked<F>) {
  const time = { from: from ? idFloor(from) : '', to: to ? idFloor(new Date(to.getTime() + 1)) : '~' }
  const isTimed = from !== undefined || to !== undefined
  return { form, time, isTimed, values: { ...values, fromId: time.from, toId: time.to } }
}

function statementsOf<Filter, F extends Form, Row, Item>(options: ListOptions<Filter, F, Row, Item>) {
  const { id, rows, where, along, isSorted = () => false } = options
  const { table } = id
  const indexed = sql`${id}`
  // The `+` keeps a column from an index.
  const unindexed = sql`+${id}`

  function placed(form: F, { order, isTimed, isPlaced, isBounded }: Bounds): (SQL | undefined)[] {
    const own = isSorted(form) ? unindexed : indexed
    const [beyond, until] = order === 'asc' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
    // Where a page, or a window, begins and ends is in its own conditions: these ends of the time are not looked up besides.
    const [low, high] = (['asc', 'desc'] as const).map((end) =>
      isPlaced && (isBounded || order === end) ? unindexed : own,
    )
    return [
      isTimed ? sql`${low} >= ${param('fromId')} and ${high} < ${param('toId')}` : undefined,
      isPlaced ? sql`${own} ${beyond} ${param('after')}` : undefined,
      isBounded ? sql`${own} ${until} ${param('until')}` : undefined,
    ]
  }
  const all = (form: F & Bounds, db: Db) => and(where(form, db), ...placed(form, form))

  return {
    page: variants(
      (form: F & Bounds) => (db) =>
        rows(db).where(all(form, db)).orderBy(keyset(id, form.order).by).limit(param('limit')).offset(param('offset')),
    ),
    totalUpTo: variants((form: F & Bounds) => (db) => countUpTo(db, table, all(form, db))),
    total: variants((form: F & Bounds) => (db) => db.select({ total: count() }).from(table).where(all(form, db))),
    /** The id that comes `skip` behind the next one in the index. */
    end: variants(
      (form: F & Bounds) => (db) =>
        db
          .select({ id: sql<string>`${id}` })
          .from(table)
          .where(and(along?.(form, db), ...placed(form, form)))
          .orderBy(keyset(id, form.order).by)
          .limit(1)
          .offset(param('skip')),
    ),
  }
}
