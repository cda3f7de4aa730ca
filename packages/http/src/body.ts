import { currentRequest } from './context'
import { failCommon } from './errors'

/** The most that a body may weigh (decisions, All services). */
export const maxBodyBytes = 1024 * 1024

/**
 * Reads and parses a JSON body, once, and keeps its text for what depends on the very bytes. No body at all counts
 * as `{}`, so that a route with required fields names each of them.
 */
export async function parseBody({ request }: { request: Request }): Promise<unknown> {
  const text = request.headers.has('content-length') ? await request.text() : await readUnsized(request)
  if (text.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) throw failCommon('INVALID_CONTENT_TYPE')
  if (text.length > smallBody && depthOf(text) > maxDepth) throw failCommon('NESTED_TOO_DEEPLY')
  const context = currentRequest()
  if (context) context.body = text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw failCommon('INVALID_JSON', { cause })
  }
}

/** Nothing that we take is nested more than a few levels; thousands would exhaust the stack of whoever walks them. */
const maxDepth = 64
/** Shorter texts cannot be deep enough to do harm. */
const smallBody = 4096

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const mark = text[i]
    if (mark === '\\') i++
    else if (mark === '"') quoted = !quoted
    else if (quoted) continue
    else if (mark === '[' || mark === '{') deepest = Math.max(deepest, ++depth)
    else if (mark === ']' || mark === '}') depth--
  }
  return deepest
}

const isJson = (contentType: string | null): boolean =>
  contentType !== null && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

/** A body that comes in chunks says no size beforehand: stop reading where it gets too large. */
async function readUnsized(request: Request): Promise<string> {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBodyBytes) throw failCommon('PAYLOAD_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
