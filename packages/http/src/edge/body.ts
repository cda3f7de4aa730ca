import { AppError, failCommon } from '../errors/errors'
import { currentRequest } from '../request/context'
import { readWithin } from '../request/read-within'

/** The largest body, in bytes (decisions, All services). */
export const maxBodyBytes = 1024 * 1024

/** The refusal of a body that is larger than it may be. */
export const tooLarge = (most: number): AppError =>
  failCommon('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${Math.floor(most / 1024 / 1024)} MiB` })

/**
 * Reads and parses a JSON body, once, and keeps its text for code that needs the exact bytes. A missing body counts
 * as `{}`, so that a route with required fields names each of them.
 */
export async function parseBody({ request }: { request: Request }): Promise<unknown> {
  // Its route reads it.
  if (currentRequest()?.fileBytes !== undefined) return {}
  const bytes = request.headers.has('content-length') ? await request.bytes() : await readBounded(request, maxBodyBytes)
  if (bytes.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) throw notJsonType()
  const text = textOf(bytes)
  requireModest(text)
  const context = currentRequest()
  if (context) context.body = text
  try {
    return suspect.test(text) ? JSON.parse(text, disarm) : JSON.parse(text)
  } catch (cause) {
    throw cause instanceof AppError ? cause : notJson(cause)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a body, without a byte order mark. Refuses (400) what is not UTF-8, Latin-1 for instance: decoding
 * leniently would store other text than was sent.
 */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw failCommon('INVALID_REQUEST', { message: 'The body is not valid UTF-8', cause })
  }
}

/** Bodies that `disarm` must check: they contain one of the names, or a Unicode escape. */
const suspect = /"toString"|"valueOf"|\\u/

/**
 * Drops fields named `toString` and `valueOf`: converting such an object to text fails, also in library errors.
 * Refuses lone surrogates: `"\ud800"` is JSON, but UTF-8 and databases cannot store it.
 */
function disarm(name: string, value: unknown): unknown {
  if (name === 'toString' || name === 'valueOf') return undefined
  if (typeof value !== 'string' || value.isWellFormed()) return value
  throw failCommon('INVALID_REQUEST', {
    message: 'The body contains half a surrogate pair: \\ud800 to \\udfff come in pairs',
  })
}

/** A body that cannot be parsed; `cause` is for the log. */
export const notJson = (cause: unknown) =>
  failCommon('INVALID_REQUEST', { message: 'The body is not valid JSON', cause })

/** Our bodies have only a few levels of nesting; thousands would exhaust the stack. */
const maxDepth = 64
/** Every value is visited several times: more would block the event loop. */
const maxValues = 20_000
/** Shorter texts cannot have too many values, and are too deep only with more brackets than levels. */
const smallBody = 4096

/** Refuses (400) a body that is too deep or has too many values, before it is parsed. */
export function requireModest(text: string): void {
  if (text.length <= smallBody && !hasManyBrackets(text)) return
  const { deepest, values } = sizeOf(text)
  if (deepest > maxDepth) {
    throw failCommon('INVALID_REQUEST', { message: 'The body is nested more than 64 levels deep' })
  }
  if (values > maxValues) throw failCommon('INVALID_REQUEST', { message: 'The body holds more than 20,000 values' })
}

/** Whether more brackets open than there may be levels. Most bodies have a few: looking for them is faster than reading all. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > maxDepth) return true
    }
  }
  return false
}

function sizeOf(text: string): { deepest: number; values: number } {
  let depth = 0
  let values = 1
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const mark = text[i]
    if (mark === '\\') i++
    else if (mark === '"') quoted = !quoted
    else if (quoted) continue
    else if (mark === '[' || mark === '{') deepest = Math.max(deepest, ++depth)
    else if (mark === ']' || mark === '}') depth--
    else if (mark === ',') values++
  }
  return { deepest, values }
}

/**
 * Refuses another content type also without a body: a page of another site could post an empty form.
 */
export function requireJson({ headers, method }: Request): void {
  if (method === 'GET' || currentRequest()?.fileBytes !== undefined) return
  const contentType = headers.get('content-type')
  if (contentType !== null && !isJson(contentType)) throw notJsonType()
}

const notJsonType = () => failCommon('INVALID_REQUEST', { message: 'Content-Type must be application/json' })

export const isJson = (contentType: string | null): boolean =>
  contentType !== null && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

/** A request's body, refused (413) when it is too large. */
export const readBounded = (request: Request, most: number): Promise<Buffer> =>
  readWithin(request.body, most, () => tooLarge(most))
