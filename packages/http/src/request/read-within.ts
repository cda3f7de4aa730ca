/**
 * The bytes of a body, which may not announce its size: throws `tooLong` as soon as there are more than `most`, and reads
 * no further.
 */
export async function readWithin(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > most) throw tooLong()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
