import type { Caller, RequestContext } from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { servicePath, type Target } from '../front/target'
import { authenticate, type ConsoleUser } from './authenticate'
import { requireInstitution } from './institutions'
import { needsOf } from './needs'
import { requestHeaders } from './request-headers'

/** A request passing through. */
export interface Passage {
  readonly request: Request
  readonly target: Target
  /** The client's IP address. */
  readonly address: string
  readonly context: RequestContext
  /** The console's user, instead of credentials. Null for requests through the API. */
  readonly session: ConsoleUser | null
  /** Whether the console itself sends the request, possibly without a session. */
  readonly isOfConsole?: true
}

/** An admitted request for a service. */
export interface Admitted {
  readonly caller: Caller
  /** The rate-limit key. */
  readonly counted: string
  /** The caller's session; null for none. */
  readonly sessionId: string | null
  /** At any address of the service: path and query. */
  readonly path: string
  readonly headers: Record<string, string>
  /** Rate-limit headers for the answer. */
  readonly limitHeaders: Record<string, string>
}

/** Authenticates and authorises the caller, before the body is read. Fails: 401, 403, 429, 503. */
export async function admit(deps: GatewayDeps, passage: Passage): Promise<Admitted> {
  const { request, target, address, context } = passage
  const authenticated =
    passage.session ??
    (await authenticate(deps.credentials, {
      headers: request.headers,
      needs: needsOf(target, request.method),
      from: address,
    }))
  const { caller, counted, sessionId } = authenticated
  // Those of keys were checked where they were found.
  const door = passage.session ? 'console' : 'api'
  if (caller.kind === 'user') await deps.credentials.keyAddresses.requireUser(caller, address, door)
  requireEnrolled(authenticated, target)
  const declared = await requireInstitution(deps.institutions, caller, target, request.method)
  const limitHeaders = await deps.rateLimits.take(counted, deps.policies.requests)
  const identity = await deps.identity.sign(declared, target.service)
  return {
    caller,
    counted,
    sessionId,
    path: servicePath(target) + target.query,
    headers: requestHeaders(request.headers, { requestId: context.id, address, identity }),
    limitHeaders,
  }
}

/** Limits (403) a user that must set up a second factor to doing that, its profile and its sessions. */
function requireEnrolled({ mustEnrol }: { mustEnrol: boolean }, { service, path }: Target): void {
  if (!mustEnrol || (service === 'identity-manager' && beforeEnrolment.test(path))) return
  throw fail('SECOND_FACTOR_REQUIRED')
}

const beforeEnrolment =
  /^\/(auth\/.+|users\/(change-password-token|mfa|mfa\/totp|mfa\/totp\/confirm|mfa\/passkeys|mfa\/passkeys\/options|profile)|health|\.well-known\/jwks\.json)$/
