import { failCommon } from '../errors/errors'
import { currentRequest } from '../request/context'
import { sha256 } from '../secrets/sha256'
import { readBounded } from './body'

/** The routes of a service that accept a file instead of JSON. */
export interface FileRoutes {
  method: 'POST' | 'PUT'
  /** Matched against the path without its prefix. */
  path: RegExp
  /** How large a file may be. */
  maxBytes: number
}

/** Allowance for the rest of a form: boundaries, headers, other fields. */
const formBytes = 64 * 1024

/** The largest body of a request in bytes; undefined if it is not a file. */
export const mostFileBytes = (files: FileRoutes, method: string, path: string): number | undefined =>
  method === files.method && files.path.test(path) ? files.maxBytes + formBytes : undefined

/** An uploaded file, and the other fields of its form. */
export interface SentFile {
  content: Buffer
  /** Of a form's file; null for a body that is the file itself. */
  fileName: string | null
  fields: Readonly<Record<string, string>>
}

/**
 * Reads the body of a route that `files` names: the file itself, or a form (multipart/form-data) with the file in its
 * field `file`. Its content is part of what an Idempotency-Key identifies. Fails with 413 if it is too large, with 400
 * for a form that cannot be read or has no file.
 */
export async function readFileBody(request: Request, maxBytes: number): Promise<SentFile> {
  const body = await readBounded(request, maxBytes + formBytes)
  const contentType = request.headers.get('content-type') ?? ''
  const file = /^multipart\/form-data\b/i.test(contentType)
    ? await fromForm(body, contentType)
    : { content: body, fileName: null, fields: {} }
  if (file.content.length > maxBytes) throw tooLargeFile(maxBytes)
  const context = currentRequest()
  if (context) context.body = identityOf(file)
  return file
}

async function fromForm(body: Buffer, contentType: string): Promise<SentFile> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch((cause) => {
    throw failCommon('INVALID_REQUEST', { message: 'The body is not valid multipart/form-data', cause })
  })
  const file = form.get('file')
  if (file === null || typeof file === 'string') {
    throw failCommon('INVALID_REQUEST', { message: 'The form must have a file in its field `file`' })
  }
  if (body.length - file.size > formBytes) {
    throw failCommon('INVALID_REQUEST', { message: 'The form contains too much besides its file' })
  }
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const content = Buffer.from(await file.arrayBuffer())
  return { content, fileName: file.name || null, fields: Object.fromEntries(texts) }
}

/** The same text for a repeat, whose form has another boundary. */
const identityOf = ({ content, fileName, fields }: SentFile): string =>
  JSON.stringify([sha256(content), fileName, fields])

const tooLargeFile = (maxBytes: number) =>
  failCommon('PAYLOAD_TOO_LARGE', { message: `The file is larger than ${maxBytes / 1024 / 1024} MiB` })
