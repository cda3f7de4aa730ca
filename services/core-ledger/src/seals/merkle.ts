const hashBytes = 32

/**
 * The root of the Merkle tree over these leaves, in hex: SHA-256 by RFC 6962, which prefixes leaves and nodes
 * differently, so that a proof of one leaf needs only the hashes beside its path. Without leaves: the hash of the empty
 * string.
 */
export function merkleRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return Bun.SHA256.hash('', 'hex')
  // The hashes of a level one after another; each level is written over the one below it.
  const level = new Uint8Array(leaves.length * hashBytes)
  const placeOf = (i: number) => level.subarray(i * hashBytes, (i + 1) * hashBytes)
  for (const [i, leaf] of leaves.entries()) Bun.SHA256.hash(`\0${leaf}`, placeOf(i))
  const node = new Uint8Array(1 + 2 * hashBytes).fill(1, 0, 1)
  for (let count = leaves.length; count > 1; count = Math.ceil(count / 2)) {
    for (let left = 0; left < count; left += 2) {
      // A node without a neighbour moves up unchanged.
      if (left + 1 === count) placeOf(left / 2).set(placeOf(left))
      else {
        node.set(level.subarray(left * hashBytes, (left + 2) * hashBytes), 1)
        Bun.SHA256.hash(node, placeOf(left / 2))
      }
    }
  }
  return placeOf(0).toHex()
}
