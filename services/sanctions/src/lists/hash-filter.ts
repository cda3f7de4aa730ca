/**
 * A set of 32-bit hashes of 8 to 16 bytes each: most addresses are on no list, and need no database read. A
 * hit proves nothing: another address may have the same hash.
 */
export type HashFilter = ReturnType<typeof createHashFilter>

/** The hash of a screening key: 1 to 2^32 - 1. */
export const hashOf = (key: string): number => Bun.hash.xxHash32(key) || 1

/** Creates a filter for up to `capacity` hashes. */
export function createHashFilter(capacity: number) {
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, capacity * 2)))
  const slots = new Uint32Array(size)
  const mask = size - 1
  /** The slot of a hash, or the free slot for it. */
  const find = (hash: number): number => {
    let slot = hash & mask
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }
  return {
    add(hash: number) {
      slots[find(hash)] = hash
    },
    has: (hash: number): boolean => slots[find(hash)] === hash,
  }
}
