import type { Caller, RequestContext } from '@bursar/http'
import { authenticate } from '../credentials/authenticate'
import { needsOf } from '../credentials/needs'
import type { GatewayDeps } from '../deps'
import { servicePath, type Target } from '../routing/target'
import { countedAddress } from './caller-address'
import { requestHeaders } from './request-headers'

/** A request on its way through. */
export interface Passage {
  readonly request: Request
  readonly target: Target
  /** That the caller comes from. */
  readonly address: string
  readonly context: RequestContext
}

/** What a service is to be asked, once the request may pass. */
export interface Admitted {
  readonly caller: Caller
  /** In whose name it is counted. */
  readonly counted: string
  readonly url: string
  readonly headers: Record<string, string>
  /** For the answer. */
  readonly limitHeaders: Record<string, string>
}

/** Finds out who calls and whether it may, before anything of the body is read. Fails: 401, 429, 503. */
export async function admit(deps: GatewayDeps, { request, target, address, context }: Passage): Promise<Admitted> {
  const needs = needsOf(target, request.method)
  const asked = { headers: request.headers, needs, address: countedAddress(address) }
  const { caller, counted } = await authenticate(deps.credentials, asked)
  const limitHeaders = await deps.rateLimits.take(counted, deps.policies.requests)
  const identity = await deps.identityTokens(caller, target.service)
  return {
    caller,
    counted,
    url: deps.config.urls[target.service] + servicePath(target) + target.query,
    headers: requestHeaders(request.headers, { requestId: context.id, address, identity }),
    limitHeaders,
  }
}
