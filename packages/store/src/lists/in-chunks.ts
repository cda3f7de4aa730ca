/** The next chunk of a keyset query. */
export interface ChunkPlace<K> {
  /** The key of the last row before; `start` for the first chunk. */
  after: K
  limit: number
  /** Rows to skip; above 0 only in the first chunk. */
  offset: number
}

/**
 * All rows of a keyset query, a chunk at a time, each read when it is asked for: a million rows take the memory of one
 * chunk. `read` gives at most `limit` rows after the key `after`, in the order of their keys.
 */
export async function* inChunks<R, K>(
  read: (place: ChunkPlace<K>) => Promise<R[]>,
  { size, start, keyOf, limit, offset = 0, fits }: ChunkOptions<R, K>,
): AsyncGenerator<R[]> {
  let left = limit ?? Number.MAX_SAFE_INTEGER
  let after = start
  let skip = offset
  while (left > 0) {
    const wanted = Math.min(left, size)
    const place = { after, limit: wanted, offset: skip }
    const fit = (await fits?.(place)) ?? wanted
    const rows = await read({ ...place, limit: fit })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    // With fewer rows than wanted, one may have been deleted since they were counted.
    if (fit === wanted && rows.length < wanted) return
    left -= rows.length
    after = keyOf(last)
    skip = 0
  }
}

interface ChunkOptions<R, K> {
  /** Rows of one chunk, at most. */
  size: number
  /** For rows that may be large: how many of the next ones to read at once, at least 1. */
  fits?: ((place: ChunkPlace<K>) => Promise<number>) | undefined
  /** A key smaller than all others. */
  start: K
  keyOf: (row: R) => K
  /** Most rows in all; unbounded unless given. */
  limit?: number | undefined
  offset?: number | undefined
}
