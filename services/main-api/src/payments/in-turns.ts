import { type ChunkPlace, inChunks, nextTurn } from '@bursar/store'

/** Rows that are read at a time. */
const size = 2000

let last = Promise.resolve()

/**
 * All rows of a keyset query, a chunk at a time, each in a turn of the event loop of its own: however many requests read
 * long lists at once, one of them reads a chunk, and others are answered in between.
 */
export const inTurns = <R, K>(read: (place: ChunkPlace<K>) => Promise<R[]>, start: K, keyOf: (row: R) => K) =>
  inChunks(
    (place: ChunkPlace<K>) => {
      last = last.then(nextTurn)
      return last.then(() => read(place))
    },
    { size, start, keyOf },
  )
