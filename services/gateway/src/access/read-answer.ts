import { isJsonType } from '@bursar/http'

const mostBytes = 64 * 1024
const timeoutMs = 2000

/** The JSON of an answer that is also passed on; undefined if it is not JSON, too long, or late. */
export async function answerOf(response: Response): Promise<unknown> {
  if (!isJson(response.headers) || response.headers.has('content-encoding')) return undefined
  const bytes = await bytesOf(
    response.clone() as Pick<Response, 'body'>,
    mostBytes,
    AbortSignal.timeout(timeoutMs),
  ).catch(() => null)
  return bytes === null ? undefined : jsonOf(bytes)
}

export const isJson = (headers: Headers): boolean => isJsonType(headers.get('content-type'))

/** The bytes of a body; null if more than `most`. Rejects when the signal aborts first. */
export async function bytesOf(
  { body }: Pick<Response, 'body'>,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true })
  const parts: Uint8Array[] = []
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read()
    signal?.throwIfAborted()
    if (done) return Buffer.concat(parts)
    bytes += value.byteLength
    if (bytes > most) {
      // For a clone this settles only when the other half is read.
      void reader.cancel().catch(() => {})
      return null
    }
    parts.push(value)
  }
}

/** The JSON of a body; undefined if not JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** The fields of a value; none if it is not an object. */
export const fieldsIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The fields of a JSON body; none if it is not an object. */
export const fieldsOf = (body: Uint8Array | null): Record<string, unknown> => fieldsIn(body && jsonOf(body))
