import { zstdDecompressSync } from 'node:zlib'
import type { Envelope, EventText } from '@bursar/contracts/event'

/** The prefix of compressed events; a JSON array begins otherwise. */
const compressed = 'zstd,'
/** Shorter texts are sent as they are: compressing one costs more than it saves, and a person can read it in Redis. */
const shortText = 4096
/** Far more than a job of events can hold: what is not signed is unpacked, too, where dead letters are shown. */
const mostBytes = 64 * 1024 * 1024

/**
 * Events as the text that a job carries: a JSON array, or where that is long `zstd,` and the base64 of its zstd
 * compression. What a job costs grows with its bytes, at the publisher, in Redis and at the consumer; events of one kind
 * compress to a tenth.
 */
export function packEvents(events: readonly EventText[]): string {
  const text = `[${events.map((event) => event.text).join(',')}]`
  if (text.length < shortText) return text
  return compressed + Bun.zstdCompressSync(text, { level: 1 }).toString('base64')
}

/** Unpacks them. Throws when the text has neither form. */
export function unpackEvents(text: string): Envelope[] {
  return JSON.parse(text.startsWith(compressed) ? decompress(text) : text) as Envelope[]
}

const decompress = (text: string): string =>
  zstdDecompressSync(Buffer.from(text.slice(compressed.length), 'base64'), { maxOutputLength: mostBytes }).toString()
