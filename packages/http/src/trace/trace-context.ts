import { randomFillSync } from 'node:crypto'

/** A trace context: a span's place in a trace (W3C Trace Context, level 1). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The context in a `traceparent` header; null if it is invalid or missing. */
export function parseTraceparent(header: string | null | undefined): Trace | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(header ?? '') ?? []
  // Later versions may add fields; version 00 has none.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const pool = Buffer.alloc(4096)
let used = pool.length

/** Random hexadecimal digits, two for each byte. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}

export const newTraceId = (): string => randomHex(16)
export const newSpanId = (): string => randomHex(8)

/** Whether a trace is sampled at a ratio from 0 to 1; every service decides alike. */
export const isTaken = (traceId: string, ratio: number): boolean =>
  ratio >= 1 || Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52
