import { zstdDecompressSync } from 'node:zlib'
import type { Envelope, EventText } from '@bursar/contracts/event'

/** The prefix of compressed events; a JSON array begins otherwise. */
const compressed = 'zstd,'
/** Shorter texts are sent uncompressed: compression costs more than it saves, and people can read them in Redis. */
const shortText = 4096
/** Far more than a job can contain. Unsigned jobs are unpacked too, to show dead letters. */
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

/** Unpacks them. Throws if the text has neither form. */
export function unpackEvents(text: string): Envelope[] {
  return JSON.parse(text.startsWith(compressed) ? decompress(text) : text) as Envelope[]
}

const decompress = (text: string): string =>
  zstdDecompressSync(Buffer.from(text.slice(compressed.length), 'base64'), { maxOutputLength: mostBytes }).toString()
