import { zstdDecompressSync } from 'node:zlib'
import type { Envelope, EventText } from '@bursar/contracts/event'

/** The prefix of compressed events; a JSON array begins otherwise. */
const compressed = 'zstd,'
/** Shorter texts are sent uncompressed: compression costs more than it saves, and people can read them in Redis. */
const shortText = 4096
/** Far more than a job can contain. */
const mostBytes = 64 * 1024 * 1024

/**
 * Events as the text of a job: a JSON array, or if that is long `zstd,` and the base64 of its zstd
 * compression. A job's cost grows with its size, at the publisher, in Redis and at the consumer; events of one kind
 * compress to a tenth.
 */
export function packEvents(events: readonly EventText[]): string {
  const text = `[${events.map((event) => event.text).join(',')}]`
  if (text.length < shortText) return text
  return compressed + Bun.zstdCompressSync(text, { level: 1 }).toString('base64')
}

/** Unpacks them. Throws if the text has neither form, or fills the memory: anybody may have written it. */
export const unpackEvents = (text: string): Envelope[] =>
  unpack(text, (packed) => zstdDecompressSync(packed, { maxOutputLength: mostBytes }))

/** As `unpackEvents`, in half the time, for a text that a service of this deployment has signed. */
export const unpackSigned = (text: string): Envelope[] => unpack(text, (packed) => Bun.zstdDecompressSync(packed))

function unpack(text: string, decompress: (packed: Buffer) => Buffer): Envelope[] {
  const isPacked = text.startsWith(compressed)
  const json = isPacked ? decompress(Buffer.from(text.slice(compressed.length), 'base64')).toString() : text
  return JSON.parse(json) as Envelope[]
}
