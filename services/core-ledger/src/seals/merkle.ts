const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/**
 * The root of the Merkle tree over these leaves, in hex: SHA-256 by RFC 6962, which prefixes leaves and nodes
 * differently, so that a proof of one leaf needs only the hashes beside its path. Without leaves: the hash of the empty
 * string.
 */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves.map((leaf) => hash(leafMark, leaf))
  while (level.length > 1) level = pairs(level)
  return (level[0] ?? hash()).toString('hex')
}

/** A node without a neighbour moves up unchanged. */
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
