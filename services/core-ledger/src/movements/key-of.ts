/**
 * 48 bits of a text's SHA-256: a column of numbers is a quarter of the size, and readers compare the texts as well.
 * Case and `0x` make no difference, because the same hash has several spellings.
 */
export function keyOf(text: string): number {
  const folded = text.trim().toLowerCase().replace(/^0x/, '')
  return Buffer.from(Bun.SHA256.hash(folded).buffer).readUIntBE(0, 6)
}
