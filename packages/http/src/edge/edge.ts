import type { Log } from '@bursar/contracts/log'
import { type ErrorShape, errorBody } from '../errors/error-shapes'
import type { AppError } from '../errors/errors'
import { healthPaths } from '../observe/health'
import type { Metrics } from '../observe/metrics'
import { withoutTokens } from '../observe/shown-path'
import { stamp } from '../observe/stamp'
import { inRequest, type RequestContext, requestIdFrom } from '../request/context'
import { followTrace } from '../trace/followed'
import { servedRequest } from '../trace/spans'
import type { Trace } from '../trace/trace-context'
import { beginsTrace, type Tracer } from '../trace/tracer'
import { maxBodyBytes, tooLarge } from './body'
import type { Drain } from './drain'
import { type FileRoutes, mostFileBytes } from './file-body'
import { foreignPage, type Hosts } from './own-pages'
import { pathOf, withoutPrefix } from './prefix'
import { toAppError } from './to-app-error'

interface EdgeOptions {
  prefixes: readonly string[]
  shape: ErrorShape
  log: Log
  metrics: Metrics
  /** The host names that it accepts besides the loopback's; null if browsers may use any. */
  hosts: Hosts | null
  /** Refuses requests of unknown callers; undefined if callers may be unknown. */
  admit: ((request: Request, url: string) => Promise<void>) | undefined
  /** Whether successful reads are logged too, as when a person reads the log. */
  logReads: boolean
  /** The routes that accept a file instead of JSON. */
  files: FileRoutes | undefined
  /** The service's graceful shutdown. */
  drain: Drain | undefined
  tracer: Tracer | undefined
}

export type Handle = (request: Request) => MaybePromise<Response>
type MaybePromise<T> = T | Promise<T>

/** Headers of every answer. Answers are data for programs: no framing, sniffing or caching. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const slowSeconds = 1

/**
 * The one place that every request and answer passes: removes the version prefix, assigns the request id,
 * refuses an oversized body before reading it, and measures and logs the answer.
 */
export const edge =
  (options: EdgeOptions) =>
  (request: Request, handle: Handle): MaybePromise<Response> => {
    const given = request.url
    const asked = absolute(given)
    const url = withoutPrefix(asked, options.prefixes)
    // The router reads `request.url`: shadowing it normalises the URL, and only prefixed requests pay for it.
    if (url !== given) Object.defineProperty(request, 'url', { value: url })
    const id = requestIdFrom(request.headers.get('x-request-id'))
    const { method } = request
    const fileBytes = options.files && mostFileBytes(options.files, method, pathOf(url))
    const trace = options.tracer?.isOn ? arrived(options.tracer, request, url, id) : null
    const context: RequestContext = { id, path: pathOf(asked), route: null, body: '', fileBytes, trace }
    const started = performance.now()
    options.drain?.arrived()
    const finish = (response: Response) => {
      if (options.drain?.isEnding()) response.headers.set('connection', 'close')
      options.tracer?.done(trace, started, () => servedRequest(method, context, response.status))
      return report(options, method, context, response, started)
    }
    const refused = refusalOf(request, given, options, fileBytes)
    if (refused) return finish(errorResponse(options.shape, refused, context))
    const answer = inRequest(context, () => answerTo(options, request, url, context, handle))
    return answer instanceof Promise ? answer.then(finish) : finish(answer)
  }

/** The trace context of a request; later work under its id belongs to the same trace. */
function arrived(tracer: Tracer, { headers }: Request, url: string, id: string): Trace | null {
  const traceparent = headers.get('traceparent')
  // Polls begin no trace: health, metrics, and calls of services that are not traced.
  if (traceparent === null && !beginsTrace(pathOf(url))) return null
  const trace = tracer.arrive(traceparent)
  followTrace(id, trace)
  return trace
}

/** Refusals before the request's body is read. */
function refusalOf(
  request: Request,
  url: string,
  { hosts }: EdgeOptions,
  fileBytes: number | undefined,
): AppError | null {
  const most = fileBytes ?? maxBodyBytes
  if (Number(request.headers.get('content-length')) > most) return tooLarge(most)
  return hosts === null ? null : foreignPage(request, url, hosts)
}

function answerTo(
  { admit, shape }: EdgeOptions,
  request: Request,
  url: string,
  context: RequestContext,
  handle: Handle,
): MaybePromise<Response> {
  const answer = () => (request.method === 'HEAD' ? head(request, context, handle) : handle(request))
  if (!admit) return answer()
  return admit(request, url).then(answer, (error: unknown) => errorResponse(shape, toAppError(error), context))
}

/** HEAD: as GET without its body, and with its length; of a stream, which is not read, that is unknown. */
async function head(request: Request, context: RequestContext, handle: Handle): Promise<Response> {
  Object.defineProperty(request, 'method', { value: 'GET' })
  const response = await handle(request)
  const { status, headers } = response
  if (context.isStreamed || headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    leaveLengthOpen(headers)
  } else {
    const { byteLength } = await response.arrayBuffer()
    headers.set('content-length', String(byteLength))
  }
  return new Response(null, { status, headers })
}

/**
 * For the answer to HEAD of a stream: Bun would write a length of 0, which must not differ from that of GET (RFC 9110,
 * 8.6).
 */
export const leaveLengthOpen = (headers: Headers): void => headers.set('transfer-encoding', 'chunked')

/**
 * Without a valid `Host`, Bun gives only the path; and Elysia looks for the path from the twelfth character
 * on, so that a host of three letters hides it. After this, every URL is absolute with a host that is long enough.
 */
function absolute(url: string): string {
  const host = url.charCodeAt(0) === slash ? 0 : url.indexOf('//') + 2
  const path = url.indexOf('/', host)
  return path - host < 'host'.length && path >= 0 ? `http://localhost${url.slice(path)}` : url
}
const slash = 47

/** An error as a complete response, for failures outside the router. */
export function errorResponse(shape: ErrorShape, error: AppError, context: RequestContext): Response {
  context.problem = error.message
  const place = { requestId: context.id, path: context.path, timestamp: stamp() }
  const headers = { ...securityHeaders, 'x-request-id': context.id, ...error.headers }
  return Response.json(errorBody(shape, error, place), { status: error.status, headers })
}

const recorded = ({ trace }: RequestContext): string | null => (trace?.isSampled ? trace.traceId : null)

/** Successful reads are only counted (and logged at `debug`); everything else gets a log line. */
export function report(
  { log, metrics, logReads }: Pick<EdgeOptions, 'log' | 'metrics' | 'logReads'>,
  method: string,
  context: RequestContext,
  response: Response,
  started: number,
) {
  const seconds = (performance.now() - started) / 1000
  const { status } = response
  metrics.observe(
    knownMethods.has(method) ? method : 'OTHER',
    context.route ?? '(none)',
    status,
    seconds,
    recorded(context),
  )
  const { id: requestId } = context
  const path = withoutTokens(context.path)
  const problem = context.problem && withoutTokens(context.problem)
  const ms = Math.round(seconds * 1e5) / 100
  // Undefined fields are left out of the line.
  const fields = { requestId, method, path, status, ms, problem }
  const plainRead = method === 'GET' && status < 400 && seconds < slowSeconds
  // Monitors poll the health constantly.
  const isWatch = healthPaths.has(context.route ?? '')
  if (plainRead && (isWatch || !logReads)) log.debug(fields, 'request')
  else log.info(fields, 'request')
  return response
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
