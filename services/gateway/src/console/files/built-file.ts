import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { sha256 } from '@bursar/http'

/** A served file, in the encodings that browsers accept. */
export interface BuiltFile {
  readonly contentType: string
  /** The ETag of its bytes, in quotes; each encoding has its own (RFC 9110, 8.8.3). */
  etag(coding: Coding): string
  body(coding: Coding): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>
}

const compress = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } }),
  zstd: (bytes: Uint8Array) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
} as const

export type Coding = keyof typeof compress | 'identity'

/** Best first: Brotli compresses the console's files best. */
const codings = Object.keys(compress) as readonly Exclude<Coding, 'identity'>[]
export const best = 'br'

/**
 * Compresses once per encoding, at the first request, or earlier with `prepare`. `packed`: the file in the `best`
 * encoding, if known.
 */
export function builtFile(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  packed?: Uint8Array<ArrayBuffer>,
): BuiltFile {
  const digest = sha256(bytes, 'base64url').slice(0, 22)
  const made = new Map<Coding, Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>>()
  if (packed) made.set(best, packed)
  return {
    contentType,
    etag: (coding) => (coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`),
    body(coding) {
      if (coding === 'identity') return bytes
      const compressed = made.get(coding) ?? compress[coding](bytes).then((packed) => new Uint8Array(packed))
      made.set(coding, compressed)
      return compressed
    },
  }
}

/** The coding for an `Accept-Encoding` (RFC 9110, 12.5.3): the best one that it allows. */
export function codingFor(accepted: string | null): Coding {
  const named = new Map(
    (accepted ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const
    }),
  )
  return codings.find((coding) => named.get(coding) ?? named.get('*') ?? false) ?? 'identity'
}
