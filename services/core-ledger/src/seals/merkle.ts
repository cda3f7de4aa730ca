const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/**
 * The root of the Merkle tree over these leaves, in hex: SHA-256 as RFC 6962 has it, where leaves and nodes are marked
 * apart, so that a proof of one leaf needs the hashes beside its path alone. No leaves: the hash of nothing.
 */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves.map((leaf) => hash(leafMark, leaf))
  while (level.length > 1) level = pairs(level)
  return (level[0] ?? hash()).toString('hex')
}

/** One without a neighbour goes up as it is. */
const pairs = (level: readonly Buffer[]): Buffer[] =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
    const [left, right] = level.slice(2 * i, 2 * i + 2)
    return left && right ? hash(nodeMark, left, right) : (left as Buffer)
  })

function hash(...parts: (Uint8Array | string)[]): Buffer {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const part of parts) hasher.update(part)
  return hasher.digest()
}
