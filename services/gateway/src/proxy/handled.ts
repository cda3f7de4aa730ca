import {
  errorResponse,
  inRequest,
  plainLines,
  type RequestContext,
  report,
  requestIdFrom,
  servedRequest,
  toAppError,
} from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { partsOf } from '../front/target'

/** The status in metrics of a request that became a WebSocket. */
const switched = new Response(null, { status: 101 })

/**
 * Answers a request that bypasses the router: with its id, its log line, its metrics under `route`, and
 * errors in shape 1 (decisions, Who may call 1).
 */
export function handled(
  deps: Pick<GatewayDeps, 'log' | 'metrics' | 'logReads' | 'tracer'>,
  request: Request,
  route: string | null,
  answer: (context: RequestContext) => Promise<Response | null>,
): Promise<Response | null> {
  const started = performance.now()
  const { path } = partsOf(request.url)
  const { tracer } = deps
  const trace = tracer.arrive(request.headers.get('traceparent'))
  const id = requestIdFrom(request.headers.get('x-request-id'))
  const context: RequestContext = { id, path, route, body: '', trace }
  const { method } = request
  const reporting = { log: plainLines(deps.log), metrics: deps.metrics, logReads: deps.logReads }
  return inRequest(context, async () => {
    const response = await answer(context).catch((thrown: unknown) => refusal(deps, thrown, context))
    tracer.done(trace, started, () => servedRequest(method, context, (response ?? switched).status))
    report(reporting, method, context, response ?? switched, started)
    return response
  })
}

/** An error of the gateway itself. */
export function refusal({ log }: Pick<GatewayDeps, 'log'>, thrown: unknown, context: RequestContext): Response {
  const error = toAppError(thrown)
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code, path: context.path }, error.message)
  return errorResponse('object', error, context)
}
