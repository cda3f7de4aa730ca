// Statements for the rows of any number of values, in as few runs as possible.
import { type Build, type Db, prepared, type Statement, type Tx } from './statements'
import { inSeveral, listParams, listSize, listValues, mostListed } from './value-lists'

type Value = string | number

/** The placeholders of the values, for `inArray`. */
export type Places = ReturnType<typeof listParams>

/** The values of the other placeholders. */
type Others = Readonly<Record<string, unknown>>

/**
 * Declares a query for the rows of some values, which finds nothing for none. Of more than a hundred values it runs several
 * times: no row may belong to two of them.
 *
 *     const messagesById = queryAmong((ids) => (db) => db.select().from(messages).where(inArray(messages.id, ids)))
 *     const rows = await messagesById(store.read, ids)
 */
export function queryAmong<R>(
  build: (places: Places) => Build<R[]>,
): (db: Db, values: readonly Value[], others?: Others) => Promise<R[]> {
  const run = among((places) => prepared(build(places)))
  return (db, values, others) =>
    values.length > 0 && values.length <= mostListed
      ? run(db, values, others)
      : inSeveral(values, mostListed, (some) => run(db, some, others))
}

/** The same for a write; returns the number of rows written. */
export function writeAmong(
  build: (places: Places) => Build<unknown>,
): (tx: Tx, values: readonly Value[], others?: Others) => Promise<number> {
  const run = among((places) => prepared(build(places), 'rows'))
  return async (tx, values, others) => {
    const written = await inSeveral(values, mostListed, async (some) => [await run(tx, some, others)])
    return written.reduce((sum, count) => sum + count, 0)
  }
}

/** A statement for each size of the list. */
function among<Result>(statementOf: (places: Places) => (connection: Db) => Statement<Result>) {
  const ofSize = new Map<number, (connection: Db) => Statement<Result>>()
  return (connection: Db, values: readonly Value[], others?: Others): Promise<Result> => {
    const size = listSize(values)
    const statement = ofSize.getOrInsertComputed(size, () => statementOf(listParams('among', size)))
    return statement(connection).execute({ ...others, ...listValues('among', values) })
  }
}
