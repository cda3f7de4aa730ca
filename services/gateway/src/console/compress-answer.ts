/** Below this size compression hardly helps. */
const fewBytes = 1024

/**
 * Compresses a JSON answer for a browser of the console; others are unchanged. Streams are not compressed: their events
 * would be held back. No other site can make a browser send these requests, so the length reveals nothing.
 */
export function compressAnswer({ method, headers: asked }: Request, answer: Response): Response {
  const { headers, body, status, statusText } = answer
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  const accepts = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(asked.get('accept-encoding') ?? '')
  if (!body || method === 'HEAD' || !isJson || headers.has('content-encoding') || length < fewBytes || !accepts) {
    return answer
  }
  const own = new Headers(headers)
  own.set('content-encoding', 'gzip')
  own.append('vary', 'accept-encoding')
  own.delete('content-length')
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { status, statusText, headers: own })
}
