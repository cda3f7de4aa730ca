/** How many rows one statement scans if a filter matches few of them. */
const windowRows = 10_000

/** A list whose statements each scan a bounded part of it. A place `P` is a row's place in the list's order. */
interface Parted<P> {
  /** The place `skip` rows after the next one; undefined if fewer are left. */
  end(place: { after: P | undefined; skip: number }): Promise<P | undefined>
}

interface Paged<R, P> extends Parted<P> {
  /** The first rows of the window, which goes up to the place `until`, or to the end of the list. */
  page(place: { after: P | undefined; until: P | undefined; limit: number }): Promise<R[]>
}

interface Counted<P> extends Parted<P> {
  /** How many rows of a window match the filters. */
  count(place: { after: P | undefined; until: P | undefined }): Promise<number>
}

/** Reads a window at a time until a page is full: no statement takes long, and requests in between are not held up. */
export async function readWindows<R, P>(
  { end, page }: Paged<R, P>,
  { after, limit, offset }: { after: P | undefined; limit: number; offset: number },
): Promise<R[]> {
  const found: R[] = []
  let skip = offset
  for (let place = after; ; ) {
    const until = await end({ after: place, skip: windowRows - 1 })
    const rows = await page({ after: place, until, limit: skip + limit - found.length })
    found.push(...rows.slice(skip))
    skip = Math.max(0, skip - rows.length)
    if (found.length >= limit || until === undefined) return found
    place = until
    await nextTurn()
  }
}

/** Counts the rows that match the filters; gives some number above `most` if there are more. */
export async function countWindows<P>({ end, count }: Counted<P>, most = Number.POSITIVE_INFINITY): Promise<number> {
  let total = 0
  for (let after: P | undefined; ; ) {
    const until = await end({ after, skip: windowRows - 1 })
    total += await count({ after, until })
    if (until === undefined || total > most) return total
    after = until
    await nextTurn()
  }
}

/**
 * Queries of the embedded database end in the same turn of the event loop: without this pause no other request would
 * run.
 */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
