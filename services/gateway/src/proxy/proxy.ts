import { services } from '@bursar/contracts/services'
import {
  AppError,
  errorResponse,
  inRequest,
  plainLines,
  type RequestContext,
  report,
  requestIdFrom,
  toAppError,
} from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { partsOf, type Target, targetOf } from '../routing/target'
import { pass } from './pass'

/** Answers a request that is for a service; undefined for one that is not. `peer` is the connection's other end. */
export type AnswerForService = (request: Request, peer: string | null) => Promise<Response> | undefined

/** The one way from outside to the services. */
export function createProxy(deps: GatewayDeps): AnswerForService {
  const { metrics, logReads } = deps
  const reporting = { log: plainLines(deps.log), metrics, logReads }
  return (request, peer) => {
    const found = attempt(() => targetOf(request.url))
    if (found === null) return undefined
    const started = performance.now()
    const { path } = partsOf(request.url)
    const context: RequestContext = {
      id: requestIdFrom(request.headers.get('x-request-id')),
      path,
      route: null,
      body: '',
    }
    if (!(found instanceof AppError)) context.route = `/${services[found.service].slug}/*`
    return inRequest(context, async () => {
      const response = await answer(deps, request, peer, found, context)
      return report(reporting, request.method, context, response, started)
    })
  }
}

async function answer(
  deps: GatewayDeps,
  request: Request,
  peer: string | null,
  found: Target | AppError,
  context: RequestContext,
): Promise<Response> {
  let forPages: Readonly<Record<string, string>> = {}
  try {
    forPages = deps.cors.check(request)
    const preflight = deps.cors.preflight(request)
    if (preflight) return preflight
    if (found instanceof AppError) throw found
    const address = deps.callerAddress(peer, request.headers.get('x-forwarded-for'))
    return withHeaders(await pass(deps, { request, target: found, address, context }), forPages)
  } catch (thrown) {
    return withHeaders(refusal(deps, thrown, context), forPages)
  }
}

/** An error of the gateway's own, in shape 1 (decisions, Who may call 1). */
function refusal({ log }: GatewayDeps, thrown: unknown, context: RequestContext): Response {
  const error = toAppError(thrown)
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code, path: context.path }, error.message)
  return errorResponse('object', error, context)
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const name in headers) response.headers.set(name, headers[name] as string)
  return response
}

/** What could not be read is answered as any other refusal, with its request id. */
function attempt<T>(read: () => T): T | AppError {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
