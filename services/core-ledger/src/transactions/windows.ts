import { type ChunkPlace, firstAfter, type Order } from '@bursar/store'
import type { TransactionRecord } from './read-transactions'

/** How many rows one statement goes through where a filter passes few of them. */
const windowRows = 10_000

/** A list whose statements each go through a bounded part of it: the rows up to the id `until`. */
export interface Windowed {
  readonly order: Order
  /** The id that comes `skip` behind the next one; undefined when fewer are left. */
  end(place: { after: string; skip: number }): Promise<string | undefined>
  page(place: ChunkPlace<string> & { until: string }): Promise<TransactionRecord[]>
  /** How many pass the filters in a window. */
  count(place: { after: string; until: string }): Promise<number>
}

/** Reads a window at a time until a page is full: no statement takes long, and requests in between are not held up. */
export async function readWindows(
  { order, end, page }: Windowed,
  { after, limit, offset }: ChunkPlace<string>,
): Promise<TransactionRecord[]> {
  const found: TransactionRecord[] = []
  let skip = offset
  for (let place = after; ; ) {
    const until = await end({ after: place, skip: windowRows - 1 })
    const wanted = skip + limit - found.length
    const rows = await page({ after: place, until: until ?? lastOf(order), limit: wanted, offset: 0 })
    found.push(...rows.slice(skip))
    skip = Math.max(0, skip - rows.length)
    if (found.length >= limit || until === undefined) return found
    place = until
    await nextTurn()
  }
}

export async function countWindows({ order, end, count }: Windowed): Promise<number> {
  let total = 0
  for (let after = firstAfter(order, undefined); ; ) {
    const until = await end({ after, skip: windowRows - 1 })
    total += await count({ after, until: until ?? lastOf(order) })
    if (until === undefined) return total
    after = until
    await nextTurn()
  }
}

/** Behind all ids in this order. */
const lastOf = (order: Order): string => firstAfter(order === 'asc' ? 'desc' : 'asc', undefined)

/** Queries of the embedded database end in the same turn: without this, nobody else would have one. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
