import type { Log } from '@bursar/contracts/log'
import { Elysia, NotFoundError } from 'elysia'
import { docs } from './docs/docs'
import type { Documented } from './docs/openapi'
import { admission } from './edge/admission'
import { allowedMethods } from './edge/allowed-methods'
import { parseBody, requireJson } from './edge/body'
import type { Drain } from './edge/drain'
import { edge, type Handle, securityHeaders } from './edge/edge'
import type { FileRoutes } from './edge/file-body'
import { uuidFolds } from './edge/fold-uuids'
import { dropInheritedKeys } from './edge/ignored-fields'
import { listenOnce } from './edge/listen-once'
import { pathOf } from './edge/prefix'
import { repeatedKeyGuard } from './edge/repeated-keys'
import { toAppError } from './edge/to-app-error'
import { errorBody } from './errors/error-shapes'
import { type AppError, failCommon } from './errors/errors'
import { type Checks, type Health, healthRoutes } from './observe/health'
import { plainLines } from './observe/log'
import type { Metrics } from './observe/metrics'
import { metricsFor } from './observe/metrics-text'
import type { Operations } from './observe/operations'
import { operationRoutes } from './observe/operations.routes'
import { withoutTokens } from './observe/shown-path'
import { stamp } from './observe/stamp'
import type { Identity } from './peers/identity'
import { currentRequest } from './request/context'
import { hostInUrl } from './settings/config'
import type { Tracer } from './trace/tracer'

interface ServiceOptions extends Omit<Documented, 'prefixes'> {
  /** The possible prefixes of each path, longest first. */
  prefixes?: readonly string[]
  log: Log
  metrics: Metrics
  health: Health
  /** Only the checks of its database and its bus; those of `health` by default. */
  ready?: Checks
  /** Its figures and dead letters for operators, read through the gateway. */
  operations?: Operations
  /** Called for every 500, after it was logged. */
  onFailure?: (error: AppError) => void
  /** The host names that it accepts besides the loopback's: `HOST` and `ALLOWED_HOSTS`. */
  hosts?: readonly string[]
  /** True for the gateway, which decides itself which pages may call. */
  speaksToBrowsers?: boolean
  /** Whether every caller but those of `/health` must prove its identity (`INTERNAL_AUTH=required`). */
  internalAuth?: 'optional' | 'required'
  /** Verifies callers; needed if `internalAuth` is required. */
  identity?: Identity
  /** Whether successful reads are logged too. */
  logReads?: boolean
  /** Which routes take a file instead of JSON; they read it with `readFileBody`. */
  files?: FileRoutes
  /** The service's graceful shutdown. */
  drain?: Drain
  tracer?: Tracer
}

/**
 * An Elysia instance with what all services share: error shape, strict parsing and validation, request ids,
 * security headers, `/health`, `/metrics`, `/swagger`. A service adds its resources: `service({…}).use(assetRoutes(deps))`.
 */
export function service(options: ServiceOptions) {
  const { name, shape, log, metrics, prefixes = ['/v1'], logReads = false, files, drain, tracer } = options
  const hosts = options.speaksToBrowsers ? null : new Set(options.hosts?.map((host) => hostInUrl(host).toLowerCase()))
  const app = new Elysia({
    name,
    // Bun's own router would bypass the edge.
    systemRouter: false,
    // Elysia's own cleaning turns text into a list, and a list into an object, before validation can refuse them.
    normalize: 'typebox',
    // WebSocket clients send little. A small compressed frame could expand into a large one.
    websocket: { maxPayloadLength: 1024, perMessageDeflate: false },
  })
  listenOnce(app)
  const foldUuids = uuidFolds(() => app.routes)
  const refuseRepeatedKeys = repeatedKeyGuard(() => app.routes)
  const admit = admission(options)
  // Made once: Elysia wraps its handler anew for each request.
  const atEdge = edge({ prefixes, shape, log: plainLines(log), metrics, hosts, admit, logReads, files, drain, tracer })
  return app
    .wrap((handle) => (request: Request) => atEdge(request, handle as unknown as Handle))
    .onRequest(({ set }) => {
      Object.assign(set.headers, securityHeaders)
      const request = currentRequest()
      if (request) set.headers['x-request-id'] = request.id
    })
    .onParse(parseBody)
    .onTransform(({ request, route, params, query, body }) => {
      const context = currentRequest()
      if (context) context.route = route
      requireJson(request)
      refuseRepeatedKeys(request.method, route, request.url)
      foldUuids(request, route, params, body)
      dropInheritedKeys(query)
    })
    .onError(({ error: thrown, set, request }) => {
      const context = currentRequest()
      const path = context?.path ?? '/'
      const error = thrown instanceof NotFoundError ? notServed(app.routes, request) : toAppError(thrown)
      if (error.status >= 500) {
        log.error(
          { err: error.cause ?? error, code: error.code, method: request.method, path: withoutTokens(path) },
          error.message,
        )
        if (error.status === 500) options.onFailure?.(error)
      }
      if (context) context.problem = error.message
      set.status = error.status
      Object.assign(set.headers, error.headers)
      return errorBody(shape, error, { requestId: context?.id ?? '', path, timestamp: stamp() })
    })
    .use(healthRoutes(options.health, options.ready, name))
    .use(operationsOf(options))
    .get(
      '/metrics',
      async ({ set, headers }) => {
        const { body, contentType } = metricsFor(await metrics.text(), headers.accept ?? null)
        set.headers['content-type'] = contentType
        return body
      },
      { detail: { hide: true } },
    )
    .use(docs({ ...options, prefixes }, () => app))
}

/** None for the gateway: it reads its own in the process, and these routes must not be public. */
const operationsOf = ({ operations, identity, speaksToBrowsers }: ServiceOptions) =>
  operations && identity && !speaksToBrowsers ? operationRoutes(operations, identity) : new Elysia()

/** The error for a path that is not served, or not with this method (then with `Allow`). */
function notServed(routes: readonly { method: string; path: string }[], { method, url }: Request): AppError {
  const path = pathOf(url)
  const allowed = allowedMethods(routes, path)
  if (allowed.length === 0) return failCommon('NOT_FOUND', { message: `Cannot ${method} ${path}` })
  const message = `${path} does not support ${method}; it supports ${allowed.join(', ')}`
  return failCommon('METHOD_NOT_ALLOWED', { message, headers: { allow: allowed.join(', ') } })
}
