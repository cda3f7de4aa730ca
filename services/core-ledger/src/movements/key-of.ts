/**
 * 48 bits of a text's SHA-256: a column of numbers is a quarter of the size, and whoever reads by it compares the texts.
 * Case and `0x` make no difference here: the same hash is written in several ways.
 */
export function keyOf(text: string): number {
  const folded = text.trim().toLowerCase().replace(/^0x/, '')
  return Buffer.from(Bun.SHA256.hash(folded).buffer).readUIntBE(0, 6)
}
