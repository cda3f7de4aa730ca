/** Below this a packed answer is hardly smaller. */
const fewBytes = 1024

/**
 * Packs a JSON answer for a browser of the console; any other is given as it is. Streams stay as they are: a packed one
 * would hold its events back. No other site can have a browser send these requests, so the length tells nobody anything.
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
