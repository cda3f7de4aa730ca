import { services } from '@bursar/contracts/services'
import { AppError, orRefusal, type RequestContext } from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { type Target, targetOf } from '../front/target'
import { handled, refusal } from './handled'
import { pass } from './pass'
import type { Upgrade } from './sockets'

/** The connection that a request came by. */
export interface Connection {
  /** Its other end. */
  readonly peer: string | null
  readonly upgrade: Upgrade
}

/** Answers a request that is for a service, with null if it became a WebSocket; undefined when it is for none. */
export type AnswerForService = (request: Request, connection: Connection) => Promise<Response | null> | undefined

/** The only way from outside to the services. */
export function createProxy(deps: GatewayDeps): AnswerForService {
  return (request, connection) => {
    // An unreadable request is answered like any other refusal, with its request id.
    const found = orRefusal(() => targetOf(request.url))
    if (found === null) return undefined
    const route = found instanceof AppError ? null : `/${services[found.service].slug}/*`
    return handled(deps, request, route, (context) => answer(deps, { request, connection, found, context }))
  }
}

interface Arrival {
  request: Request
  connection: Connection
  found: Target | AppError
  context: RequestContext
}

async function answer(deps: GatewayDeps, { request, connection, found, context }: Arrival): Promise<Response | null> {
  let forPages: Readonly<Record<string, string>> = {}
  try {
    forPages = deps.cors.check(request)
    const preflight = deps.cors.preflight(request)
    if (preflight) return preflight
    if (found instanceof AppError) throw found
    const address = deps.callerAddress(connection.peer, request.headers.get('x-forwarded-for'))
    const passed = await pass(deps, { request, target: found, address, context, session: null }, connection.upgrade)
    return passed && withHeaders(passed, forPages)
  } catch (thrown) {
    return withHeaders(refusal(deps, thrown, context), forPages)
  }
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const name in headers) response.headers.set(name, headers[name] as string)
  return response
}
