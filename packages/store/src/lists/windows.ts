import type { ChunkPlace } from './in-chunks'
import { firstAfter, type Order } from './keyset'

/** How many rows one statement goes through where a filter passes few of them. */
const windowRows = 10_000

/** A list by ids whose statements each go through a bounded part of it: the rows up to the id `until`. */
interface Parted {
  readonly order: Order
  /** The id that comes `skip` behind the next one; undefined when fewer are left. */
  end(place: { after: string; skip: number }): Promise<string | undefined>
}

interface Paged<R> extends Parted {
  page(place: ChunkPlace<string> & { until: string }): Promise<R[]>
}

interface Counted extends Parted {
  /** How many pass the filters in a window. */
  count(place: { after: string; until: string }): Promise<number>
}

export type Windowed<R> = Paged<R> & Counted

/** Reads a window at a time until a page is full: no statement takes long, and requests in between are not held up. */
export async function readWindows<R>(
  { order, end, page }: Paged<R>,
  { after, limit, offset }: ChunkPlace<string>,
): Promise<R[]> {
  const found: R[] = []
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

/** How many pass the filters; where there are more than `most`, some number above it. */
export async function countWindows({ order, end, count }: Counted, most = Number.POSITIVE_INFINITY): Promise<number> {
  let total = 0
  for (let after = firstAfter(order, undefined); ; ) {
    const until = await end({ after, skip: windowRows - 1 })
    total += await count({ after, until: until ?? lastOf(order) })
    if (until === undefined || total > most) return total
    after = until
    await nextTurn()
  }
}

/** Behind all ids in this order. */
const lastOf = (order: Order): string => firstAfter(order === 'asc' ? 'desc' : 'asc', undefined)

/** Queries of the embedded database end in the same turn: without this no other request would run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
