const chunkBits = 16
const chunkRows = 1 << chunkBits
/** The share of slots in use at most: free ones keep searches short. */
const fullest = 0.7

interface Chunk {
  /** Two halves of each key's hash. */
  hashes: Uint32Array
  /** Two parts of two words each: low, high. */
  words: BigInt64Array
}

/**
 * Two sums for each of many keys, in about 50 bytes per key; a Map of objects needs six times that. Keys are stored as
 * 64 bits of a seeded hash: a collision among a million keys has a chance of one in forty million.
 */
export function compactSums() {
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
  const chunks: Chunk[] = []
  /** Sums that do not fit into 128 bits. */
  const wide = new Map<number, bigint>()
  let slots = new Int32Array(1 << 10)
  let rows = 0
  /** The last key: an entry often has the same account on both sides. */
  let last = { key: '', row: -1 }

  /** The row of a key; -1 if it has none. */
  function find(key: string): number {
    const [low, high] = hashOf(key, seed)
    return (slots[slotOf(low, high)] ?? 0) - 1
  }

  /** The row of a key, created if it has none. */
  function rowOf(key: string): number {
    if (key !== last.key || last.row < 0) last = { key, row: rowByHash(key) }
    return last.row
  }

  function rowByHash(key: string): number {
    const [low, high] = hashOf(key, seed)
    const slot = slotOf(low, high)
    const known = slots[slot] ?? 0
    if (known > 0) return known - 1
    const row = rows++
    if (row % chunkRows === 0) {
      chunks.push({ hashes: new Uint32Array(chunkRows * 2), words: new BigInt64Array(chunkRows * 4) })
    }
    const { hashes } = chunkOf(row)
    const place = (row % chunkRows) * 2
    hashes[place] = low
    hashes[place + 1] = high
    slots[slot] = row + 1
    if (rows > slots.length * fullest) grow()
    return row
  }

  /** The slot of a hash, or the free slot for it. */
  function slotOf(low: number, high: number): number {
    const mask = slots.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[slot] ?? 0) - 1
      if (row < 0) return slot
      const { hashes } = chunkOf(row)
      const place = (row % chunkRows) * 2
      if (hashes[place] === low && hashes[place + 1] === high) return slot
    }
  }

  function grow(): void {
    slots = new Int32Array(slots.length * 2)
    for (let row = 0; row < rows; row++) {
      const { hashes } = chunkOf(row)
      const place = (row % chunkRows) * 2
      slots[slotOf(hashes[place] ?? 0, hashes[place + 1] ?? 0)] = row + 1
    }
  }

  function get(row: number, part: 0 | 1): bigint {
    const far = wide.size > 0 ? wide.get(row * 2 + part) : undefined
    if (far !== undefined) return far
    const { words } = chunkOf(row)
    const place = (row % chunkRows) * 4 + part * 2
    return ((words[place + 1] ?? 0n) << 64n) + BigInt.asUintN(64, words[place] ?? 0n)
  }

  function set(row: number, part: 0 | 1, sum: bigint): void {
    if (BigInt.asIntN(128, sum) !== sum) return void wide.set(row * 2 + part, sum)
    wide.delete(row * 2 + part)
    const { words } = chunkOf(row)
    const place = (row % chunkRows) * 4 + part * 2
    words[place] = BigInt.asIntN(64, sum)
    words[place + 1] = sum >> 64n
  }

  const chunkOf = (row: number): Chunk => {
    const chunk = chunks[row >> chunkBits]
    if (!chunk) throw new Error(`There is no row ${row}`)
    return chunk
  }

  return { find, rowOf, get, set, size: () => rows }
}

function hashOf(key: string, seed: bigint): [low: number, high: number] {
  const hash = Bun.hash.wyhash(key, seed)
  return [Number(hash & 0xffff_ffffn), Number(hash >> 32n)]
}
