// Followers store their place in a file, where rows are committed in the order of their numbers; on a server a list
// holds the unprocessed rows. The number up to which rows were processed is stored alike in both.
import { getTableName } from 'drizzle-orm'
import type { Followed, Source } from '../followers/follower'
import { keptPlaces, numbersAfter } from '../followers/places'
import { rangesOf } from '../followers/ranges'
import { noteSettled } from '../replica/changes'
import { arrivals, changes, type Ranges } from '../schema/shared.table'
import { param, prepared, type Tx } from '../statements/statements'

/** The followed rows of a service. */
export interface FollowedRows {
  readonly name: Followed<string>['name']
  readonly sources: Readonly<Record<string, Source>>
}

/** The highest number that the file has ever assigned to a row of a table. */
type Given = (table: string) => number

/** Lists all unprocessed rows for a follower. */
export async function listWaiting(tx: Tx, { name, sources }: FollowedRows, given: Given): Promise<void> {
  const places = await keptPlaces(tx, name, Object.keys(sources))
  const rows: Record<string, Ranges> = {}
  for (const [kind, source] of Object.entries(sources)) {
    const place = places[kind] ?? 0
    const waiting = source.only ? await numbersOf(tx, source, place) : upTo(place, given(tableOf(source)))
    if (waiting.length > 0) rows[kind] = waiting
  }
  if (Object.keys(rows).length > 0) await insertArrivals(tx).execute({ follower: name, rows })
}

/** Including deleted rows: the reader notices that they are missing. */
const upTo = (place: number, last: number): Ranges => (last > place ? [[place + 1, last]] : [])

const pageRows = 10_000

async function numbersOf(tx: Tx, source: Source, place: number): Promise<Ranges> {
  const page = numbersAfter(source)(tx)
  const numbers: number[] = []
  for (let after = place; ; ) {
    const found = await page.execute({ after, limit: pageRows })
    numbers.push(...found.map((row) => row.number))
    if (found.length < pageRows) return rangesOf(numbers)
    after = numbers.at(-1) as number
  }
}

const tableOf = ({ number }: Source): string => getTableName(number.table)

/** All changes may be served to replicas: each was committed before any later one. */
export const settleAll = (tx: Tx, given: Given): Promise<unknown> => noteSettled(tx, given(getTableName(changes)))

const insertArrivals = prepared((db) =>
  db.insert(arrivals).values({ follower: param('follower'), rows: param('rows') }),
)
