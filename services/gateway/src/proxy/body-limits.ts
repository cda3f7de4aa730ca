import { maxBodyBytes } from '@bursar/http'
import { fail } from '../errors'
import type { Target } from '../front/target'

const mebibyte = 1024 * 1024

/** Routes with a higher limit: documents of participants (main API). */
const larger = [
  {
    service: 'main-api',
    path: /^\/(?:admin\/pfi|participants)\/[^/]+\/documents$/,
    method: 'POST',
    most: 11 * mebibyte,
  },
] as const

/** The maximum size of a request's body in bytes. */
export const mostBytesOf = ({ service, path }: Target, method: string): number =>
  larger.find((each) => each.service === service && each.method === method && each.path.test(path))?.most ??
  maxBodyBytes

/** Whether a request may have such a body: a file. */
export const isUpload = (target: Target, method: string): boolean => mostBytesOf(target, method) > maxBodyBytes

/** The highest limit of any route. */
export const mostBytes = Math.max(...larger.map(({ most }) => most))

/** Refuses (413) a body whose declared length is too large, before reading it. */
export function refuseTooLarge({ headers }: Request, most: number): void {
  if (Number(headers.get('content-length')) > most) throw tooLarge(most)
}

const tooLarge = (most: number) => {
  const size = most < mebibyte ? `${most / 1024} KiB` : `${most / mebibyte} MiB`
  return fail('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${size}` })
}

/**
 * Up to this size a body is read before it is forwarded: that is faster, and a slow sender does not occupy a service.
 */
const smallBytes = 64 * 1024

/** A body to forward. `onProgress` is called for each received part. */
export interface Body {
  content: Uint8Array | ReadableStream | undefined
  onProgress: () => void
}

/**
 * The body to forward: buffered when small, else streamed and counted: a body that exceeds the limit
 * is aborted with that error (413). `whole`: it is inspected first, and buffered whatever its size.
 */
export async function bodyOf(request: Request, most: number, { whole }: { whole: boolean }): Promise<Body> {
  const body: Body = { content: undefined, onProgress: () => {} }
  if (request.body === null) return body
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= smallBytes) body.content = new Uint8Array(await request.arrayBuffer())
  else body.content = request.body.pipeThrough(counting(most, () => body.onProgress()))
  if (whole && body.content instanceof ReadableStream) body.content = await new Response(body.content).bytes()
  return body
}

function counting(most: number, onProgress: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      onProgress()
      bytes += chunk.byteLength
      if (bytes > most) controller.error(tooLarge(most))
      else controller.enqueue(chunk)
    },
  })
}
